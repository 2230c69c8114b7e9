/**
 * The pages that count what happens, in a real browser: home, analytics, and the charts of one
 * endpoint and of a customer. With WRITE_SCREENS=1 their screens are kept in docs/screens.
 */
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, keepScreen, show } from './browsing.ts'
import { openShopOfADay, plantDay } from './plant-day.ts'
import { testScreens } from './screens.ts'

const ids = { endpoint: '' }

type Page = Awaited<ReturnType<ReturnType<typeof browsing>['open']>>['page']

const browsing = browseWith(async (all) => {
  ids.endpoint = await openShopOfADay(all)
})

testScreens(browsing, () => [
  { name: 'home-busy', path: '/dashboard', text: 'The last 24 hours', onPhone: true },
  { name: 'analytics', path: '/dashboard/analytics', text: 'Throughput', onPhone: true },
  {
    name: 'endpoint-charts',
    path: `/dashboard/endpoints/${ids.endpoint}?tab=charts`,
    text: 'Throughput',
  },
])

test('home counts by itself, each second', async () => {
  const { receiver, open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard', 'Endpoints that fail')
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByRole('link', { name: `${receiver.url}/orders` }).waitFor()
  await leave()
}, 90_000)

test('a chart is zoomed by pointer and by keys, its table is what the API says', async () => {
  const { must, open } = browsing()
  const { page, leave } = await open()
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
  const outcomes = await must('GET', `/api/v1/analytics/outcomes?${query}`)
  await attempts.getByText('As a table').click()
  await eventually(async () => {
    const cells = await attempts.locator('tbody td').allTextContents()
    const counts = outcomes.data as { success: number; failure: number; timeout: number }[]
    expect(cells.map(Number)).toEqual(
      counts.flatMap(({ success, failure, timeout }) => [success, failure, timeout]),
    )
  })

  const chart = attempts.getByRole('slider')
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await eventually(async () =>
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/Success \d+, Failure \d+/),
  )
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('from') !== from)
  const again = new URL(page.url()).searchParams
  expect(again.get('to')).toBe(to)
  expect(Date.parse(to) - Date.parse(again.get('from') ?? '')).toBe(3 * 3_600_000)

  await page.goBack()
  await page.waitForURL((url) => url.searchParams.get('from') === from)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.waitForURL((url) => !url.searchParams.has('from'))
  const [sent] = (await must('GET', '/api/v1/events')).data
  await openHourOf(page, chart, Date.parse(sent.createdAt))
  await page.getByText('/orders').first().waitFor()
  await leave()
}, 180_000)

/**
 * Opens the deliveries of an hour from a chart of a day: of the last one, or of the one before
 * where an hour has ended since then.
 */
async function openHourOf(
  page: Page,
  chart: ReturnType<Page['locator']>,
  at: number,
): Promise<void> {
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.waitForURL(/deliveries\?start=.*&end=/)
  if (Date.parse(new URL(page.url()).searchParams.get('start') ?? '') <= at) return
  await page.goBack()
  await page.waitForURL(/analytics/)
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.waitForURL(/deliveries\?start=.*&end=/)
}

test('a customer has charts in the portal, of all and of one endpoint', async () => {
  const { posthorn, receiver, must, open } = browsing()
  const account = await must('POST', '/api/v1/sub-accounts', { externalId: 'customer-7' })
  const shop = { url: `${receiver.url}/customer`, eventTypes: ['*'], description: 'Their shop' }
  const acting = { 'X-Sub-Account-ID': account.id }
  const made = await posthorn.call('POST', '/api/v1/endpoints', shop, acting)
  const { databaseUrl } = posthorn
  const whose = { tenantId: account.id, projectId: null, endpointId: made.body.id as string }
  await plantDay({ databaseUrl, ...whose })
  const minted = await posthorn.call('POST', `/api/v1/sub-accounts/${account.id}/sessions`, {
    returnURL: 'https://shop.example.com/webhooks',
  })
  const { page, leave } = await open({ apiKey: null })
  await page.goto(new URL(minted.body.url as string).pathname)
  await page.getByRole('link', { name: 'Charts' }).click()
  await page.getByText('Attempts', { exact: true }).waitFor()
  await page.locator('.chart canvas').nth(2).waitFor()
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
  await page.locator('.chart canvas').nth(2).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await leave()
}, 120_000)

test('the charts speak German', async () => {
  const { open } = browsing()
  const { page, leave } = await open({ locale: 'de-DE' })
  await show(page, '/dashboard/analytics', 'Durchsatz')
  await keepScreen(page, 'analytics-german')
  await leave()
}, 90_000)
