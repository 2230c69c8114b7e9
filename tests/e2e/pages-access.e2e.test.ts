/**
 * The editors, projects, billing, single sign-on, provisioning, security and the demo receiver's
 * page in a real browser: each screen in light and dark, and people's ways through them. With
 * WRITE_SCREENS=1 the screens are kept in docs/screens.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startChromium } from '@posthorn/testing/chromium'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import {
  type Browser,
  keepScreen,
  openBrowser,
  type Opened,
  type Page,
  typeOver,
} from './browsing.ts'
import { oneTimeCode } from './one-time-code.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const SCRIPT = `function transform(event) {
  const { orderId, amount } = event.payload
  return { payload: { order: orderId, euros: amount / 100 }, headers: { 'X-Shop': 'acme' } }
}
`

let posthorn: SharedProduct
let receiver: Receiver
let browser: Browser
const name = `screen-${randomUUID().slice(0, 8)}`
const ids = { endpoint: '', type: '', event: '', project: '' }

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

async function call(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await posthorn.call(method, `/api/v1${path}`, body as object)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body.id as string
}

async function fill(): Promise<void> {
  const schema = {
    type: 'object',
    required: ['orderId', 'amount'],
    properties: {
      orderId: { type: 'string', examples: ['o_1'] },
      amount: { type: 'integer', minimum: 0 },
      currency: { enum: ['EUR', 'USD'] },
    },
  }
  const description = 'An order was paid'
  ids.type = await call('POST', '/event-types', { name: 'order.paid', description, schema })
  ids.endpoint = await call('POST', '/endpoints', {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  })
  const path = `/endpoints/${ids.endpoint}`
  await call('PATCH', path, { transformation: SCRIPT.replace('euros', 'total') })
  await call('PATCH', path, { transformation: SCRIPT, timeoutMs: 10_000 })
  for (let n = 1; n <= 8; n += 1) {
    const payload = { orderId: `o_${n}`, amount: n * 625, currency: n % 2 === 0 ? 'EUR' : 'USD' }
    ids.event = (await posthorn.send({ eventType: 'order.paid', payload })).id
  }
  ids.project = await call('POST', '/projects', { name: 'Rehearsal', environment: 'staging' })
  await call('POST', '/sso/domains', { domain: 'example.com' })
  await call('POST', '/sso/connections', {
    type: 'oidc',
    name: 'Okta',
    domains: ['example.com'],
    oidc: { issuer: 'https://example.okta.com', clientId: '0oa1b2c3', clientSecret: 'a-secret' },
  })
  await call('POST', '/scim-tokens', { name: 'Okta' })
  const url = `${posthorn.url}/receiver/${name}`
  await fetch(url, { method: 'POST', body: '{"from":"somebody else"}' })
  for (let n = 1; n <= 3; n += 1) {
    await posthorn.send({ destination: url, payload: { orderId: `o_${n}`, amount: 1250 } })
  }
  await eventually(async () => {
    expect((await posthorn.call('GET', `/receiver/${name}`)).body.requests).toHaveLength(4)
  })
}

const open = (options: { dark?: boolean; narrow?: boolean; locale?: string } = {}) =>
  openBrowser(browser, { url: posthorn.url, apiKey: posthorn.apiKey, ...options })

/** Each screen, and a text that is there once it is whole. */
function screens(): [name: string, path: string, text: string][] {
  const endpoint = `/dashboard/endpoints/${ids.endpoint}`
  return [
    ['transformation', `${endpoint}?tab=transformation`, 'It ran. What changes is marked.'],
    ['filter', `${endpoint}?tab=filter`, '8 of 8 recent events meet them.'],
    ['versions', `${endpoint}?tab=versions`, 'Version 3'],
    ['event-type', `/dashboard/event-types?open=${ids.type}`, 'An example that fits'],
    ['projects', '/dashboard/projects', 'Rehearsal'],
    ['billing', '/dashboard/billing', 'Nothing is sold here.'],
    ['sso', '/dashboard/sso', 'waits for its record'],
    ['provisioning', '/dashboard/sso?tab=provisioning', 'never used'],
    ['security', '/dashboard/settings?tab=security', 'Each member decides for themselves.'],
    ['receiver', `/receiver/${name}`, 'with the secret that ends with'],
  ]
}

async function show(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path)
  await page.getByText(text).first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

async function close({ context, watch }: Opened): Promise<void> {
  expect(watch.faults).toEqual([])
  await context.close()
}

test.each(['light', 'dark'])(
  'every screen keeps its policy, stays on its origin and has no barriers (%s)',
  async (appearance) => {
    const opened = await open({ dark: appearance === 'dark' })
    const barriers: string[] = []
    for (const [screen, path, text] of screens()) {
      await show(opened.page, path, text)
      barriers.push(...(await findBarriers(opened.page)).map((one) => `${screen}: ${one}`))
      await keepScreen(opened.page, `${screen}-${appearance}`)
    }
    expect(barriers).toEqual([])
    await close(opened)
  },
  240_000,
)

test('no screen is wider than a phone of 320 pixels, and none is without German texts', async () => {
  const opened = await open({ narrow: true, locale: 'de-DE' })
  const { page } = opened
  const tooWide: string[] = []
  for (const [screen, path] of screens()) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (width > 320) tooWide.push(`${screen}: ${width}`)
  }
  expect(tooWide).toEqual([])
  await page.goto('/dashboard/projects')
  await page.getByRole('heading', { name: 'Projekte' }).waitFor()
  await show(page, `/receiver/${name}`, 'Die Signatur, Schritt für Schritt')
  await close(opened)
}, 180_000)

test('a script is tried as one types, fails at its line, and changes what is sent', async () => {
  const opened = await open()
  const { page } = opened
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=transformation`, 'It ran.')
  const script = (text: string) => typeOver(page, 'Script', text)
  await script('function transform(event) {\n  return event.payload.a.b\n}')
  await page
    .getByText(/cannot read property 'b' of undefined/)
    .first()
    .waitFor()
  expect(await page.locator('.cm-lint-marker-error').count()).toBe(1)
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
  const requests = await receiver.waitFor((all) =>
    all.some(({ rawBody }) => rawBody.toString() === '{"order":"o_9","euros":42}'),
  )
  expect(requests.at(-1)?.headers['x-shop']).toBe('typed')
  await close(opened)
}, 120_000)

test('a filter shows what it lets through before it is saved', async () => {
  const opened = await open()
  const { page } = opened
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=filter`, 'recent events meet them.')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Field of condition 1').fill('$.currency')
  await page.getByLabel('Value of condition 1').fill('EUR')
  await page.getByText(/^4 of \d recent events meet them\.$/).waitFor()
  await page.getByText('Condition 1 found "USD".').first().waitFor()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Field of condition 2').fill('$..amount')
  await page.getByText(/has "\.\.", which is not supported/).waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).getAttribute('title')).toBe(
    'A condition is not right yet.',
  )
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
  await close(opened)
}, 120_000)

test('a former version is shown as what would change, and comes back', async () => {
  const opened = await open()
  const { page } = opened
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
  await call('PATCH', `/endpoints/${ids.endpoint}`, { transformation: SCRIPT })
  await close(opened)
}, 90_000)

test('a schema is edited with its example, and a payload is searched', async () => {
  const opened = await open()
  const { page } = opened
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
  expect(new URL(page.url()).search).toBe('')

  await page.goto(`/dashboard/events/${ids.event}`)
  await page.getByRole('button', { name: 'Search and fold' }).click()
  await page.getByPlaceholder('Find').pressSequentially('amount')
  await page.locator('.cm-searchMatch').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await close(opened)
}, 90_000)

test('a project is made, renamed and deleted; the default one stays', async () => {
  const opened = await open()
  const { page } = opened
  await show(page, '/dashboard/projects', 'Rehearsal')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name').fill('Sandbox')
  await page.getByLabel('Environment').selectOption('development')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit Sandbox' }).click()
  await page.getByLabel('Name').fill('Playground')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete Playground' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByText('Playground', { exact: true }).waitFor({ state: 'detached' })
  const fixed = page.getByRole('button', { name: 'Delete Test' })
  expect(await fixed.getAttribute('title')).toBe('The default project stays.')
  await close(opened)
}, 90_000)

test('a domain gets its record, a provider its values, and enforcing wants an admin', async () => {
  const opened = await open()
  const { page } = opened
  await show(page, '/dashboard/sso', 'example.com')
  const domain = `${randomUUID()}.example`
  await page.getByLabel('Domain').fill(domain)
  await page.getByRole('button', { name: 'Add the domain' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: domain })
  await entry.getByLabel('TXT record').waitFor()
  await entry.getByRole('button', { name: 'Look for it now' }).click()
  await entry
    .getByText(/It is not there yet|record/)
    .last()
    .waitFor()
  await page.getByRole('button', { name: 'New connection' }).click()
  await page.getByLabel('Identity provider').selectOption('keycloak')
  await page.getByText('In Keycloak: Clients').waitFor()
  await page.getByLabel('Issuer').fill('https://id.example.com/realms/main')
  await page.getByLabel('Client ID').fill('posthorn')
  await page.getByLabel('Client secret').fill('secret')
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'sso-new')
  await page.getByRole('button', { name: 'Make the connection' }).click()
  await page.getByText('Now enter these at your provider.').waitFor()
  await page
    .getByRole('dialog')
    .getByText(/\/auth\/sso\/.*\/callback$/)
    .waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  const made = page.getByRole('listitem').filter({ hasText: 'Keycloak' })
  await made.getByRole('button', { name: 'Enforce' }).click()
  await page.getByText('Invite an admin first').waitFor()
  await page.keyboard.press('Escape')
  await made.getByRole('button', { name: 'Delete Keycloak' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await made.waitFor({ state: 'detached' })
  await close(opened)
}, 120_000)

test('a token of provisioning is shown once, works, and is revoked', async () => {
  const opened = await open()
  const { page } = opened
  await show(page, '/dashboard/sso?tab=provisioning', 'never used')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Entra')
  await page.getByRole('button', { name: 'Make the token' }).click()
  const token = (await page.getByLabel('The new token', { exact: true }).last().textContent()) ?? ''
  const users = () =>
    fetch(`${posthorn.url}/scim/v2/Users`, { headers: { Authorization: `Bearer ${token.trim()}` } })
  expect((await users()).status).toBe(200)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Entra' }).filter({ hasText: 'used' })
  await entry.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await eventually(async () => expect((await users()).status).toBe(401))
  await close(opened)
}, 90_000)

test('whoever only reads is told why', async () => {
  const made = await posthorn.call('POST', '/api/v1/api-keys', {
    name: 'reader',
    scopes: ['endpoints:read', 'events:read', 'projects:read', 'billing:read', 'account:read'],
  })
  const { key } = made.body
  const opened = await openBrowser(browser, { url: posthorn.url, apiKey: key })
  const { page } = opened
  await show(page, '/dashboard/projects', 'Rehearsal')
  const button = page.getByRole('button', { name: 'New project' })
  expect(await button.getAttribute('title')).toContain('projects:write')
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=transformation`, 'endpoints:write')
  await show(page, '/dashboard/sso', 'FORBIDDEN')
  await page.getByText('request').first().waitFor()
  await close(opened)
}, 90_000)

test('a person sets up a second factor, and renews the recovery codes', async () => {
  const opened = await openBrowser(browser, { url: posthorn.url, apiKey: null })
  const { context, page } = opened
  const account = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const data = { ...account, companyName: 'Widgets' }
  expect((await context.request.post('/auth/signup', { data })).status()).toBe(201)
  expect((await context.request.post('/auth/login', { data: account })).status()).toBe(200)
  await show(page, '/dashboard/settings?tab=you', 'Only your password is asked for.')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Get a secret' }).click()
  const secret = ((await page.getByLabel('Secret', { exact: true }).textContent()) ?? '').trim()
  // The code of the step before: each counts once, and one is still needed.
  await page.getByLabel('The six digits that the app shows').fill(oneTimeCode(secret, 30))
  await page.getByRole('button', { name: 'Activate' }).click()
  const codes = page.getByRole('dialog').getByLabel('Recovery codes', { exact: true }).last()
  const first = await codes.textContent()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('A code of your app is asked for after the password.').waitFor()
  await keepScreen(page, 'security-you')
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByLabel('The six digits that the app shows').fill(oneTimeCode(secret))
  await page.getByRole('button', { name: 'Make new ones' }).click()
  await page.getByText('Keep them now').waitFor()
  const second = await codes.textContent()
  expect(second).not.toBe(first)
  expect(await findBarriers(page)).toEqual([])
  await close(opened)
}, 120_000)

test('the receiver shows what arrives live, explains it, and answers as it is told', async () => {
  const box = `live-${randomUUID().slice(0, 8)}`
  const url = `${posthorn.url}/receiver/${box}`
  const secret = (await posthorn.call('GET', '/api/v1/signing-secret')).body.signingSecret
  const opened = await openBrowser(browser, { url: posthorn.url, apiKey: null })
  const { page } = opened
  await show(page, `/receiver/${box}`, 'Nothing has arrived yet')
  expect(await findBarriers(page)).toEqual([])
  await posthorn.send({ destination: url, payload: { hello: 'receiver' } })
  await page.getByText('signature verified').waitFor()
  await page.getByText('with the secret that ends with').waitFor()
  await page.getByLabel('Secret of the endpoint').fill('whsec_of_somebody_else')
  await page.getByText('Your secret makes another signature').waitFor()
  await page.getByLabel('Secret of the endpoint').fill(secret)
  await page.getByText('Your secret makes the same signature').waitFor()
  await page.getByLabel('Status').selectOption('503')
  await page.getByRole('button', { name: 'Set' }).click()
  await page.getByText('From now on it answers 503.').waitFor()
  const { id } = await posthorn.send({ destination: url, payload: { hello: 'again' } })
  await eventually(async () => {
    expect((await posthorn.event(id)).deliveryAttempts[0]?.statusCode).toBe(503)
  })
  // The delivery is attempted again meanwhile, so there may be several such rows.
  await page.getByRole('row').filter({ hasText: '503' }).first().click()
  await page.getByText('"again"', { exact: true }).waitFor()
  const foreign = await fetch(`${url}/answer`, { method: 'POST', body: '{"status":200}' })
  expect(foreign.status).toBe(404)
  await close(opened)
}, 120_000)
