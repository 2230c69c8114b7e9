/**
 * The pages of what is kept, and for how long, in a real browser: the audit log, retention, and
 * what is done with one person's data or with all. With WRITE_SCREENS=1 their screens are kept in
 * docs/screens.
 */
import { expect, test } from '@jest/globals'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, type Browsing, keepScreen, show } from './browsing.ts'
import { testScreens } from './screens.ts'

const SUBJECT = 'ann@example.com'

const ids = { endpoint: '' }
const browsing = browseWith(fill)

/** A workspace with changes in its log, and an event with somebody's address. */
async function fill({ posthorn, receiver, must }: Browsing): Promise<void> {
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  ids.endpoint = (await must('POST', '/api/v1/endpoints', shop)).id
  const change = { timeoutMs: 9_000, maxRetries: 8 }
  await must('PATCH', `/api/v1/endpoints/${ids.endpoint}`, change)
  const config = { url: `${receiver.url}/ops` }
  await must('POST', '/api/v1/connectors', { name: 'ops', type: 'webhook', config })
  await posthorn.send({ eventType: 'order.paid', payload: { orderId: 'o_1', email: SUBJECT } })
}

testScreens(browsing, () => [
  { name: 'audit', path: '/dashboard/audit', text: 'endpoint.update', onPhone: true },
  { name: 'sign-ins', path: '/dashboard/audit?tab=sign-ins', text: 'session.create' },
  { name: 'retention', path: '/dashboard/compliance', text: 'Requests and responses' },
  { name: 'people', path: '/dashboard/compliance?tab=people', text: 'No jobs yet' },
  {
    name: 'workspace',
    path: '/dashboard/compliance?tab=workspace',
    text: 'Delete the workspace',
  },
])

test('a change is found by its filters, opened by keys, and followed to what it changed', async () => {
  const { open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard/audit', 'endpoint.update')
  await page.getByLabel('What was changed').selectOption('endpoint')
  await page.waitForURL(/resource=endpoint/)
  await page.getByText('connector.create').first().waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'endpoint.update' })
  await dialog.getByText('− 30000').waitFor()
  await dialog.getByText('+ 9000').waitFor()
  await page.waitForURL(/row=[0-9a-f-]{36}/)
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'audit-change')
  await dialog.getByRole('button', { name: 'All that they did' }).click()
  await page.waitForURL(/actor=/)
  await page.goBack()
  await dialog.getByRole('link', { name: ids.endpoint }).click()
  await page.waitForURL(new RegExp(`endpoints/${ids.endpoint}$`))
  await page.getByRole('heading', { name: 'Back office' }).waitFor()
  await leave()
}, 120_000)

test('somebody who may only read is told why', async () => {
  const { posthorn, open } = browsing()
  const scopes = ['endpoints:read', 'analytics:read']
  const { body } = await posthorn.call('POST', '/api/v1/api-keys', { name: 'Reader', scopes })
  const { page, leave } = await open({ apiKey: body.key as string })
  await page.goto('/dashboard/audit?tab=sign-ins')
  await page.getByText('Only admins see who signed in.').waitFor()
  await page.goto('/dashboard/audit')
  await page.getByRole('alert').getByText('FORBIDDEN').waitFor()
  await leave()
}, 90_000)

test('retention is changed, a person is exported and erased, the workspace goes by its name', async () => {
  const { posthorn, open } = browsing()
  const { context, page, leave } = await open()
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
  await page.getByText('completed').nth(1).waitFor()
  await keepScreen(page, 'people-jobs')
  const events = await posthorn.call('GET', '/api/v1/events?eventType=order.paid')
  expect(events.text).not.toContain(SUBJECT)

  await page.goto('/dashboard/compliance?tab=workspace')
  await page.getByRole('button', { name: 'Delete the workspace' }).click()
  const dialog = page.getByRole('dialog')
  const everything = dialog.getByRole('button', { name: 'Delete everything' })
  await dialog.getByLabel(/Type the name/).fill('Tes')
  await everything.and(page.getByTitle('Type the name exactly as it is.')).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByLabel(/Type the name/).fill('Test')
  await everything.click()
  await page.waitForURL(/\/login/)
  expect((await posthorn.call('GET', '/api/v1/endpoints')).status).toBe(401)
  await leave()
}, 240_000)
