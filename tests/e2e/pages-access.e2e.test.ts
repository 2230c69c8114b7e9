/**
 * The pages of who may come in, and of what is whose, in a real browser: projects, single sign-on,
 * provisioning, security and billing. With WRITE_SCREENS=1 their screens are kept in docs/screens.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { openPool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, type Browsing, keepScreen, show } from './browsing.ts'
import { oneTimeCode } from './one-time-code.ts'
import { testScreens } from './screens.ts'

const ids = { endpoint: '' }
const browsing = browseWith(fill)

async function fill({ receiver, must }: Browsing): Promise<void> {
  const shop = {
    url: `${receiver.url}/orders`,
    eventTypes: ['order.*'],
    description: 'Back office',
  }
  ids.endpoint = (await must('POST', '/api/v1/endpoints', shop)).id
  await must('POST', '/api/v1/projects', { name: 'Rehearsal', environment: 'staging' })
  await must('POST', '/api/v1/sso/domains', { domain: 'example.com' })
  await must('POST', '/api/v1/sso/connections', {
    type: 'oidc',
    name: 'Okta',
    domains: ['example.com'],
    oidc: { issuer: 'https://example.okta.com', clientId: '0oa1b2c3', clientSecret: 'a-secret' },
  })
  await must('POST', '/api/v1/scim-tokens', { name: 'Okta' })
}

testScreens(browsing, () => [
  { name: 'projects', path: '/dashboard/projects', text: 'Rehearsal' },
  { name: 'billing', path: '/dashboard/billing', text: 'Nothing is sold here.' },
  { name: 'sso', path: '/dashboard/sso', text: 'waits for its record' },
  { name: 'provisioning', path: '/dashboard/sso?tab=provisioning', text: 'never used' },
  {
    name: 'security',
    path: '/dashboard/settings?tab=security',
    text: 'Each member decides for themselves.',
  },
])

test('a project is made, renamed and deleted; the default one stays', async () => {
  const { open } = browsing()
  const { page, leave } = await open()
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
  await fixed.and(page.getByTitle('The default project stays.')).waitFor()
  await leave()
}, 90_000)

test('a project is chosen, stays from screen to screen, and confines what is shown and made', async () => {
  const { receiver, must, open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard/endpoints', 'Back office')
  const chooser = page.getByRole('button', { name: /^Project: / })
  await chooser.click()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'project-switch')
  await page.getByRole('menuitemradio', { name: 'Rehearsal' }).click()
  await page.waitForURL(/endpoints\?project=/)
  await page.getByText('No endpoints yet').waitFor()
  const rehearsal = new URL(page.url()).searchParams.get('project')
  await page.getByRole('link', { name: 'New endpoint' }).click()
  await page.getByLabel('URL').fill(`${receiver.url}/rehearsal`)
  await page.getByRole('button', { name: 'Make the endpoint' }).click()
  await page.waitForURL(new RegExp(`endpoints/[0-9a-f-]{36}\\?project=${rehearsal}$`))
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Delivered to 1 of 1.').waitFor()
  const { data } = await must('GET', '/api/v1/endpoints')
  const made = (data as { id: string; url: string; projectId: string }[]).find(({ url }) =>
    url.endsWith('/rehearsal'),
  )
  expect(made?.projectId).toBe(rehearsal)

  await page.getByRole('link', { name: 'Events', exact: true }).first().click()
  await page.getByRole('row').filter({ hasText: 'endpoint.test' }).waitFor()
  await page.goto(`/dashboard/endpoints/${made?.id ?? ''}?project=${rehearsal}`)
  await page.getByRole('heading', { name: '/rehearsal' }).waitFor()
  await chooser.click()
  await page.getByRole('menuitemradio', { name: 'All projects' }).click()
  await page.waitForURL(/endpoints$/)
  await page.getByText('Back office').waitFor()
  await page.getByText('/rehearsal').first().waitFor()
  await leave()
}, 120_000)

test('a domain gets its record, a provider its values, and enforcing wants an admin', async () => {
  const { open } = browsing()
  const { page, leave } = await open()
  await show(page, '/dashboard/sso', 'example.com')
  const domain = `${randomUUID()}.example`
  await page.getByLabel('Domain').fill(domain)
  await page.getByRole('button', { name: 'Add the domain' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: domain })
  await entry.getByLabel('TXT record').waitFor()
  await entry.getByRole('button', { name: 'Look for it now' }).click()
  // A name server says that it has none, or there is no name server to ask.
  await entry.getByRole('status').or(entry.getByRole('alert')).waitFor()
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
  await leave()
}, 120_000)

test('a token of provisioning is shown once, works, and is revoked', async () => {
  const { posthorn, open } = browsing()
  const { page, leave } = await open()
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
  await leave()
}, 90_000)

test('whoever only reads is told why', async () => {
  const { posthorn, open } = browsing()
  const made = await posthorn.call('POST', '/api/v1/api-keys', {
    name: 'reader',
    scopes: ['endpoints:read', 'events:read', 'projects:read', 'billing:read', 'account:read'],
  })
  const { key } = made.body
  const { page, leave } = await open({ apiKey: key })
  await show(page, '/dashboard/projects', 'Rehearsal')
  const button = page.getByRole('button', { name: 'New project' })
  await button.and(page.getByTitle(/projects:write/)).waitFor()
  await show(page, `/dashboard/endpoints/${ids.endpoint}?tab=transformation`, 'endpoints:write')
  await show(page, '/dashboard/sso', 'FORBIDDEN')
  await page.getByText('request').first().waitFor()
  await leave()
}, 90_000)

test('a person sets up a second factor, and renews the recovery codes', async () => {
  const { posthorn, open } = browsing()
  const { context, page, leave } = await open({ apiKey: null })
  const account = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const data = { ...account, companyName: 'Widgets' }
  expect((await context.request.post('/auth/signup', { data })).status()).toBe(201)
  expect((await context.request.post('/auth/login', { data: account })).status()).toBe(200)
  await show(page, '/dashboard/settings?tab=you', 'Only your password is asked for.')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Get a secret' }).click()
  const secret = ((await page.getByLabel('Secret', { exact: true }).textContent()) ?? '').trim()
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'second-factor')
  await page.getByLabel('The six digits that the app shows').fill(oneTimeCode(secret))
  await page.getByRole('button', { name: 'Activate' }).click()
  const codes = page.getByRole('dialog').getByLabel('Recovery codes', { exact: true }).last()
  const first = await codes.textContent()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('A code of your app is asked for after the password.').waitFor()
  await keepScreen(page, 'security-you')
  await forgetCodes(posthorn.databaseUrl, account.email)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByLabel('The six digits that the app shows').fill(oneTimeCode(secret))
  await page.getByRole('button', { name: 'Make new ones' }).click()
  await page.getByText('Keep them now').waitFor()
  const second = await codes.textContent()
  expect(second).not.toBe(first)
  expect(await findBarriers(page)).toEqual([])
  await leave()
}, 120_000)

/** A code counts once, and the next one comes in half a minute: the last may be used once more. */
async function forgetCodes(databaseUrl: string, email: string): Promise<void> {
  const pool = openPool({ url: databaseUrl, max: 1, name: 'test', onError: () => {} })
  await pool.query('UPDATE users SET totp_last_step = 0 WHERE email = $1', [email])
  await pool.end()
}
