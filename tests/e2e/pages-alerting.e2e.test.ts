/**
 * The pages of alert rules and connectors in a real browser: what they watch, whom they tell, and
 * what was told. With WRITE_SCREENS=1 their screens are kept in docs/screens.
 */
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, type Browsing, keepScreen, PATIENCE_MS, show } from './browsing.ts'
import { openShopOfADay } from './plant-day.ts'
import { testScreens } from './screens.ts'

const ids = { rule: '' }
const browsing = browseWith(fill)

/** A workspace that has run for a day with an hour of trouble, and rules that watch it. */
async function fill(all: Browsing): Promise<void> {
  const { receiver, must } = all
  await openShopOfADay(all)
  await must('POST', '/api/v1/connectors', {
    name: 'ops',
    type: 'webhook',
    config: { url: `${receiver.url}/ops` },
  })
  await must('POST', '/api/v1/connectors', {
    name: 'ops-chat',
    type: 'slack',
    config: { webhookUrl: `${receiver.url}/slack`, channel: '#ops' },
    template: { title: '{{.event_type}}', text: 'Order {{.orderId}} of {{.customer.name}}' },
    eventTypes: ['order.paid'],
  })
  await must('POST', '/api/v1/alert-rules', {
    name: 'Slow answers',
    condition: 'latency > 800 over 15m',
    connectorName: 'ops-chat',
  })
  await must('POST', '/api/v1/alerting/rules', {
    name: 'Silence',
    condition: { metric: 'delivery_count', operator: 'lt', value: 1, window: '15m' },
    action: { type: 'email', to: ['ops@example.com'] },
    enabled: false,
  })
  const errors = { metric: 'error_count', operator: 'gt', value: 20, window: '12h' }
  const failing = { name: 'Errors today', condition: errors, connectorName: 'ops', cooldown: '1h' }
  ids.rule = (await must('POST', '/api/v1/alerting/rules', failing)).id
  await eventually(
    async () => {
      const history = await must('GET', '/api/v1/alerting/history')
      expect(history.data[0]).toMatchObject({ status: 'firing', delivery: 'sent' })
    },
    { timeoutMs: PATIENCE_MS },
  )
}

testScreens(browsing, () => [
  { name: 'alerts', path: '/dashboard/alerts', text: 'Errors today' },
  { name: 'alert-rule', path: `/dashboard/alerts/${ids.rule}`, text: 'It would have fired' },
  { name: 'alert-history', path: '/dashboard/alerts?tab=history', text: 'arrived' },
  { name: 'connectors', path: '/dashboard/connectors', text: 'ops-chat' },
  { name: 'connector', path: '/dashboard/connectors/ops-chat', text: 'Rules that tell it' },
  {
    name: 'new-connector',
    path: '/dashboard/connectors?add=choose',
    text: 'By your own mail server',
  },
])

test('a rule is made from text, previewed, told of, muted', async () => {
  const { receiver, open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard/alerts/new', 'Would have fired')
  await page.getByLabel('Name').fill('Failures')
  await page.getByRole('button', { name: 'As text' }).click()
  await page.getByLabel('Condition').fill('failure_rate > twenty')
  await page.getByText('must have a number after the operator (at character 16)').waitFor()
  await page.getByLabel('Condition').fill('failure_rate > 20 over 30m')
  await page.getByText('The failure rate is over 20 % in the last 30 min.').waitFor()
  await page.getByText(/It would have fired once, for \d h/).waitFor()
  await page.getByRole('button', { name: 'As fields' }).click()
  await eventually(async () => expect(await page.getByLabel('Per cent').inputValue()).toBe('20'))
  await page.getByLabel('Where').selectOption('own:webhook')
  await page.getByLabel('Webhook URL').fill(`${receiver.url}/alerts`)
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('{{.rule}}: {{printf "%.1f" .value}} %')
  await page.getByText('Failures: 20.0 %').waitFor()
  await message.fill('{{.rule')
  await page.getByText('text: line 1').waitFor()
  await message.fill('{{.rule}} at {{.value}}')
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'alert-new')
  await page.getByRole('button', { name: 'Make the rule' }).click()
  await page.getByRole('row', { name: /quiet Failures/ }).click()
  await page.waitForURL(/alerts\/[0-9a-f-]{36}$/)

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('dialog', { name: 'The test arrived' }).waitFor()
  await page.getByText('The other side answered 200.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(
    receiver.requests
      .filter(({ path }) => path === '/alerts')
      .map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { message: string }).message),
  ).toEqual(['Failures at 20'])
  await page.getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('heading', { name: 'muted' }).waitFor()
  await page.getByLabel('Tell again after').fill('1h')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. The rule starts anew.').waitFor()
  await leave()
}, 180_000)

test('a connector is made, its template previewed, and tested; one that a rule tells stays', async () => {
  const { receiver, open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard/connectors', 'ops-chat')
  await page.getByRole('button', { name: 'New connector' }).click()
  await page.getByRole('button', { name: /Slack/ }).click()
  await page.getByLabel('Name').fill('shop')
  await page.getByLabel('Webhook URL').fill(`${receiver.url}/shop`)
  await page.getByLabel('Told of events').fill('order.*')
  await page.getByLabel('Text').fill('{{.orderId}} for {{.customer.name}}')
  await page.getByLabel('Of what').selectOption('event')
  await page.getByText('o_42 for Ada & Co').waitFor()
  await page.getByLabel('Payload').fill('{"orderId":"<b>7</b>","customer":{"name":"Bob"}}')
  await page.getByText('<b>7</b> for Bob').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'connector-new')
  await page.getByRole('button', { name: 'Make the connector' }).click()
  await page.waitForURL(/connectors\/shop$/)
  const secret = page.getByLabel('Webhook URL')
  await eventually(async () => expect(await secret.inputValue()).toMatch(/^••••/))
  await page.getByLabel('Channel').fill('#shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').last().waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The other side answered 200.').waitFor()
  await page.keyboard.press('Escape')
  const sent = receiver.requests.filter(({ path }) => path === '/shop')
  expect(sent).toHaveLength(1)

  receiver.answer({ status: 403, body: 'no_service' })
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('dialog', { name: 'The test did not arrive' }).waitFor()
  await page.getByText('The other side answered 403.').waitFor()
  await page.keyboard.press('Escape')
  receiver.answer({ status: 200 })

  await page.goto('/dashboard/connectors/ops')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('alert').getByText('INVALID_STATE').waitFor()
  await leave()
}, 150_000)

test('somebody who may only read is told why; the rules speak German', async () => {
  const { posthorn, open } = browsing()
  const scopes = ['alerts:read', 'connectors:read', 'endpoints:read', 'analytics:read']
  const { body } = await posthorn.call('POST', '/api/v1/api-keys', { name: 'Reader', scopes })
  const { page, leave } = await open({ apiKey: body.key as string })
  await show(page, '/dashboard/alerts', 'Errors today')
  const button = page.getByRole('button', { name: 'New rule', disabled: true })
  await button.and(page.getByTitle('Your API key lacks the scope alerts:write.')).waitFor()
  await leave()

  const german = await open({ locale: 'de-DE' })
  await show(german.page, '/dashboard/alerts', 'Errors today')
  await german.page.getByRole('heading', { name: 'Alarme' }).waitFor()
  await german.page.getByText('Zahl der Fehlversuche ist über 20 in den letzten 12 h').waitFor()
  await german.leave()
}, 90_000)
