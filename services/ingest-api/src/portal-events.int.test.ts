/** Events as a sub-account sees and retries them in the portal. */
import { beforeEach, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import type { PortalCapability } from '@posthorn/domain/portal-capabilities'
import { ingest, setState, tenant, useIngest } from './ingest.fixture.ts'

useIngest()

const EVENT = {
  destination: 'https://example.com/hook',
  payload: { n: 1 },
  headers: { 'X-A': '1' },
}
const ALL: PortalCapability[] = ['events:read', 'events:retry']

let id = ''
beforeEach(async () => {
  id = await addSubAccount('customer')
})

async function addSubAccount(externalId: string): Promise<string> {
  const subAccountId = newId()
  await ingest.pool.query(
    `INSERT INTO tenants (id, parent_id, external_id, name, plan, signing_secret)
     VALUES ($1, $2, $3, '', 'free', 'sealed')`,
    [subAccountId, tenant.tenantId, externalId],
  )
  await ingest.pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'Default', 'production', true)`,
    [subAccountId, newId()],
  )
  return subAccountId
}

/** A session that was exchanged, as this service finds it. */
async function openSession(scopes: readonly PortalCapability[] = ALL) {
  const sessionId = newId()
  await ingest.pool.query(
    `INSERT INTO sub_account_sessions
       (tenant_id, id, scopes, return_url, created_by, expires_at, max_expires_at, consumed_at)
     VALUES ($1, $2, $3, 'https://app.example.com', 'test', now() + interval '1 hour',
       now() + interval '1 day', now())`,
    [id, sessionId, scopes],
  )
  const now = Math.floor(Date.now() / 1_000)
  const token = ingest.portal.tokens.sign({
    jti: sessionId,
    sub: id,
    cid: tenant.tenantId,
    scp: [...scopes],
    aud: 'session',
    iat: now,
    exp: now + 3_600,
  })
  const cookie = `service_sub_account_session=${token}`
  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    ingest.callAs('')(method, `/sub-account-api${path}`, undefined, { Cookie: cookie, ...headers })
  return { sessionId, call }
}

async function post(externalId: string): Promise<string> {
  const posted = await tenant.post(EVENT, { 'X-Sub-Account-ID': externalId })
  expect(posted.status).toBe(201)
  return posted.body.id
}

test('a customer lists and reads their own events, without the project', async () => {
  const eventId = await post('customer')
  await tenant.post(EVENT)
  await addSubAccount('second')
  await post('second')
  const { call } = await openSession()
  const listed = await call('GET', '/events')
  expect(listed.body.data).toMatchObject([
    { id: eventId, status: 'queued', lastStatusCode: null, lastError: null, nextAttemptAt: null },
  ])
  const read = await call('GET', `/events/${eventId}`)
  expect(read).toMatchObject({ status: 200, body: { id: eventId, ...EVENT, deliveryAttempts: [] } })
  for (const { text } of [listed, read]) expect(text).not.toContain('projectId')
  const parents = await tenant.call('GET', `/api/v1/events/${eventId}`, undefined, {
    'X-Sub-Account-ID': 'customer',
  })
  expect(parents.body).toHaveProperty('projectId')
})

test('a customer queues again what did not succeed', async () => {
  const eventId = await post('customer')
  const { call } = await openSession()
  const refused = await call('POST', `/events/${eventId}/retry`)
  expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  await setState(ingest.pool, eventId, 'dead')
  const retried = await call('POST', `/events/${eventId}/retry`)
  expect(retried).toMatchObject({ status: 200, body: { id: eventId, status: 'queued' } })
  expect(retried.text).not.toContain('projectId')
  const { rows } = await ingest.pool.query(
    'SELECT action, resource_id, actor_type, actor_id FROM audit_logs WHERE tenant_id = $1',
    [id],
  )
  expect(rows).toEqual([
    { action: 'event.replay', resource_id: eventId, actor_type: 'sub_account', actor_id: id },
  ])
})

test('what is another’s is not found, and not queued again', async () => {
  await addSubAccount('second')
  const { call } = await openSession()
  const parents = (await tenant.post(EVENT)).body.id
  const strangers = (await (await ingest.addTenant()).post(EVENT)).body.id
  for (const eventId of [await post('second'), parents, strangers]) {
    await setState(ingest.pool, eventId, 'dead')
    expect((await call('GET', `/events/${eventId}`)).status).toBe(404)
    expect((await call('POST', `/events/${eventId}/retry`)).status).toBe(404)
    const { rows } = await ingest.pool.query('SELECT dead_count FROM events WHERE id = $1', [
      eventId,
    ])
    expect(rows).toEqual([{ dead_count: 1 }])
  }
  const headers = { 'X-Sub-Account-ID': 'second' }
  expect((await call('GET', '/events', headers)).status).toBe(400)
  const listed = await call('GET', '/events', { 'X-Project-ID': tenant.projectId })
  expect(listed).toMatchObject({ status: 200, body: { data: [] } })
})

test('its filters are those of the API', async () => {
  const eventId = await post('customer')
  const { call } = await openSession()
  const found = async (query: string) =>
    (await call('GET', `/events?${query}`)).body.data.map((row: { id: string }) => row.id)
  const destination = encodeURIComponent(EVENT.destination)
  expect(await found(`destination=${destination}&status=queued`)).toEqual([eventId])
  expect(await found(`eventType=order.paid&from=2020-01-01T00:00:00Z`)).toEqual([])
  expect(await found(`to=2020-01-01T00:00:00Z`)).toEqual([])
})

test('reading and retrying each need their capability', async () => {
  const eventId = await post('customer')
  await setState(ingest.pool, eventId, 'dead')
  const reader = await openSession(['events:read', 'deliveries:read', 'endpoints:write'])
  expect((await reader.call('GET', '/events')).status).toBe(200)
  expect((await reader.call('POST', `/events/${eventId}/retry`)).status).toBe(403)
  const retrier = await openSession(['events:retry'])
  expect((await retrier.call('GET', '/events')).status).toBe(403)
  expect((await retrier.call('GET', `/events/${eventId}`)).status).toBe(403)
  const forged = { Origin: 'https://evil.example' }
  expect((await retrier.call('POST', `/events/${eventId}/retry`, forged)).status).toBe(403)
  expect((await retrier.call('POST', `/events/${eventId}/retry`)).status).toBe(200)
})

test('a session ends here as it does in the service that ended it', async () => {
  const { call, sessionId } = await openSession()
  expect((await call('GET', '/events')).status).toBe(200)
  await ingest.pool.query('UPDATE sub_account_sessions SET revoked_at = now() WHERE id = $1', [
    sessionId,
  ])
  expect(await call('GET', '/events')).toMatchObject({
    status: 401,
    body: {
      code: 'SESSION_EXPIRED',
      returnUrl: 'https://app.example.com',
      subAccountId: id,
    },
  })
})

test('one session has a limit of its own', async () => {
  const [one, two] = [await openSession(), await openSession()]
  ingest.buckets.empty.add(`sub-account-session:${one.sessionId}`)
  const refused = await one.call('GET', '/events')
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect(refused.headers.get('x-ratelimit-limit')).toBe('100')
  expect((await two.call('GET', '/events')).status).toBe(200)
})
