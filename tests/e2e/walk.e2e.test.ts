/**
 * The whole way of somebody new, without a line of documentation: signed in by the printed link, an
 * operator makes a sub-account; its customer makes an endpoint in the portal, sees the first event
 * arrive, has it break, is alerted, understands why, repairs it and replays all. With
 * WRITE_SCREENS=1 its stations are kept in docs/screens.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Browser, keepScreen, openBrowser, type Opened, type Page } from './browsing.ts'
import { type Posthorn, startPosthorn } from './posthorn.ts'
import { joinBrowser } from './products/join-browser.ts'

let posthorn: Posthorn
let browser: Browser

beforeAll(async () => {
  posthorn = await startPosthorn('standalone', { EGRESS_ALLOW_CIDRS: '' })
  browser = await joinBrowser()
}, 450_000)

afterAll(async () => {
  await browser?.close()
  await posthorn?.stop()
}, 60_000)

const stranger = (): Promise<Opened> => openBrowser(browser, { url: posthorn.url, apiKey: null })

async function printedLink(): Promise<string> {
  return await eventually(() => {
    const link = /dashboard\s+(\S+#link=\S+)/.exec(posthorn.output())?.[1]
    if (link === undefined) throw new Error('no link was printed')
    return link
  })
}

async function sendOrder(orderId: string): Promise<void> {
  const event = { eventType: 'order.paid', payload: { orderId, amount: 1_250 } }
  const answer = await posthorn.call('POST', '/api/v1/events', event, {
    'X-Sub-Account-ID': 'ada',
    'X-Idempotency-Key': orderId,
  })
  expect(answer.status).toBe(201)
}

/** @returns the link that opens the customer's portal */
async function makeSubAccount(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Sub-accounts' }).click()
  await page.getByRole('button', { name: 'New sub-account' }).click()
  await page.getByRole('dialog').getByLabel('External id').fill('ada')
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Ada & Co')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ada & Co' }).waitFor()
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByLabel('Return URL').fill(`${posthorn.url}/dashboard`)
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = page.getByRole('dialog').locator('pre')
  await keepScreen(page, 'walk-1-link')
  return ((await link.textContent()) ?? '').trim()
}

async function makeEndpoint(page: Page, url: string, types: string): Promise<void> {
  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  await page.getByLabel('URL').fill(url)
  await page.getByLabel('Event types').fill(types)
  await page.getByText('Retries, limits and order').click()
  await page.getByLabel('Attempts', { exact: true }).fill('1')
  await page.getByRole('button', { name: 'Make the endpoint' }).click()
  await page.getByRole('button', { name: 'Send a test' }).waitFor()
}

async function answerWith(page: Page, status: string): Promise<void> {
  await page.getByLabel('Status').selectOption(status)
  await page.getByRole('button', { name: 'Set' }).click()
  await page.getByText(`From now on it answers ${status}.`).waitFor()
}

test('from the printed link to everything replayed', async () => {
  const operator = await stranger()
  await operator.page.goto(await printedLink())
  await operator.page.getByRole('heading', { level: 1 }).waitFor()
  await operator.page.waitForURL(/\/dashboard/)
  const link = await makeSubAccount(operator.page)

  // The customer's own systems: two addresses of the demo receiver, open in tabs of their own.
  const customer = await stranger()
  const [portal, shop, alerts] = [
    customer.page,
    await customer.context.newPage(),
    await customer.context.newPage(),
  ] as const
  await shop.goto('/receiver/shop')
  await shop.getByText('Nothing has arrived yet').waitFor()
  await alerts.goto('/receiver/alerts')
  await portal.goto(link)
  await portal.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
  await makeEndpoint(portal, `${posthorn.url}/receiver/alerts`, 'service.*')
  await portal.getByRole('link', { name: 'Endpoints' }).first().click()
  await makeEndpoint(portal, `${posthorn.url}/receiver/shop`, 'order.*')

  await sendOrder('o_1')
  await portal.getByRole('grid').getByText('delivered').waitFor()
  await keepScreen(portal, 'walk-2-first-event')
  await shop.getByText('signature verified').waitFor()
  await keepScreen(shop, 'walk-3-receiver')

  await answerWith(shop, '500')
  for (const id of ['o_2', 'o_3', 'o_4']) await sendOrder(id)
  await alerts.getByText('service.event.dead').first().waitFor()
  await keepScreen(alerts, 'walk-4-alert')

  await portal.getByRole('grid').getByText('dead').nth(2).waitFor()
  await portal.getByRole('row').filter({ hasText: 'dead' }).first().click()
  await portal.getByText('1 of 1 deliveries are dead').waitFor()
  await portal.getByText('/receiver/shop').first().waitFor()
  await portal.getByText('The receiver failed.').waitFor()
  await portal.getByRole('heading', { name: 'dead' }).waitFor()
  await keepScreen(portal, 'walk-5-why')

  await answerWith(shop, '200')
  await portal.getByRole('link', { name: 'Endpoints' }).first().click()
  await portal.getByText('/receiver/shop').first().click()
  await portal.getByRole('button', { name: 'Replay' }).click()
  await portal.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
  await portal.getByText('3 are queued again.').waitFor()
  await eventually(
    async () => {
      const rows = portal.getByRole('row').filter({ hasText: 'order.paid' })
      expect(await rows.count()).toBe(4)
      expect(await rows.filter({ hasText: 'delivered' }).count()).toBe(4)
    },
    { timeoutMs: 45_000 },
  )
  await keepScreen(portal, 'walk-6-replayed')
  const { body } = await posthorn.call('GET', '/receiver/shop')
  const last = body.requests.slice(0, 3) as { verified: boolean; body: string }[]
  expect(last.map(({ verified }) => verified)).toEqual([true, true, true])
  expect(new Set(last.map((one) => JSON.parse(one.body).orderId)).size).toBe(3)
  await operator.leave()
  await customer.leave()
}, 240_000)
