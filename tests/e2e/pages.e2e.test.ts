/**
 * The web pages in a real browser, against the product that test files share: each screen in light
 * and dark, without a breach of its policy, a request elsewhere or a barrier that axe knows; and
 * people's ways through them. With WRITE_SCREENS=1 the screens are kept in docs/screens.
 */
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, type Browsing, keepScreen, PATIENCE_MS, show, typeOver } from './browsing.ts'
import { testScreens } from './screens.ts'

const RETURN_URL = 'https://shop.example.com/webhooks'

const ids = { dead: '', endpoint: '', subAccount: '' }
const browsing = browseWith(fill)

/** A workspace as one that is in use looks: what works, what fails, and what is dead. */
async function fill({ posthorn, receiver, must }: Browsing): Promise<void> {
  receiver.answer(({ path }) =>
    path === '/orders'
      ? { status: 200, body: '{"ok":true}' }
      : { status: 503, body: 'maintenance' },
  )
  for (const name of ['order.paid', 'order.refunded', 'user.created']) {
    const schema = { type: 'object', properties: { orderId: { type: 'string' } } }
    await must('POST', '/api/v1/event-types', { name, description: 'Of the shop', schema })
  }
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  ids.endpoint = (await must('POST', '/api/v1/endpoints', shop)).id
  const retries = { maxRetries: 2, retryBackoffMs: 100, circuitThreshold: 0 }
  await must('POST', '/api/v1/endpoints', {
    url: `${receiver.url}/warehouse`,
    eventTypes: ['user.created'],
    description: 'Warehouse',
    ...retries,
  })
  for (let n = 1; n <= 12; n += 1) {
    const eventType = n % 2 === 0 ? 'order.paid' : 'order.refunded'
    await posthorn.send({ eventType, payload: { orderId: `o_${n}` } })
  }
  const created = { eventType: 'user.created', payload: { email: '<img src=x onerror=alert(1)>' } }
  ids.dead = (await posthorn.send(created)).id
  const account = { externalId: 'customer-42', name: 'Ada & Co', metadata: { tier: 'gold' } }
  ids.subAccount = (await must('POST', '/api/v1/sub-accounts', account)).id
  const isDead = async () => expect((await posthorn.event(ids.dead)).status).toBe('dead')
  await eventually(isDead, { timeoutMs: PATIENCE_MS })
}

testScreens(browsing, () => [
  { name: 'login', path: '/login', text: 'Sign in with a passkey', isPublic: true },
  { name: 'signup', path: '/signup', text: 'Make the workspace', isPublic: true },
  { name: 'reset', path: '/reset', text: 'Send a link', isPublic: true },
  { name: 'home', path: '/dashboard', text: 'Endpoints that fail', onPhone: true },
  { name: 'events', path: '/dashboard/events', text: 'order.paid', onPhone: true },
  {
    name: 'event',
    path: `/dashboard/events/${ids.dead}`,
    text: 'The receiver failed.',
    onPhone: true,
  },
  { name: 'deliveries', path: '/dashboard/deliveries', text: '/orders' },
  { name: 'endpoints', path: '/dashboard/endpoints', text: 'Warehouse' },
  { name: 'endpoint', path: `/dashboard/endpoints/${ids.endpoint}`, text: 'order.refunded' },
  {
    name: 'endpoint-settings',
    path: `/dashboard/endpoints/${ids.endpoint}?tab=settings`,
    text: 'Save',
    onPhone: true,
  },
  { name: 'new-endpoint', path: '/dashboard/endpoints/new', text: 'Make the endpoint' },
  { name: 'event-types', path: '/dashboard/event-types', text: 'user.created' },
  { name: 'inbound', path: '/dashboard/inbound', text: 'No inbound URLs yet' },
  { name: 'sub-accounts', path: '/dashboard/sub-accounts', text: 'Ada & Co' },
  {
    name: 'sub-account',
    path: `/dashboard/sub-accounts/${ids.subAccount}`,
    text: 'No links yet',
  },
  { name: 'portal-look', path: '/dashboard/sub-accounts?tab=look', text: 'Links and buttons' },
  { name: 'keys', path: '/dashboard/keys', text: 'may do everything' },
  { name: 'team', path: '/dashboard/team', text: 'What roles may do' },
  { name: 'settings', path: '/dashboard/settings', text: 'self_hosted', onPhone: true },
])

test('what is put into a page is not run', async () => {
  const { context, page, watch } = await browsing().open({ apiKey: null })
  await show(page, '/login', 'Sign in with a passkey')
  await page
    .evaluate(`
    document.head.append(Object.assign(document.createElement('style'), { textContent: 'p{}' }))
    document.body.insertAdjacentElement('beforeend', document.createElement('p')).setAttribute('style', 'color:red')
    try { document.body.innerHTML = '<p>' } catch (error) { noteBreach('threw: ' + error.name) }
    document.head.append(Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' }))
  `)
    .catch(() => undefined)
  await eventually(() => {
    const breaches = watch.faults.join('\n')
    expect(breaches).toMatch(/policy: style-src-elem/)
    expect(breaches).toMatch(/policy: style-src-attr/)
    expect(breaches).toMatch(/policy: require-trusted-types-for/)
    expect(breaches).toMatch(/threw: TypeError/)
  })
  await context.close()
}, 90_000)

test('an endpoint is made, tested and its event opened, by keyboard alone', async () => {
  const { receiver, open } = browsing()
  const { page, leave } = await open()
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
  await leave()
}, 150_000)

test('a dead event is understood, edited and arrives; its payload is only text', async () => {
  const { receiver, open } = browsing()
  const { page, leave } = await open()
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
  const bodies = receiver.requests.map(({ rawBody }) => rawBody.toString())
  expect(bodies.join('\n')).toContain('ada@example.com')
  await leave()
}, 120_000)

test('a portal link opens once, leaves no token, and a customer makes an endpoint there', async () => {
  const { posthorn, receiver, open } = browsing()
  const minted = await posthorn.call('POST', `/api/v1/sub-accounts/${ids.subAccount}/sessions`, {
    returnURL: RETURN_URL,
  })
  const path = new URL(minted.body.url as string).pathname
  const { page, leave } = await open({ apiKey: null })
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

  const other = await open({ apiKey: null })
  await other.page.route(`${RETURN_URL}**`, (route) => route.fulfill({ body: 'back' }))
  await other.page.goto(path)
  await other.page.waitForURL(
    `${RETURN_URL}?subAccountId=${ids.subAccount}&reason=ALREADY_CONSUMED`,
  )
  await leave()
  // Its way back is to another origin.
  await other.context.close()
}, 150_000)

/** `--text` of a light page. */
const LIGHT_TEXT = 'rgb(20, 24, 31)'

test('the look of the portal is previewed, refused where nobody could read it, and worn', async () => {
  const { posthorn, must, open } = browsing()
  const { page, leave } = await open()
  await page.emulateMedia({ colorScheme: 'dark' })
  await show(page, '/dashboard/sub-accounts?tab=look', 'Links and buttons')
  const preview = page.locator('.look')
  // Light is light, also for somebody whose own pages are dark.
  const text = await page.evaluate("getComputedStyle(document.querySelector('.look')).color")
  expect([await page.getByLabel('Cards').inputValue(), text]).toEqual(['#ffffff', LIGHT_TEXT])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByLabel('Name').fill('Acme Shop')
  await preview.getByText('Acme Shop').waitFor()
  await page.getByLabel('Links and buttons').fill('#9acd32')
  await page.getByText(/^“Links and buttons” on “Cards” has a contrast of 1\.\d+/).waitFor()
  const save = page.getByRole('button', { name: 'Save' })
  await save.and(page.getByTitle('Some text could not be read.')).waitFor()
  await page.getByLabel('Links and buttons').fill('#0a6b4f')
  await page
    .getByText(/has a contrast of/)
    .first()
    .waitFor({ state: 'detached' })
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'portal-look-own')
  await save.click()
  await page.getByText('Saved.').waitFor()
  const settings = await must('GET', '/api/v1/sub-account-settings')
  expect(settings.theme).toMatchObject({
    brandName: 'Acme Shop',
    light: { '--accent-main-900': '#0a6b4f', '--bg-000': '#ffffff' },
    dark: null,
  })
  const path = `/api/v1/sub-accounts/${ids.subAccount}/sessions`
  const minted = await posthorn.call('POST', path, { returnURL: RETURN_URL })
  const customer = await open({ apiKey: null })
  await customer.page.goto(new URL(minted.body.url as string).pathname)
  await customer.page.getByText('Acme Shop').waitFor()
  await customer.leave()
  await leave()
}, 120_000)
