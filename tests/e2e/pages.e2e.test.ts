/**
 * The web pages in a real browser, against the product that test files share: each screen in light
 * and dark, without a breach of its policy, a request elsewhere or a barrier that axe knows; and
 * people's ways through them. With WRITE_SCREENS=1 the screens are kept in docs/screens.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startChromium } from '@posthorn/testing/chromium'
import { findBarriers, type PageWatch, watchPages } from '@posthorn/testing/page-watch'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { keepScreen, typeOver } from './browsing.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

type Browser = Awaited<ReturnType<typeof startChromium>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type Page = Awaited<ReturnType<Context['newPage']>>

const PATIENCE_MS = 45_000
const RETURN_URL = 'https://shop.example.com/webhooks'

let posthorn: SharedProduct
let receiver: Receiver
let browser: Browser
const ids = { dead: '', endpoint: '', subAccount: '' }

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

async function call(method: string, path: string, body?: unknown, key?: string): Promise<string> {
  const headers: Record<string, string> = key === undefined ? {} : { 'X-Idempotency-Key': key }
  const answer = await posthorn.call(method, path, body as object, headers)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.id as string
}

/** A workspace as one that is in use looks: what works, what fails, and what is dead. */
async function fill(): Promise<void> {
  receiver.answer(({ path }) =>
    path === '/orders'
      ? { status: 200, body: '{"ok":true}' }
      : { status: 503, body: 'maintenance' },
  )
  for (const name of ['order.paid', 'order.refunded', 'user.created']) {
    const schema = { type: 'object', properties: { orderId: { type: 'string' } } }
    await call('POST', '/api/v1/event-types', { name, description: 'Of the shop', schema })
  }
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  ids.endpoint = await call('POST', '/api/v1/endpoints', shop)
  const retries = { maxRetries: 2, retryBackoffMs: 100, circuitThreshold: 0 }
  await call('POST', '/api/v1/endpoints', {
    url: `${receiver.url}/warehouse`,
    eventTypes: ['user.created'],
    description: 'Warehouse',
    ...retries,
  })
  for (let n = 1; n <= 12; n += 1) {
    const eventType = n % 2 === 0 ? 'order.paid' : 'order.refunded'
    await call('POST', '/api/v1/events', { eventType, payload: { orderId: `o_${n}` } }, `o-${n}`)
  }
  const created = { eventType: 'user.created', payload: { email: '<img src=x onerror=alert(1)>' } }
  ids.dead = await call('POST', '/api/v1/events', created, 'u-1')
  const account = { externalId: 'customer-42', name: 'Ada & Co', metadata: { tier: 'gold' } }
  ids.subAccount = await call('POST', '/api/v1/sub-accounts', account)
}

interface Opened {
  context: Context
  page: Page
  watch: PageWatch
}

/** A browser of somebody who is signed in, unless they are a stranger. */
async function open(
  options: { dark?: boolean; narrow?: boolean; stranger?: boolean } = {},
): Promise<Opened> {
  const context = await browser.newContext({
    baseURL: posthorn.url,
    colorScheme: options.dark === true ? 'dark' : 'light',
    viewport: options.narrow === true ? { width: 320, height: 640 } : { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const watch = await watchPages(context, posthorn.url)
  if (options.stranger !== true) {
    const data = { apiKey: posthorn.apiKey }
    expect((await context.request.post('/auth/session', { data })).status()).toBe(201)
  }
  return { context, page: await context.newPage(), watch }
}

/** Each screen, and a text that is there once it is whole. */
function screens(): [name: string, path: string, text: string, stranger?: true][] {
  return [
    ['login', '/login', 'Sign in with a passkey', true],
    ['signup', '/signup', 'Make the workspace', true],
    ['reset', '/reset', 'Send a link', true],
    ['home', '/dashboard', 'Endpoints that fail'],
    ['events', '/dashboard/events', 'order.paid'],
    ['event', `/dashboard/events/${ids.dead}`, 'The receiver failed.'],
    ['deliveries', '/dashboard/deliveries', '/orders'],
    ['endpoints', '/dashboard/endpoints', 'Warehouse'],
    ['endpoint', `/dashboard/endpoints/${ids.endpoint}`, 'order.refunded'],
    ['endpoint-settings', `/dashboard/endpoints/${ids.endpoint}?tab=settings`, 'Save'],
    ['new-endpoint', '/dashboard/endpoints/new', 'Make the endpoint'],
    ['event-types', '/dashboard/event-types', 'user.created'],
    ['inbound', '/dashboard/inbound', 'No inbound URLs yet'],
    ['sub-accounts', '/dashboard/sub-accounts', 'Ada & Co'],
    ['sub-account', `/dashboard/sub-accounts/${ids.subAccount}`, 'No links yet'],
    ['keys', '/dashboard/keys', 'may do everything'],
    ['team', '/dashboard/team', 'What roles may do'],
    ['settings', '/dashboard/settings', 'self_hosted'],
  ]
}

async function show(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path)
  await page.getByText(text).first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

test.each(['light', 'dark'])(
  'every screen keeps its policy, stays on its origin and has no barriers (%s)',
  async (appearance) => {
    const dark = appearance === 'dark'
    const barriers: string[] = []
    const member = await open({ dark })
    const stranger = await open({ dark, stranger: true })
    for (const [name, path, text, isPublic] of screens()) {
      const { page } = isPublic === true ? stranger : member
      await show(page, path, text)
      barriers.push(...(await findBarriers(page)).map((one) => `${name}: ${one}`))
      await keepScreen(page, `${name}-${appearance}`)
    }
    expect(barriers).toEqual([])
    expect([...member.watch.faults, ...stranger.watch.faults]).toEqual([])
    await Promise.all([member.context.close(), stranger.context.close()])
  },
  300_000,
)

test('no screen is wider than a phone of 320 pixels', async () => {
  const { context, page } = await open({ narrow: true })
  const tooWide: string[] = []
  for (const [name, path, text, isPublic] of screens()) {
    if (isPublic === true) continue
    await show(page, path, text)
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (width > 320) tooWide.push(`${name}: ${width}`)
  }
  expect(tooWide).toEqual([])
  await keepScreen(page, 'phone')
  await context.close()
}, 180_000)

test('what is put into a page is not run', async () => {
  const { context, page, watch } = await open({ stranger: true })
  await show(page, '/login', 'Sign in with a passkey')
  await page
    .evaluate(`
    document.head.append(Object.assign(document.createElement('style'), { textContent: 'p{}' }))
    document.body.insertAdjacentElement('beforeend', document.createElement('p')).setAttribute('style', 'color:red')
    try { document.body.innerHTML = '<p>' } catch (error) { noteBreach('threw: ' + error.name) }
    document.head.append(Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' }))
  `)
    .catch(() => undefined)
  await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
  const breaches = watch.faults.join('\n')
  expect(breaches).toMatch(/policy: style-src-elem/)
  expect(breaches).toMatch(/policy: style-src-attr/)
  expect(breaches).toMatch(/policy: require-trusted-types-for/)
  expect(breaches).toMatch(/threw: TypeError/)
  await context.close()
}, 90_000)

test('an endpoint is made, tested and its event opened, by keyboard alone', async () => {
  const { context, page, watch } = await open()
  await show(page, '/dashboard/endpoints/new', 'Make the endpoint')
  await page.getByLabel('URL').focus()
  await page.keyboard.type(`${receiver.url}/orders`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.waitForURL(/endpoints\/[0-9a-f-]{36}$/)
  await page.getByRole('button', { name: 'Send a test' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'delivered' }).waitFor()
  await page.getByText('Delivered to 1 of 1.').waitFor()

  await page.goto('/dashboard/events?status=delivered')
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/events\/[0-9a-f-]{36}$/)
  await page.goBack()
  await page.waitForURL(/events\?status=delivered$/)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  expect(watch.faults).toEqual([])
  await context.close()
}, 150_000)

test('a dead event is understood, edited and arrives; its payload is only text', async () => {
  const { context, page, watch } = await open()
  await show(page, `/dashboard/events/${ids.dead}`, 'The receiver failed.')
  await page.getByText('Nothing more happens until it is replayed').waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()
  expect(await page.locator('img').count()).toBe(0)
  await page.getByText('Request and response').first().click()
  await page.getByText('maintenance').first().waitFor()
  receiver.answer({ status: 200 })
  await page.getByRole('button', { name: 'Edit and replay' }).click()
  await typeOver(page, 'Payload', '{"email":"ada@example.com"}')
  await page.getByLabel('What changes').getByText('ada@example.com').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Replay with this payload' }).click()
  await page.getByText('Delivered to 1 of 1.').waitFor()
  expect(receiver.requests.at(-1)?.rawBody.toString()).toContain('ada@example.com')
  expect(watch.faults).toEqual([])
  await context.close()
}, 120_000)

test('a portal link opens once, leaves no token, and a customer makes an endpoint there', async () => {
  const minted = await posthorn.call('POST', `/api/v1/sub-accounts/${ids.subAccount}/sessions`, {
    returnURL: RETURN_URL,
  })
  const path = new URL(minted.body.url as string).pathname
  const { context, page, watch } = await open({ stranger: true })
  await page.goto(path)
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/portal/-')
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'portal-empty')
  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  await page.getByLabel('URL').fill(`${receiver.url}/customer`)
  await page.getByRole('button', { name: 'Make the endpoint' }).click()
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await page.getByText('Keep it now').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'portal-secret')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Delivered to 1 of 1.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'portal-event')
  await page.reload()
  await page.getByText('Delivered to 1 of 1.').waitFor()

  const other = await open({ stranger: true })
  await other.page.route(`${RETURN_URL}**`, (route) => route.fulfill({ body: 'back' }))
  await other.page.goto(path)
  await other.page.waitForURL(
    `${RETURN_URL}?subAccountId=${ids.subAccount}&reason=ALREADY_CONSUMED`,
  )
  expect(watch.faults).toEqual([])
  await Promise.all([context.close(), other.context.close()])
}, 150_000)
