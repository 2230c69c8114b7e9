/**
 * Every route of the catalog, called by everybody: strangers, keys with and without its scope,
 * members of each role, the session of a key, a member who was deactivated, an identity provider,
 * sub-accounts in the portal. What its row says is what happens. Made from the catalog, so a new
 * route is in it.
 *
 * Requests carry no body and ids that nobody has: who is let in gets no further than an answer
 * about that.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Access } from '@posthorn/contracts/access'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { newId } from '@posthorn/domain/ids'
import { PORTAL_CAPABILITIES, type PortalCapability } from '@posthorn/domain/portal-capabilities'
import { ROLES, type Role } from '@posthorn/domain/roles'
import { SCOPES } from '@posthorn/domain/scopes'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { openPool, type Pool } from '@posthorn/store/pool'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'
import { addMember, addSession } from './signed-in.ts'

const routes = Object.entries(routeCatalog('Service')) as [string, Route][]

type Kind =
  | 'nobody'
  | 'stranger'
  | 'key without the scope'
  | 'key'
  | Role
  | 'session of a key'
  | 'deactivated'
  | 'scim token'
  | 'sub-account'
  | 'sub-account without the capability'
const KINDS: readonly Kind[] = [
  'nobody',
  'stranger',
  'key without the scope',
  'key',
  ...ROLES,
  'session of a key',
  'deactivated',
  'scim token',
  'sub-account',
  'sub-account without the capability',
]
type CallResult = 'let in' | 'UNAUTHORIZED' | 'FORBIDDEN'

/** What a route's row means for each kind of caller. */
function expected(name: string, access: Access, kind: Kind): CallResult {
  // Anyone may send a key to make a session of it, and is told that it is none.
  if (name === 'createSession' && kind === 'stranger') return 'UNAUTHORIZED'
  const isMember = (ROLES as readonly string[]).includes(kind) || kind === 'session of a key'
  if (access.by === 'anyone') return 'let in'
  if (access.by === 'scim-token') return kind === 'scim token' ? 'let in' : 'UNAUTHORIZED'
  if (access.by === 'sub-account') {
    if (kind === 'sub-account') return 'let in'
    if (kind !== 'sub-account without the capability') return 'UNAUTHORIZED'
    return access.capability === null ? 'let in' : 'FORBIDDEN'
  }
  if (access.by === 'session') {
    if (access.personal === true && kind === 'session of a key') return 'FORBIDDEN'
    return isMember ? 'let in' : 'UNAUTHORIZED'
  }
  if (kind === 'key') return access.sessionOnly === true ? 'FORBIDDEN' : 'let in'
  if (kind === 'key without the scope') return 'FORBIDDEN'
  if (!isMember) return 'UNAUTHORIZED'
  if (kind === 'session of a key') return 'let in'
  return ROLES.indexOf(kind as Role) >= ROLES.indexOf(access.role) ? 'let in' : 'FORBIDDEN'
}

describe.each(MODES)('who may call (%s)', (mode) => {
  let posthorn: SharedProduct
  let pool: Pool
  const users = new Map<string, string>()
  const keys = new Map<string, string>()
  let scimToken = ''
  let subAccountId = ''
  const portalCookies = new Map<string, string>()
  let keyId = ''

  beforeAll(async () => {
    posthorn = await joinProduct(mode)
    pool = openPool({ url: posthorn.databaseUrl, max: 2, name: 'test', onError: () => {} })
    for (const role of ROLES) users.set(role, await memberOf(role, 'active'))
    users.set('deactivated', await memberOf('admin', 'deactivated'))
    const { rows } = await pool.query('SELECT id FROM api_keys WHERE tenant_id = $1', [
      posthorn.tenantId,
    ])
    keyId = rows[0].id
    const made = await posthorn.call('POST', '/api/v1/sub-accounts', { externalId: newId() })
    subAccountId = made.body.id
    scimToken = newSecretToken('ph_scim_')
    await pool.query(
      `INSERT INTO scim_tokens (tenant_id, id, name, token_hash, created_by)
       VALUES ($1, $2, 'Test', $3, 'test')`,
      [posthorn.tenantId, newId(), hashSecretToken(scimToken)],
    )
  }, 150_000)

  afterAll(async () => {
    await pool.end()
    await posthorn.leave()
  }, 60_000)

  async function memberOf(role: Role, status: string): Promise<string> {
    return await addMember(pool, posthorn.tenantId, role, { status })
  }

  /** A session for one call, which may end it. */
  async function newSession(userId: string | null, apiKeyId: string | null): Promise<string> {
    const { cookie } = await addSession(pool, { tenantId: posthorn.tenantId, userId, apiKeyId })
    return cookie
  }

  async function keyWith(scopes: readonly string[]): Promise<string> {
    const name = scopes.join()
    const known = keys.get(name)
    if (known !== undefined) return known
    const made = await posthorn.call('POST', '/api/v1/api-keys', { name: 'Test', scopes })
    expect(made.status).toBe(201)
    keys.set(name, made.body.key as string)
    return made.body.key as string
  }

  /** The cookie of a session in the portal with these capabilities. */
  async function portalCookie(scopes: readonly PortalCapability[]): Promise<string> {
    const known = portalCookies.get(scopes.join())
    if (known !== undefined) return known
    const path = `/api/v1/sub-accounts/${subAccountId}/sessions`
    const minted = await posthorn.call('POST', path, { scopes, returnURL: 'https://a.example' })
    const { token } = minted.body
    const exchanged = await posthorn.call('POST', '/sub-account-api/auth/exchange', { token })
    expect(exchanged.status).toBe(200)
    const [cookie = ''] = exchanged.headers.getSetCookie().map((one) => one.split(';', 1)[0])
    portalCookies.set(scopes.join(), cookie)
    return cookie
  }

  async function credential(access: Access, kind: Kind): Promise<Record<string, string>> {
    if (kind === 'nobody') return { 'X-API-Key': '' }
    if (kind === 'stranger') return { 'X-API-Key': 'ph_live_nobody-has-this-one' }
    if (kind === 'scim token') return { 'X-API-Key': '', Authorization: `Bearer ${scimToken}` }
    if (kind === 'sub-account' || kind === 'sub-account without the capability') {
      const needed = access.by === 'sub-account' ? access.capability : null
      const others = PORTAL_CAPABILITIES.filter((one) => one !== needed)
      const scopes = kind === 'sub-account' && needed !== null ? [needed] : others
      return { 'X-API-Key': '', Cookie: await portalCookie(scopes) }
    }
    const scope = access.by === 'member' ? access.scope : 'events:read'
    if (kind === 'key') return { 'X-API-Key': await keyWith([scope]) }
    if (kind === 'key without the scope') {
      const [resource = ''] = scope.split(':')
      const others = SCOPES.filter((one) => one !== '*' && !one.startsWith(`${resource}:`))
      return { 'X-API-Key': await keyWith(others) }
    }
    const cookie =
      kind === 'session of a key'
        ? await newSession(null, keyId)
        : await newSession(users.get(kind) as string, null)
    return { 'X-API-Key': '', Cookie: cookie }
  }

  function resultOf(status: number, body: unknown): CallResult {
    const code = (body as { code?: string } | null)?.code
    if (status === 401 && (code === 'UNAUTHORIZED' || code === undefined)) return 'UNAUTHORIZED'
    return status === 403 && code === 'FORBIDDEN' ? 'FORBIDDEN' : 'let in'
  }

  test.each(routes)('%s', async (name, route) => {
    const path = route.path.replaceAll(/:[A-Za-z]+/g, () => randomUUID())
    const found: Partial<Record<Kind, CallResult>> = {}
    const wanted: Partial<Record<Kind, CallResult>> = {}
    for (const kind of KINDS) {
      const headers = await credential(route.access, kind)
      const { status, body } = await posthorn.call(route.method, path, undefined, headers)
      expect({ kind, isOurFault: status >= 500 }).toEqual({ kind, isOurFault: false })
      found[kind] = resultOf(status, body)
      wanted[kind] = expected(name, route.access, kind)
    }
    expect(found).toEqual(wanted)
  })

  test('a page of another origin changes nothing with a member’s cookie', async () => {
    const cookie = await newSession(users.get('admin') as string, null)
    const forged: Record<string, string>[] = [
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const from of forged) {
      const headers = { 'X-API-Key': '', Cookie: cookie, ...from }
      const project = { name: 'Forged', environment: 'staging' }
      const refused = await posthorn.call('POST', '/api/v1/projects', project, headers)
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    const listed = await posthorn.call('GET', '/api/v1/projects', undefined, {
      'X-API-Key': '',
      Cookie: cookie,
    })
    expect(listed.status).toBe(200)
    expect(JSON.stringify(listed.body)).not.toContain('Forged')
  })

  test('a demotion, a deactivation and a removal are in force within two seconds', async () => {
    const userId = await memberOf('admin', 'active')
    const headers = { 'X-API-Key': '', Cookie: await newSession(userId, null) }
    const call = async () =>
      (await posthorn.call('PATCH', `/api/v1/projects/${randomUUID()}`, { name: 'a' }, headers))
        .status
    expect(await call()).toBe(404)
    const change = async (sql: string, status: number) => {
      await pool.query(sql, [userId])
      const changedAt = performance.now()
      while ((await call()) !== status) expect(performance.now() - changedAt).toBeLessThan(2_000)
    }
    await change("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", 403)
    await change("UPDATE memberships SET status = 'deactivated' WHERE user_id = $1", 401)
    await change("UPDATE memberships SET status = 'active', role = 'admin' WHERE user_id = $1", 404)
    await change('DELETE FROM memberships WHERE user_id = $1', 401)
  }, 30_000)
})
