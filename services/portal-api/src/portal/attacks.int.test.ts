/** What somebody tries who has a link, a cookie, or neither. */
import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { createPortalTokens } from '@posthorn/http/portal-tokens'
import { other, portal, tenant, usePortal } from '../portal.fixture.ts'
import {
  addSubAccount,
  cookieOf,
  exchange,
  mint,
  openPortal,
  send,
  withCookie,
} from './portal-client.fixture.ts'

usePortal()

let id = ''
beforeEach(async () => {
  id = await addSubAccount('customer')
})

const NAME = 'service_sub_account_session'
const UNKNOWN = { status: 401, body: { code: 'UNAUTHORIZED' } }
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const tokenOf = (cookie: string) => cookie.slice(NAME.length + 1)

/** Signs as the service does. */
function sign(claims: object): string {
  return createPortalTokens(portal.seal.deriveKeys('sub-account sessions'), Date.now).sign(
    claims as never,
  )
}

/** A token of any shape, with a signature of ours. */
function forge(header: object, claims: object): string {
  const [key = ''] = portal.seal.deriveKeys('sub-account sessions')
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

async function consumed(): Promise<boolean[]> {
  const { rows } = await portal.pool.query(
    `SELECT consumed_at IS NOT NULL AS c FROM sub_account_sessions
     WHERE tenant_id = $1 ORDER BY id`,
    [id],
  )
  return rows.map(({ c }) => c)
}

test('a link’s token is no cookie, and a cookie’s no link’s', async () => {
  const { token } = await mint(id)
  expect(await withCookie(`${NAME}=${token}`)('GET', '/session')).toMatchObject(UNKNOWN)
  expect(await consumed()).toEqual([false])
  const client = await openPortal(id)
  expect(await exchange(tokenOf(client.cookie))).toMatchObject(UNKNOWN)
})

test('a session that was not opened has no cookie that works', async () => {
  const { token } = await mint(id)
  const cookie = `${NAME}=${sign({ ...claimsOf(token), aud: 'session' })}`
  expect((await withCookie(cookie)('GET', '/session')).body.code).toBe('SESSION_EXPIRED')
})

test('the cookie of one session opens no other’s link for it', async () => {
  const [first, second] = [await openPortal(id), await mint(id)]
  const again = await exchange(first.token, { Cookie: first.cookie })
  expect(again.status).toBe(409)
  const opened = await exchange(second.token, { Cookie: first.cookie })
  expect(opened.status).toBe(200)
  expect(claimsOf(tokenOf(cookieOf(opened))).jti).toBe(second.id)
  await tenant.call('DELETE', `/sub-accounts/${id}/sessions/${second.id}`)
  expect((await withCookie(cookieOf(opened))('GET', '/session')).status).toBe(401)
  expect((await first.call('GET', '/session')).status).toBe(200)
  // The claims of one session under the signature of another.
  const [header, , signature] = tokenOf(first.cookie).split('.')
  const [, payload] = tokenOf(cookieOf(opened)).split('.')
  const spliced = `${NAME}=${header}.${payload}.${signature}`
  expect(await withCookie(spliced)('GET', '/session')).toMatchObject(UNKNOWN)
})

test('our own signature opens nothing that the registry does not have', async () => {
  const client = await openPortal(id, { scopes: ['events:read'] })
  const claims = claimsOf(tokenOf(client.cookie))
  const second = await addSubAccount('second')
  for (const changed of [
    { jti: newId() },
    { sub: second },
    { sub: other.tenantId },
    { cid: other.tenantId },
    { sub: tenant.tenantId, cid: tenant.tenantId },
  ]) {
    const cookie = `${NAME}=${sign({ ...claims, ...changed })}`
    expect(await withCookie(cookie)('GET', '/session')).toMatchObject(UNKNOWN)
    const token = sign({ ...claims, ...changed, aud: 'exchange' })
    expect(await exchange(token)).toMatchObject(UNKNOWN)
  }
  // More than the registry gave is not given, and less is less.
  const more = `${NAME}=${sign({ ...claims, scp: ['events:read', 'endpoints:read'] })}`
  expect((await withCookie(more)('GET', '/endpoints')).status).toBe(403)
  const wide = await openPortal(id)
  const less = `${NAME}=${sign({ ...claimsOf(tokenOf(wide.cookie)), scp: ['events:read'] })}`
  expect((await withCookie(less)('GET', '/endpoints')).status).toBe(403)
})

test('a token whose end has passed by a second, or that has none, is refused', async () => {
  const client = await openPortal(id)
  const minted = await mint(id)
  const exp = Math.floor(Date.now() / 1_000) - 1
  const claims = claimsOf(tokenOf(client.cookie))
  const late = `${NAME}=${sign({ ...claims, exp })}`
  expect((await withCookie(late)('GET', '/session')).body.code).toBe('SESSION_EXPIRED')
  const lateLink = sign({ ...claimsOf(minted.token), exp })
  expect((await exchange(lateLink)).body.code).toBe('SESSION_EXPIRED')
  const { exp: _, ...endless } = claims
  const cookie = `${NAME}=${forge({ alg: 'HS256' }, endless)}`
  expect(await withCookie(cookie)('GET', '/session')).toMatchObject(UNKNOWN)
  expect(await exchange(forge({ alg: 'HS256' }, { ...endless, aud: 'exchange' }))).toMatchObject(
    UNKNOWN,
  )
  expect(await consumed()).toEqual([true, false])
})

test('another algorithm is refused, whatever signs it', async () => {
  const client = await openPortal(id)
  const minted = await mint(id)
  for (const alg of ['none', 'HS512', 'RS256', 'hs256']) {
    const cookie = `${NAME}=${forge({ alg }, claimsOf(tokenOf(client.cookie)))}`
    expect(await withCookie(cookie)('GET', '/session')).toMatchObject(UNKNOWN)
    expect(await exchange(forge({ alg }, claimsOf(minted.token)))).toMatchObject(UNKNOWN)
  }
  expect(await consumed()).toEqual([true, false])
})

test('nothing but a POST from our own origin takes a link', async () => {
  const { token } = await mint(id)
  const path = '/sub-account-api/auth/exchange'
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
    const refused = await send(method, `${path}?token=${token}`)
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('POST, OPTIONS')
  }
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])
    expect((await exchange(token, headers)).status).toBe(403)
  expect((await send('POST', path, `token=${token}`)).status).toBe(400)
  expect((await send('POST', `${path}?token=${token}`, {})).status).toBe(400)
  expect(await consumed()).toEqual([false])
  const ours = { Origin: 'https://hooks.example.com', 'Sec-Fetch-Site': 'same-origin' }
  expect((await exchange(token, ours)).status).toBe(200)
})

test.each([
  [1],
  [null],
  [''],
  ['x'],
  ['a.b.c'],
  ['x'.repeat(2_049)],
  [{ toString: 'x' }],
  [['a']],
  ['\u0000'],
])('the token %j is refused', async (token) => {
  const { status } = await exchange(token)
  expect([400, 401]).toContain(status)
})

test('an error tells neither token nor cookie, and neither does the log', async () => {
  const client = await openPortal(id)
  const minted = await mint(id)
  const answers = [
    await exchange(client.token),
    await client.call('GET', `/endpoints/${client.token}`),
    await client.call('POST', '/endpoints', { url: client.cookie }),
    await send('GET', `/portal/${minted.token}/more`),
    await send('GET', `/portal/${minted.token}%`),
    await send('DELETE', `/portal/${minted.token}`),
  ]
  for (const { status } of answers) expect(status).toBeLessThan(500)
  const said = JSON.stringify([answers.map(({ body }) => body), portal.lines])
  for (const secret of [client.token, tokenOf(client.cookie), minted.token])
    expect(said).not.toContain(secret)
})
