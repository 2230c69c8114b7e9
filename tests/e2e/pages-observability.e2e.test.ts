/**
 * The pages that show and tell what happens, in a real browser: charts, alert rules, connectors,
 * logs, and what is kept. Each screen in light and dark, without a breach of its policy, a request
 * elsewhere or a barrier that axe knows; and people's ways through them. With WRITE_SCREENS=1 the
 * screens are kept in docs/screens.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startChromium } from '@posthorn/testing/chromium'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Browser, keepScreen, openBrowser, type Opened, type Page } from './browsing.ts'
import { plantDay } from './plant-day.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const SUBJECT = 'ann@example.com'

let posthorn: SharedProduct
let receiver: Receiver
let browser: Browser
const ids = { endpoint: '', rule: '' }

beforeAll(async () => {
  receiver = await startReceiver()
  posthorn = await joinProduct('standalone')
  browser = await startChromium()
  await fill()
}, 450_000)

afterAll(async () => {
  await browser?.close()
  await posthorn?.leave()
  await receiver?.close()
}, 60_000)

async function call(method: string, path: string, body?: object): Promise<{ id: string }> {
  const answer = await posthorn.call(method, path, body)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body as { id: string }
}

/** A workspace that has run for a day with an hour of trouble, rules that watch it, and changes. */
async function fill(): Promise<void> {
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  ids.endpoint = (await call('POST', '/api/v1/endpoints', shop)).id
  const projects = await posthorn.call('GET', '/api/v1/projects')
  await plantDay({
    databaseUrl: posthorn.databaseUrl,
    tenantId: posthorn.tenantId,
    projectId: projects.body.data[0].id,
    endpointId: ids.endpoint,
  })
  await call('PATCH', `/api/v1/endpoints/${ids.endpoint}`, { timeoutMs: 9_000, maxRetries: 8 })
  await call('POST', '/api/v1/connectors', {
    name: 'ops',
    type: 'webhook',
    config: { url: `${receiver.url}/ops` },
  })
  await call('POST', '/api/v1/connectors', {
    name: 'ops-chat',
    type: 'slack',
    config: { webhookUrl: `${receiver.url}/slack`, channel: '#ops' },
    template: { title: '{{.event_type}}', text: 'Order {{.orderId}} of {{.customer.name}}' },
    eventTypes: ['order.paid'],
  })
  await call('POST', '/api/v1/alert-rules', {
    name: 'Slow answers',
    condition: 'latency > 800 over 15m',
    connectorName: 'ops-chat',
  })
  await call('POST', '/api/v1/alerting/rules', {
    name: 'Silence',
    condition: { metric: 'delivery_count', operator: 'lt', value: 1, window: '15m' },
    action: { type: 'email', to: ['ops@example.com'] },
    enabled: false,
  })
  const errors = { metric: 'error_count', operator: 'gt', value: 20, window: '12h' }
  const failing = { name: 'Errors today', condition: errors, connectorName: 'ops', cooldown: '1h' }
  ids.rule = (await call('POST', '/api/v1/alerting/rules', failing)).id
  await posthorn.send({ eventType: 'order.paid', payload: { orderId: 'o_1', email: SUBJECT } })
  await eventually(
    async () => {
      const summary = await posthorn.call('GET', '/api/v1/analytics/summary')
      expect(summary.body.data).toHaveLength(25)
      const history = await posthorn.call('GET', '/api/v1/alerting/history')
      expect(history.body.data[0]).toMatchObject({ status: 'firing', delivery: 'sent' })
    },
    { timeoutMs: 60_000 },
  )
}

async function open(
  options: Pick<Parameters<typeof openBrowser>[1], 'dark' | 'narrow' | 'locale'> = {},
  apiKey: string | null = posthorn.apiKey,
): Promise<Opened> {
  return await openBrowser(browser, { url: posthorn.url, apiKey, ...options })
}

/** Each screen, and a text that is there once it is whole. */
function screens(): [name: string, path: string, text: string][] {
  return [
    ['home-busy', '/dashboard', 'The last 24 hours'],
    ['analytics', '/dashboard/analytics', 'Throughput'],
    ['endpoint-charts', `/dashboard/endpoints/${ids.endpoint}?tab=charts`, 'Throughput'],
    ['alerts', '/dashboard/alerts', 'Errors today'],
    ['alert-rule', `/dashboard/alerts/${ids.rule}`, 'It would have fired'],
    ['alert-history', '/dashboard/alerts?tab=history', 'arrived'],
    ['connectors', '/dashboard/connectors', 'ops-chat'],
    ['connector', '/dashboard/connectors/ops-chat', 'Rules that tell it'],
    ['new-connector', '/dashboard/connectors?add=choose', 'By your own mail server'],
    ['audit', '/dashboard/audit', 'endpoint.update'],
    ['sign-ins', '/dashboard/audit?tab=sign-ins', 'session.create'],
    ['retention', '/dashboard/compliance', 'Requests and responses'],
    ['people', '/dashboard/compliance?tab=people', 'No jobs yet'],
    ['workspace', '/dashboard/compliance?tab=workspace', 'Delete the workspace'],
  ]
}

async function show(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path)
  await page.getByText(text).first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.locator('.chart:not(:has(canvas))').first().waitFor({ state: 'detached' })
}

test.each(['light', 'dark'])(
  'every screen keeps its policy, stays on its origin and has no barriers (%s)',
  async (appearance) => {
    const { context, page, watch } = await open({ dark: appearance === 'dark' })
    const barriers: string[] = []
    for (const [name, path, text] of screens()) {
      await show(page, path, text)
      barriers.push(...(await findBarriers(page)).map((one) => `${name}: ${one}`))
      await keepScreen(page, `${name}-${appearance}`)
    }
    expect(barriers).toEqual([])
    expect(watch.faults).toEqual([])
    await context.close()
  },
  300_000,
)

test('no screen is wider than a phone of 320 pixels', async () => {
  const { context, page } = await open({ narrow: true })
  const tooWide: string[] = []
  for (const [name, path, text] of screens()) {
    await show(page, path, text)
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (width > 320) tooWide.push(`${name}: ${width}`)
  }
  expect(tooWide).toEqual([])
  await context.close()
}, 180_000)

test('home counts by itself, each second', async () => {
  const { context, page, watch } = await open()
  await show(page, '/dashboard', 'Endpoints that fail')
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByRole('link', { name: `${receiver.url}/orders` }).waitFor()
  expect(watch.faults).toEqual([])
  await context.close()
}, 90_000)

test('a chart is zoomed by pointer and by keys, its table is what the API says', async () => {
  const { context, page, watch } = await open()
  await show(page, '/dashboard/analytics', 'Throughput')
  const attempts = page.locator('figure', { has: page.getByRole('heading', { name: 'Attempts' }) })
  const plot = attempts.locator('.u-over')
  const box = await plot.boundingBox()
  if (box === null) throw new Error('there is no chart')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.4, y, { steps: 5 })
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL(/from=.*&to=/)
  const zoomed = new URL(page.url()).searchParams
  const [from, to] = [zoomed.get('from') ?? '', zoomed.get('to') ?? '']
  const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000
  expect(hours).toBeGreaterThanOrEqual(6)
  expect(hours).toBeLessThanOrEqual(10)

  const query = new URLSearchParams({ from, to }).toString()
  const { body } = await posthorn.call('GET', `/api/v1/analytics/outcomes?${query}`)
  await attempts.getByText('As a table').click()
  await eventually(async () => {
    const cells = await attempts.locator('tbody td').allTextContents()
    const counts = body.data as { success: number; failure: number; timeout: number }[]
    expect(cells.map(Number)).toEqual(
      counts.flatMap(({ success, failure, timeout }) => [success, failure, timeout]),
    )
  })

  const chart = attempts.getByRole('slider')
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/Success \d+, Failure \d+/)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('from') !== from)
  const again = new URL(page.url()).searchParams
  expect(again.get('to')).toBe(to)
  expect(Date.parse(to) - Date.parse(again.get('from') ?? '')).toBe(3 * 3_600_000)

  await page.goBack()
  await page.waitForURL((url) => url.searchParams.get('from') === from)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.waitForURL((url) => !url.searchParams.has('from'))
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.waitForURL(/deliveries\?start=.*&end=/)
  await page.getByText('/orders').first().waitFor()
  expect(watch.faults).toEqual([])
  await context.close()
}, 180_000)

test('a customer has charts in the portal, of all and of one endpoint', async () => {
  const account = await call('POST', '/api/v1/sub-accounts', { externalId: 'customer-7' })
  const shop = { url: `${receiver.url}/customer`, eventTypes: ['*'], description: 'Their shop' }
  const acting = { 'X-Sub-Account-ID': account.id }
  const made = await posthorn.call('POST', '/api/v1/endpoints', shop, acting)
  const { databaseUrl } = posthorn
  const whose = { tenantId: account.id, projectId: null, endpointId: made.body.id as string }
  await plantDay({ databaseUrl, ...whose })
  const minted = await posthorn.call('POST', `/api/v1/sub-accounts/${account.id}/sessions`, {
    returnURL: 'https://shop.example.com/webhooks',
  })
  const { context, page, watch } = await open({}, null)
  await page.goto(new URL(minted.body.url as string).pathname)
  await page.getByRole('link', { name: 'Charts' }).click()
  await page.getByText('Attempts', { exact: true }).waitFor()
  await eventually(async () => expect(await page.locator('.chart canvas').count()).toBe(3))
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'portal-charts')
  const chart = page.getByRole('slider').first()
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await page.waitForURL(/from=.*&to=/)
  await page.getByRole('link', { name: 'Endpoints' }).click()
  await page.getByText('Their shop').click()
  await page.getByRole('navigation', { name: 'Parts of the endpoint' }).getByText('Charts').click()
  await eventually(async () => expect(await page.locator('.chart canvas').count()).toBe(3))
  expect(await findBarriers(page)).toEqual([])
  expect(watch.faults).toEqual([])
  await context.close()
}, 120_000)

test('a rule is made from text, previewed, told of, muted', async () => {
  const { context, page, watch } = await open()
  await show(page, '/dashboard/alerts/new', 'Would have fired')
  await page.getByLabel('Name').fill('Failures')
  await page.getByRole('button', { name: 'As text' }).click()
  await page.getByLabel('Condition').fill('failure_rate > twenty')
  await page.getByText('must have a number after the operator (at character 16)').waitFor()
  await page.getByLabel('Condition').fill('failure_rate > 20 over 30m')
  await page.getByText('The failure rate is over 20 % in the last 30 min.').waitFor()
  await page.getByText(/It would have fired once, for \d h/).waitFor()
  await page.getByRole('button', { name: 'As fields' }).click()
  expect(await page.getByLabel('Per cent').inputValue()).toBe('20')
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
  expect(watch.faults).toEqual([])
  await context.close()
}, 180_000)

test('a connector is made, its template previewed, and tested; one that a rule tells stays', async () => {
  const { context, page, watch } = await open()
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
  expect(watch.faults).toEqual([])
  await context.close()
}, 150_000)

test('a change is found by its filters, opened by keys, and followed to what it changed', async () => {
  const { context, page, watch } = await open()
  await show(page, '/dashboard/audit', 'endpoint.update')
  await page.getByLabel('What was changed').selectOption('endpoint')
  await page.waitForURL(/resource=endpoint/)
  await eventually(async () => expect(await page.getByText('connector.create').count()).toBe(0))
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'endpoint.update' })
  await dialog.getByText('− 30000').waitFor()
  await dialog.getByText('+ 9000').waitFor()
  expect(page.url()).toMatch(/row=[0-9a-f-]{36}/)
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'audit-change')
  await dialog.getByRole('button', { name: 'All that they did' }).click()
  await page.waitForURL(/actor=/)
  await page.goBack()
  await dialog.getByRole('link', { name: ids.endpoint }).click()
  await page.waitForURL(new RegExp(`endpoints/${ids.endpoint}$`))
  await page.getByRole('heading', { name: 'Back office' }).waitFor()
  expect(watch.faults).toEqual([])
  await context.close()
}, 120_000)

test('somebody who may only read is told why', async () => {
  const scopes = ['alerts:read', 'connectors:read', 'endpoints:read', 'analytics:read']
  const { body } = await posthorn.call('POST', '/api/v1/api-keys', { name: 'Reader', scopes })
  const { context, page } = await open({}, body.key as string)
  await show(page, '/dashboard/alerts', 'Errors today')
  const button = page.getByRole('button', { name: 'New rule' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  expect(await button.getAttribute('title')).toBe('Your API key lacks the scope alerts:write.')
  await page.goto('/dashboard/audit?tab=sign-ins')
  await page.getByText('Only admins see who signed in.').waitFor()
  await page.goto('/dashboard/audit')
  await page.getByRole('alert').getByText('FORBIDDEN').waitFor()
  await context.close()
}, 90_000)

test('the screens speak German', async () => {
  const { context, page } = await open({ locale: 'de-DE' })
  await show(page, '/dashboard/alerts', 'Errors today')
  await page.getByRole('heading', { name: 'Alarme' }).waitFor()
  await page.getByText('Zahl der Fehlversuche ist über 20 in den letzten 12 h').waitFor()
  await show(page, '/dashboard/analytics', 'Durchsatz')
  await keepScreen(page, 'analytics-german')
  await context.close()
}, 90_000)

test('retention is changed, a person is exported and erased, the workspace goes by its name', async () => {
  const { context, page, watch } = await open()
  await show(page, '/dashboard/compliance', 'Requests and responses')
  await page.getByLabel('Attempts: for how long').selectOption('days')
  await page.getByLabel('Attempts: days').fill('7')
  await page.getByText('nothing is older').first().waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. What is older goes within the hour.').waitFor()
  const retention = await context.request.get('/api/v1/me/retention')
  expect(await retention.json()).toMatchObject({ deliveryAttemptDays: 7, eventDays: null })

  await show(page, '/dashboard/compliance?tab=people', 'No jobs yet')
  await page.getByLabel('Their e-mail address').fill(SUBJECT)
  await page.getByRole('button', { name: 'Export what refers to them' }).click()
  const link = page.getByRole('link', { name: 'Download' })
  await link.waitFor()
  const download = page.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toMatch(/^export-.*\.json$/)
  await page.getByRole('button', { name: 'Erase it …' }).click()
  await page.getByRole('button', { name: 'Erase it for good' }).click()
  await eventually(async () => expect(await page.getByText('completed').count()).toBe(2), {
    timeoutMs: 60_000,
  })
  await keepScreen(page, 'people-jobs')
  const events = await posthorn.call('GET', '/api/v1/events?eventType=order.paid')
  expect(events.text).not.toContain(SUBJECT)

  await page.goto('/dashboard/compliance?tab=workspace')
  await page.getByRole('button', { name: 'Delete the workspace' }).click()
  const dialog = page.getByRole('dialog')
  const everything = dialog.getByRole('button', { name: 'Delete everything' })
  await dialog.getByLabel(/Type the name/).fill('Tes')
  expect(await everything.getAttribute('aria-disabled')).toBe('true')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByLabel(/Type the name/).fill('Test')
  await everything.click()
  await page.waitForURL(/\/login/)
  expect((await posthorn.call('GET', '/api/v1/endpoints')).status).toBe(401)
  expect(watch.faults).toEqual([])
  await context.close()
}, 240_000)
