/** The portal as an operator sets it: at an address of its own, framed by pages of other sites. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase } from '@posthorn/testing/databases'
import { startTestPortal, type Tenant, type TestPortal } from '../portal.fixture.ts'

const PORTAL_URL = 'https://portal.example.com'
const SECRET = 'a secret that is known to the operator alone'
const PARENT = 'https://app.example.org'
const FRAMED = `frame-ancestors ${PARENT} https://*.example.net`

let portal: TestPortal
let tenant: Tenant
let sessions = ''
beforeAll(async () => {
  const store = await createTestDatabase()
  portal = await startTestPortal(store, store.url, {
    settings: {
      PORTAL_URL: `${PORTAL_URL}/`,
      SUBACCOUNT_JWT_SECRET: SECRET,
      SUBACCOUNT_CROSS_SITE_EMBED: true,
      SUBACCOUNT_ALLOWED_FRAME_ANCESTORS: [PARENT, 'https://*.example.net'],
    },
  })
  tenant = await portal.addTenant()
  const made = await tenant.call('POST', '/sub-accounts', { externalId: 'customer' })
  sessions = `/sub-accounts/${made.body.id}/sessions`
})
afterAll(async () => await portal.close())

const mint = async () => (await tenant.call('POST', sessions, { returnURL: `${PARENT}/back` })).body

function exchange(token: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${portal.url}/sub-account-api/auth/exchange`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close', ...headers },
    body: JSON.stringify({ token }),
  })
}

test('links lead to the portal’s own address, from whose pages they are opened', async () => {
  const { token, url } = await mint()
  expect(url).toBe(`${PORTAL_URL}/portal/${token}`)
  expect((await exchange(token, { Origin: PARENT })).status).toBe(403)
  expect((await exchange(token, { Origin: PORTAL_URL })).status).toBe(200)
})

test('the operator’s own secret signs, as any library would', async () => {
  const { token } = await mint()
  const [header, payload, signature] = token.split('.')
  const key = await crypto.subtle.importKey(
    'raw',
    Buffer.from(SECRET),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = Buffer.from(`${header}.${payload}`)
  const given = Buffer.from(signature, 'base64url')
  expect(await crypto.subtle.verify('HMAC', key, given, signed)).toBe(true)
})

test('the cookie lives in a frame of another site, and in its own partition', async () => {
  const [cookie = ''] = (await exchange((await mint()).token)).headers.getSetCookie()
  expect(cookie).toMatch(
    /; Path=\/sub-account-api; Max-Age=\d+; HttpOnly; SameSite=None; Secure; Partitioned$/,
  )
})

test('every answer names who may frame it, and no header forbids it', async () => {
  const { url } = await mint()
  const page = await fetch(portal.url + new URL(url).pathname, { headers: { Connection: 'close' } })
  // It is longer where the pages are built.
  const policy = page.headers.get('content-security-policy')?.split('; ') ?? []
  expect([policy[0], policy.includes(FRAMED)]).toEqual(["default-src 'none'", true])
  const refused = await exchange('x')
  expect(refused.headers.get('content-security-policy')).toBe(FRAMED)
  for (const { headers } of [page, refused]) expect(headers.has('x-frame-options')).toBe(false)
})
