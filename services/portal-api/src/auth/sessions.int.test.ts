import { expect, test } from '@jest/globals'
import { newApiKey } from '@posthorn/domain/api-key'
import { eventually } from '@posthorn/testing/eventually'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'
import { addPerson, authEvents, logIn, openBrowser, PASSWORD } from './auth.fixture.ts'
import { issueSignInLink } from './session-from-key.ts'

usePortal('for-all-tests')

const UNAUTHORIZED = { status: 401, body: { code: 'UNAUTHORIZED' } }

test('tells who is signed in, where, and what they may', async () => {
  const { email, browser, user, client } = await addPerson()
  const { status, body } = await browser.call('GET', '/auth/session')
  expect(status).toBe(200)
  expect(body).toEqual({
    user,
    client,
    role: 'admin',
    scopes: ['*'],
    expiresAt: expect.stringMatching(/Z$/),
    clients: [{ id: client.id, name: 'Widgets', role: 'admin' }],
  })
  const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThanOrEqual(7)
  expect(await openBrowser().call('GET', '/auth/session')).toMatchObject(UNAUTHORIZED)
  expect(email).toBe(user.email)
})

test('row 6: after a sign-out the cookie is worth nothing', async () => {
  const { email, browser } = await addPerson()
  const cookie = browser.cookies.get('service_session') ?? ''
  const signedOut = await browser.call('DELETE', '/auth/session')
  expect(signedOut.status).toBe(204)
  expect(signedOut.headers.getSetCookie()[0]).toMatch(/^service_session=; Path=\/; Max-Age=0/)
  browser.cookies.set('service_session', cookie)
  expect(await browser.call('GET', '/auth/session')).toMatchObject(UNAUTHORIZED)
  expect(await browser.call('GET', '/api/v1/me')).toMatchObject(UNAUTHORIZED)
  expect((await authEvents(email)).at(-1)).toBe('session.revoke')
})

test('row 6: a new role holds within two seconds, whoever changed it', async () => {
  const { browser, user } = await addPerson()
  const make = async () => (await browser.call('POST', '/api/v1/projects', { name: 'p' })).status
  expect(await make()).toBe(201)
  const startedAt = performance.now()
  // Written behind the portal's back, as another instance would.
  await portal.pool.query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [user.id])
  await eventually(async () => (await make()) === 403, { timeoutMs: 2_000 })
  const { body } = await browser.call('GET', '/auth/session')
  expect([body.role, body.scopes.includes('*')]).toEqual(['viewer', false])
  expect(performance.now() - startedAt).toBeLessThan(4_000)
})

test('row 6: a member who was deactivated or removed is out within two seconds', async () => {
  for (const end of [
    `UPDATE memberships SET status = 'deactivated' WHERE user_id = $1`,
    'DELETE FROM memberships WHERE user_id = $1',
    'DELETE FROM user_sessions WHERE user_id = $1',
  ]) {
    const { browser, user } = await addPerson()
    const status = async () => (await browser.call('GET', '/auth/session')).status
    expect(await status()).toBe(200)
    await portal.pool.query(end, [user.id])
    await eventually(async () => (await status()) === 401, { timeoutMs: 2_000 })
  }
})

test('a session that is used goes on, and one that is not used ends', async () => {
  const { browser, user } = await addPerson()
  const leftOf = async (): Promise<number> => {
    const { rows } = await portal.pool.query(
      `SELECT extract(epoch FROM expires_at - now())::float AS left FROM user_sessions
        WHERE user_id = $1`,
      [user.id],
    )
    return rows[0].left / 86_400
  }
  const expireIn = async (interval: string) =>
    await portal.pool.query(
      'UPDATE user_sessions SET expires_at = now() + $2::interval WHERE user_id = $1',
      [user.id, interval],
    )
  await expireIn('1 day')
  await eventually(async () => {
    await browser.call('GET', '/auth/session')
    return (await leftOf()) > 6.9
  })
  await expireIn('-1 second')
  await eventually(async () => (await browser.call('GET', '/auth/session')).status === 401)
})

test('a person sees and ends their own sessions, and no others', async () => {
  const { email, browser } = await addPerson()
  const second = openBrowser()
  await second.call('POST', '/auth/login', { email, password: PASSWORD }, { 'User-Agent': 'two' })
  const { body } = await browser.call('GET', '/auth/sessions')
  expect(body.data).toMatchObject([
    { current: false, userAgent: 'two', client: { name: 'Widgets' }, ip: expect.any(String) },
    { current: true },
  ])
  const stranger = await addPerson()
  const id = body.data[0].id
  expect((await stranger.browser.call('DELETE', `/auth/sessions/${id}`)).status).toBe(404)
  expect((await second.call('GET', '/auth/session')).status).toBe(200)
  expect((await browser.call('DELETE', `/auth/sessions/${id}`)).status).toBe(204)
  expect((await second.call('GET', '/auth/session')).status).toBe(401)
  expect((await browser.call('DELETE', `/auth/sessions/${id}`)).status).toBe(404)
})

test('a person goes from one workspace to another of theirs', async () => {
  const { browser, user, client } = await addPerson()
  await portal.pool.query(
    `INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`,
    [other.tenantId, user.id],
  )
  const before = browser.cookies.get('service_session') ?? ''
  const switchTo = (clientId: string) => browser.call('POST', '/auth/session/switch', { clientId })
  expect((await switchTo(tenant.tenantId)).status).toBe(404)
  const switched = await switchTo(other.tenantId)
  expect(switched).toMatchObject({
    status: 200,
    body: { client: { id: other.tenantId }, role: 'viewer', user },
  })
  const { body } = await browser.call('GET', '/auth/session')
  expect(body.clients.map((one: Json) => one.id).sort()).toEqual([client.id, other.tenantId].sort())
  expect((await browser.call('POST', '/api/v1/projects', { name: 'p' })).status).toBe(403)
  const old = openBrowser()
  old.cookies.set('service_session', before)
  expect((await old.call('GET', '/auth/session')).status).toBe(401)
  // The next login leads to where the person was last.
  expect((await logIn(openBrowser(), user.email)).body.client.id).toBe(other.tenantId)
})

test('a session from a key has its scopes and ends with it', async () => {
  const { body: key } = await tenant.call('POST', '/api-keys', {
    name: 'reader',
    scopes: ['endpoints:read', 'account:read'],
  })
  const browser = openBrowser()
  const made = await browser.call('POST', '/auth/session', { apiKey: key.key })
  expect(made).toMatchObject({
    status: 201,
    body: {
      user: null,
      role: null,
      scopes: ['endpoints:read', 'account:read'],
      client: { id: tenant.tenantId },
    },
  })
  expect((await browser.call('GET', '/api/v1/endpoints')).status).toBe(200)
  expect((await browser.call('GET', '/api/v1/projects')).status).toBe(403)
  expect((await browser.call('PATCH', '/auth/me', { name: 'x' })).status).toBe(403)
  expect((await browser.call('GET', '/auth/sessions')).body.data).toHaveLength(1)
  await tenant.call('DELETE', `/api-keys/${key.id}`)
  expect((await browser.call('GET', '/auth/session')).status).toBe(401)
  const again = await openBrowser().call('POST', '/auth/session', { apiKey: key.key })
  expect(again).toMatchObject(UNAUTHORIZED)
})

test('a key comes in the body or in the header, and one with * counts as an admin', async () => {
  const browser = openBrowser()
  const byHeader = await browser.call('POST', '/auth/session', undefined, {
    'X-API-Key': tenant.key,
  })
  expect(byHeader).toMatchObject({ status: 201, body: { role: 'admin', scopes: ['*'] } })
  for (const apiKey of [newApiKey('production'), 'x']) {
    const answer = await openBrowser().call('POST', '/auth/session', { apiKey })
    expect(answer).toMatchObject(UNAUTHORIZED)
  }
  const missing = { status: 400, body: { details: [{ path: 'apiKey' }] } }
  expect(await openBrowser().call('POST', '/auth/session', {})).toMatchObject(missing)
})

test('the link of a start signs in once, as the first key that may do everything', async () => {
  const token = await issueSignInLink(portal.database, Date.now())
  const open = () => openBrowser().call('POST', '/auth/session-link', { token })
  const both = await Promise.all([open(), open()])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
  const opened = both.find(({ status }) => status === 201)
  // The first workspace of this test file.
  expect(opened?.body).toMatchObject({ user: null, role: 'admin', client: { id: other.tenantId } })
  expect(await open()).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } })
})

test('a person changes their name', async () => {
  const { browser } = await addPerson()
  const renamed = await browser.call('PATCH', '/auth/me', { name: 'Ada King' })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Ada King' } })
  expect((await browser.call('GET', '/auth/session')).body.user.name).toBe('Ada King')
  expect((await browser.call('PATCH', '/auth/me', { name: ' ' })).status).toBe(400)
})

test('the workspace, as a person and as a key see it', async () => {
  const { browser, user, client } = await addPerson()
  const { body } = await browser.call('GET', '/api/v1/me')
  expect(body).toEqual({ ...client, user, role: 'admin', scopes: ['*'] })
  const complete = async (given?: object) =>
    await browser.call('POST', '/api/v1/me/onboarding-complete', given)
  const done = await complete({ companyName: 'Engines' })
  expect(done.body).toEqual({ ...body, name: 'Engines', onboardingComplete: true })
  expect((await complete()).body).toEqual(done.body)
  expect((await complete({ companyName: '' })).status).toBe(400)
  expect((await tenant.call('GET', '/me')).body).toMatchObject({
    id: tenant.tenantId,
    onboardingComplete: false,
    user: null,
    role: null,
    scopes: ['*'],
  })
})

test('one person has at most a hundred sessions, and the oldest end first', async () => {
  const { user, email } = await addPerson()
  await portal.pool.query(
    `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, expires_at)
      SELECT sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), tenant_id, user_id,
        now() + interval '1 day'
      FROM memberships, generate_series(1, 150) WHERE user_id = $1`,
    [user.id],
  )
  await logIn(openBrowser(), email)
  const { rows } = await portal.pool.query(
    'SELECT count(*)::int AS count FROM user_sessions WHERE user_id = $1',
    [user.id],
  )
  expect(rows[0].count).toBe(100)
})
