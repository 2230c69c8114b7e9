/**
 * The pages with editors in a real browser: an endpoint's transformation, filter and versions, an
 * event type's schema, and a payload that is searched. With WRITE_SCREENS=1 their screens are kept
 * in docs/screens.
 */
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, type Browsing, keepScreen, show, typeOver } from './browsing.ts'
import { testScreens } from './screens.ts'

const SCRIPT = `function transform(event) {
  const { orderId, amount } = event.payload
  return { payload: { order: orderId, euros: amount / 100 }, headers: { 'X-Shop': 'acme' } }
}
`

const ids = { endpoint: '', type: '', event: '' }
const browsing = browseWith(fill)

async function fill({ posthorn, receiver, must }: Browsing): Promise<void> {
  const schema = {
    type: 'object',
    required: ['orderId', 'amount'],
    properties: {
      orderId: { type: 'string', examples: ['o_1'] },
      amount: { type: 'integer', minimum: 0 },
      currency: { enum: ['EUR', 'USD'] },
    },
  }
  const type = { name: 'order.paid', description: 'An order was paid', schema }
  ids.type = (await must('POST', '/api/v1/event-types', type)).id
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  ids.endpoint = (await must('POST', '/api/v1/endpoints', shop)).id
  const path = `/api/v1/endpoints/${ids.endpoint}`
  await must('PATCH', path, { transformation: SCRIPT.replace('euros', 'total') })
  await must('PATCH', path, { transformation: SCRIPT, timeoutMs: 10_000 })
  for (let n = 1; n <= 8; n += 1) {
    const payload = { orderId: `o_${n}`, amount: n * 625, currency: n % 2 === 0 ? 'EUR' : 'USD' }
    ids.event = (await posthorn.send({ eventType: 'order.paid', payload })).id
  }
}

testScreens(browsing, () => [
  {
    name: 'transformation',
    path: `/dashboard/endpoints/${ids.endpoint}?tab=transformation`,
    text: 'It ran. What changes is marked.',
  },
  {
    name: 'filter',
    path: `/dashboard/endpoints/${ids.endpoint}?tab=filter`,
    text: '8 of 8 recent events meet them.',
  },
  {
    name: 'versions',
    path: `/dashboard/endpoints/${ids.endpoint}?tab=versions`,
    text: 'Version 3',
  },
  {
    name: 'event-type',
    path: `/dashboard/event-types?open=${ids.type}`,
    text: 'An example that fits',
  },
])

test('a script is tried as one types, fails at its line, and changes what is sent', async () => {
  const { posthorn, receiver, open } = browsing()
  const { page, leave } = await open()
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=transformation`, 'It ran.')
  const script = (text: string) => typeOver(page, 'Script', text)
  await script('function transform(event) {\n  return event.payload.a.b\n}')
  await page
    .getByText(/cannot read property 'b' of undefined/)
    .first()
    .waitFor()
  await page.locator('.cm-lint-marker-error').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await script('function transform() { return null }')
  await page.getByText('Nothing: the script drops this event.').waitFor()
  await script(SCRIPT.replace('acme', 'typed'))
  await page.getByText('X-Shop').waitFor()
  await page.getByText('typed', { exact: true }).waitFor()
  await typeOver(page, 'Sample payload', '12')
  await page.getByText('This is no JSON object.').waitFor()
  await typeOver(page, 'Sample payload', '{"orderId":"o_9","amount":4200}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as a new version.').waitFor()
  await posthorn.send({ eventType: 'order.paid', payload: { orderId: 'o_9', amount: 4_200 } })
  await receiver.waitFor((all) =>
    all.some(
      ({ rawBody, headers }) =>
        rawBody.toString() === '{"order":"o_9","euros":42}' && headers['x-shop'] === 'typed',
    ),
  )
  await leave()
}, 120_000)

test('a filter shows what it lets through before it is saved', async () => {
  const { posthorn, open } = browsing()
  const { page, leave } = await open()
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=filter`, 'recent events meet them.')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Field of condition 1').fill('$.currency')
  await page.getByLabel('Value of condition 1').fill('EUR')
  await page.getByText(/^4 of \d recent events meet them\.$/).waitFor()
  await page.getByText('Condition 1 found "USD".').first().waitFor()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Field of condition 2').fill('$..amount')
  await page.getByText(/has "\.\.", which is not supported/).waitFor()
  const save = page.getByRole('button', { name: 'Save' })
  await save.and(page.getByTitle('A condition is not right yet.')).waitFor()
  await page.getByLabel('Field of condition 2').fill('$.amount')
  await page.getByLabel('Operator of condition 2').selectOption('gte')
  await page.getByLabel('Value of condition 2').fill('3750')
  await page.getByText(/^2 of \d recent events meet them\.$/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'filter-live')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as a new version.').waitFor()
  const saved = await posthorn.call('GET', `/api/v1/endpoints/${ids.endpoint}`)
  expect(saved.body.filter).toEqual([
    { field: '$.currency', operator: 'eq', value: 'EUR' },
    { field: '$.amount', operator: 'gte', value: 3750 },
  ])
  await page.getByRole('button', { name: 'Remove condition 2' }).click()
  await page.getByRole('button', { name: 'Remove condition 1' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => {
    const { body } = await posthorn.call('GET', `/api/v1/endpoints/${ids.endpoint}`)
    expect(body.filter).toBeNull()
  })
  await leave()
}, 120_000)

test('a former version is shown as what would change, and comes back', async () => {
  const { posthorn, must, open } = browsing()
  const { page, leave } = await open()
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=versions`, 'Version 2')
  await page.getByRole('listitem').filter({ hasText: 'Version 2' }).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Back to version 2?' })
  await dialog.getByText('total: amount').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'versions-diff')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await page.getByText('Saved as a new version.').waitFor()
  const { body } = await posthorn.call('GET', `/api/v1/endpoints/${ids.endpoint}`)
  expect(body.transformation).toContain('total: amount')
  await must('PATCH', `/api/v1/endpoints/${ids.endpoint}`, { transformation: SCRIPT })
  await leave()
}, 90_000)

test('a schema is edited with its example, and a payload is searched', async () => {
  const { open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard/event-types?open=new', 'Begin with an example')
  await page.getByRole('button', { name: 'Begin with an example' }).click()
  await page.getByText('"currency": "EUR"').waitFor()
  await typeOver(page, 'JSON schema', '{"type":')
  await page.getByText('This is no JSON object.').waitFor()
  const schema = { type: 'object', properties: { note: { const: 'kept' } } }
  await typeOver(page, 'JSON schema', JSON.stringify(schema))
  await page.getByText('"note": "kept"').waitFor()
  await page.getByLabel('Name').fill('order.noted')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('order.noted').first().waitFor()
  await page.waitForURL((url) => url.search === '')

  await page.goto(`/dashboard/events/${ids.event}`)
  await page.getByRole('button', { name: 'Search and fold' }).click()
  await page.getByPlaceholder('Find').pressSequentially('amount')
  await page.locator('.cm-searchMatch').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await leave()
}, 90_000)
