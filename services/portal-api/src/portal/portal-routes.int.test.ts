/**
 * The routes of the portal: what a customer does with their endpoints there, and what of their
 * parent's they neither see nor set.
 */
import { beforeEach, describe, expect, test } from '@jest/globals'
import { PORTAL_CAPABILITIES } from '@posthorn/domain/portal-capabilities'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { newId } from '@posthorn/domain/ids'
import { other, portal, tenant, usePortal } from '../portal.fixture.ts'
import { addSubAccount, openPortal, type PortalClient, send } from './portal-client.fixture.ts'

usePortal()

const ENDPOINT = { url: 'https://example.com/hook', eventTypes: ['order.*'] }
const OPERATORS = /"(projectId|storageConfig|storageKeyHint)"/

let id = ''
let client: PortalClient
beforeEach(async () => {
  id = await addSubAccount('customer')
  client = await openPortal(id)
})

/** As the parent, acting in a sub-account. */
const inside = (subAccountId: string) => ({ 'X-Sub-Account-ID': subAccountId })

/** An endpoint, an event and a bulk replay of a sub-account. */
async function fill(subAccountId: string, call = tenant.call) {
  const headers = inside(subAccountId)
  const endpoint = await call('POST', '/endpoints', ENDPOINT, headers)
  const path = `/endpoints/${endpoint.body.id}`
  const event = await call('POST', `${path}/test`, undefined, headers)
  const since = '2026-01-01T00:00:00Z'
  const replay = await call('POST', `${path}/replay`, { since }, headers)
  expect([endpoint.status, event.status, replay.status]).toEqual([201, 201, 202])
  return { endpoint: endpoint.body.id, event: event.body.id, replay: replay.body.id }
}

describe('endpoints', () => {
  test('are made, read, changed, paused, tested, rotated, replayed and deleted', async () => {
    const made = await client.call('POST', '/endpoints', { ...ENDPOINT, description: 'mine' })
    expect(made).toMatchObject({ status: 201, body: { ...ENDPOINT, signingSecret: null } })
    const path = `/endpoints/${made.body.id}`
    const listed = await client.call('GET', '/endpoints')
    expect(listed.body.data).toMatchObject([{ id: made.body.id, description: 'mine' }])
    expect((await client.call('GET', path)).body).toMatchObject({ id: made.body.id, version: 1 })
    const changed = await client.call('PATCH', path, { timeoutMs: 5_000 })
    expect(changed).toMatchObject({ status: 200, body: { timeoutMs: 5_000, version: 2 } })
    expect((await client.call('POST', `${path}/pause`)).body.status).toBe('paused')
    expect((await client.call('POST', `${path}/resume`)).body.status).toBe('active')
    const sample = await client.call('POST', `${path}/test`, { eventType: 'order.paid' })
    expect(sample).toMatchObject({ status: 201, body: { eventType: 'order.paid' } })
    const rotated = await client.call('POST', `${path}/rotate-secret`)
    expect(rotated).toMatchObject({ status: 200, body: { signingSecret: expect.any(String) } })
    const replay = await client.call('POST', `${path}/replay`, { since: '2026-01-01T00:00:00Z' })
    expect(replay.status).toBe(202)
    const progress = await client.call('GET', `/replays/${replay.body.id}`)
    expect(progress).toMatchObject({ status: 200, body: { endpointId: made.body.id } })
    const attempts = await client.call('GET', `${path}/deliveries?limit=5`)
    expect(attempts).toMatchObject({ status: 200, body: { data: [] } })
    const event = `/events/${sample.body.id}`
    expect((await client.call('GET', `${event}/deliveries`)).body).toMatchObject({ count: 0 })
    const explained = await client.call('GET', `${event}/explain`)
    expect(explained.body.endpoints).toMatchObject([{ endpointId: made.body.id, matched: true }])
    expect((await client.call('DELETE', path)).status).toBe(204)
    expect((await client.call('GET', path)).status).toBe(404)
    expect((await client.call('GET', `${path}/deliveries`)).status).toBe(404)
    for (const { body } of [made, listed, changed, sample, rotated, replay, attempts, explained])
      expect(JSON.stringify(body)).not.toMatch(OPERATORS)
  })

  test('are the sub-account’s own, as its parent sees them there', async () => {
    const made = await client.call('POST', '/endpoints', ENDPOINT)
    const shown = await tenant.call('GET', `/endpoints/${made.body.id}`, undefined, inside(id))
    expect(shown.status).toBe(200)
    expect((await tenant.call('GET', `/endpoints/${made.body.id}`)).status).toBe(404)
    const { rows } = await portal.pool.query(
      'SELECT tenant_id, changed_by FROM endpoint_versions WHERE endpoint_id = $1',
      [made.body.id],
    )
    expect(rows).toEqual([{ tenant_id: id, changed_by: `sub-account:${id}` }])
  })

  const s3 = { type: 's3', bucket: 'b', region: 'eu-central-1' }
  test.each([
    [{ deliveryMode: 'storage', storageConfig: s3 }],
    [{ deliveryMode: 'storage' }],
    [{ storageConfig: s3 }],
    [{ storageConfig: null }],
    [{ projectId: newId() }],
    [{ tenantId: newId() }],
  ])('%j is not for a sub-account to set', async (more) => {
    const created = await client.call('POST', '/endpoints', { ...ENDPOINT, ...more })
    expect(created).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    const made = await client.call('POST', '/endpoints', ENDPOINT)
    expect((await client.call('PATCH', `/endpoints/${made.body.id}`, more)).status).toBe(400)
  })

  test('that the parent has set to storage show nothing of it, and stay so', async () => {
    const stored = {
      url: 'storage://archive',
      eventTypes: ['*'],
      deliveryMode: 'storage',
      storageConfig: {
        type: 's3',
        bucket: 'the-parents-bucket',
        region: 'eu-central-1',
        accessKeyId: 'AKIAEXAMPLE',
        secretAccessKey: 'the-parents-secret-key',
      },
    }
    const made = await tenant.call('POST', '/endpoints', stored, inside(id))
    expect(made.status).toBe(201)
    const path = `/endpoints/${made.body.id}`
    for (const shown of [
      await client.call('GET', path),
      await client.call('GET', '/endpoints'),
      await client.call('PATCH', path, { description: 'mine' }),
      await client.call('POST', `${path}/pause`),
    ]) {
      expect(shown.status).toBe(200)
      expect(JSON.stringify(shown.body)).not.toMatch(/the-parents|MPLE|storage[CK]/)
    }
    expect((await client.call('PATCH', path, { deliveryMode: 'push' })).status).toBe(400)
    const kept = await tenant.call('GET', path, undefined, inside(id))
    expect(kept.body).toMatchObject({
      deliveryMode: 'storage',
      storageConfig: { bucket: 'the-parents-bucket' },
    })
  })
})

test('event types are the parent’s, without their project', async () => {
  const schema = { type: 'object', required: ['orderId'] }
  await tenant.call('POST', '/event-types', { name: 'order.paid', schema })
  await other.call('POST', '/event-types', { name: 'not.theirs' })
  const listed = await client.call('GET', '/event-types')
  expect(listed).toMatchObject({ status: 200, body: { data: [{ name: 'order.paid', schema }] } })
  expect(listed.body.data).toHaveLength(1)
  expect(JSON.stringify(listed.body)).not.toMatch(OPERATORS)
})

/** Those of this service. */
const routes = (Object.entries(routeCatalog('Service')) as [string, Route][]).filter(
  ([, { access, service }]) => access.by === 'sub-account' && service === 'portal-api',
)

type Filled = Awaited<ReturnType<typeof fill>>

function pathWith(route: Route, ids: Filled): string {
  const own = route.path.includes('/replays/') ? ids.replay : ids.endpoint
  return route.path
    .replace('/sub-account-api', '')
    .replace(':eventId', ids.event)
    .replace(':id', own)
}

const bodyOf = (route: Route) => (route.body === undefined ? undefined : route.example)

test('each change leaves one audit row, with the sub-account as its actor', async () => {
  const own = await fill(id)
  await portal.pool.query('DELETE FROM audit_logs WHERE tenant_id = $1', [id])
  const writing = routes
    .filter(([, { audit }]) => typeof audit === 'string')
    .toSorted(
      ([, one], [, next]) => Number(one.method === 'DELETE') - Number(next.method === 'DELETE'),
    )
  const refused = await openPortal(id, { scopes: ['events:read'] })
  for (const [name, route] of writing) {
    const path = pathWith(route, own)
    expect((await refused.call(route.method, path, bodyOf(route))).status).toBe(403)
    const { status } = await client.call(route.method, path, bodyOf(route))
    expect({ name, status }).toEqual({ name, status: route.status })
  }
  const { rows } = await portal.pool.query(
    `SELECT action, actor_type, actor_id, actor_name, actor_user_id FROM audit_logs
     WHERE tenant_id = $1 ORDER BY id`,
    [id],
  )
  const actor = {
    actor_type: 'sub_account',
    actor_id: id,
    actor_name: 'Name of customer',
    actor_user_id: null,
  }
  expect(rows).toEqual(writing.map(([, { audit }]) => ({ action: audit, ...actor })))
})

describe('what is another’s', () => {
  const named = routes.filter(([, route]) => route.path.includes(':'))
  let foreign: Filled[]
  beforeEach(async () => {
    const second = await addSubAccount('second')
    const theirs = await addSubAccount(newId(), other.call)
    const parents = await tenant.call('POST', '/endpoints', ENDPOINT)
    const sample = await tenant.call('POST', `/endpoints/${parents.body.id}/test`)
    const since = { since: '2026-01-01T00:00:00Z' }
    const replay = await tenant.call('POST', `/endpoints/${parents.body.id}/replay`, since)
    foreign = [
      await fill(second),
      await fill(theirs, other.call),
      { endpoint: parents.body.id, event: sample.body.id, replay: replay.body.id },
    ]
  })

  test('is found on no route, be it another sub-account’s or the parent’s', async () => {
    const before = await snapshot(foreign)
    for (const ids of foreign) {
      for (const [name, route] of named) {
        const { status, body } = await client.call(
          route.method,
          pathWith(route, ids),
          bodyOf(route),
        )
        expect({ name, status, code: body.code }).toEqual({
          name,
          status: 404,
          code: 'NOT_FOUND',
        })
      }
    }
    expect(await snapshot(foreign)).toEqual(before)
    // One's own are found on the same routes.
    const own = await fill(id)
    for (const [name, route] of named.filter(([, { method }]) => method !== 'DELETE')) {
      const { status } = await client.call(route.method, pathWith(route, own), bodyOf(route))
      expect({ name, status }).toEqual({ name, status: route.status })
    }
  })

  test('is in no list', async () => {
    for (const [name, route] of routes.filter(([, { path }]) => !path.includes(':'))) {
      if (route.method !== 'GET') continue
      const { status, body } = await client.call('GET', pathWith(route, foreign[0] as Filled))
      expect({ name, status }).toEqual({ name, status: 200 })
      for (const ids of foreign)
        for (const one of Object.values(ids)) expect(JSON.stringify(body)).not.toContain(one)
    }
  })

  async function snapshot(all: readonly Filled[]): Promise<unknown> {
    const { rows } = await portal.pool.query(
      `SELECT e.id, status, version, deleted_at, signing_secret,
         (SELECT count(*) FROM deliveries d WHERE d.endpoint_id = e.id) AS deliveries
       FROM endpoints e WHERE e.id = ANY($1) ORDER BY e.id`,
      [all.map(({ endpoint }) => endpoint)],
    )
    return rows
  }
})

test('each route needs its capability, and no more', async () => {
  const own = await fill(id)
  const missing = await Promise.all(
    PORTAL_CAPABILITIES.map(async (capability) => {
      const scopes = PORTAL_CAPABILITIES.filter((one) => one !== capability)
      return [capability, await openPortal(id, { scopes })] as const
    }),
  )
  for (const [name, route] of routes) {
    const { access } = route
    if (access.by !== 'sub-account' || access.capability === null) continue
    const without = missing.find(([capability]) => capability === access.capability)?.[1]
    const path = pathWith(route, own)
    const refused = await without?.call(route.method, path, bodyOf(route))
    expect({ name, ...refused }).toMatchObject({ name, status: 403, body: { code: 'FORBIDDEN' } })
    if (route.method === 'DELETE') continue
    const alone = await openPortal(id, { scopes: [access.capability] })
    // The list of an endpoint's attempts tells only whoever may see it, and so does it here.
    const { status } = await alone.call(route.method, path, bodyOf(route))
    expect({ name, status }).toEqual({ name, status: route.status })
  }
})

test('a sub-account’s session is no one else’s credential', async () => {
  const routesOfApi = ['/endpoints', '/events', '/sub-accounts', '/me', '/api-keys', '/team']
  for (const path of routesOfApi) {
    const token = client.cookie.split('=')[1] ?? ''
    for (const headers of [
      { Cookie: client.cookie },
      { Cookie: `service_session=${token}` },
      { 'X-API-Key': token },
      { 'X-API-Key': client.token },
      { Authorization: `Bearer ${token}` },
    ]) {
      const refused = await send('GET', `/api/v1${path}`, undefined, headers)
      expect({ path, status: refused.status }).toEqual({
        path,
        status: path === '/events' ? 404 : 401,
      })
    }
  }
  const key = { 'X-API-Key': tenant.key }
  expect((await send('GET', '/sub-account-api/endpoints', undefined, key)).status).toBe(401)
})

test('it acts nowhere else, whatever headers say', async () => {
  const second = await addSubAccount('second')
  const ids = await fill(second)
  for (const headers of [inside(second), inside('second'), inside(id)])
    expect((await client.call('GET', '/endpoints', undefined, headers)).status).toBe(400)
  for (const project of [tenant.projectId, newId()]) {
    const listed = await client.call('GET', '/endpoints', undefined, { 'X-Project-ID': project })
    expect(listed).toMatchObject({ status: 200, body: { data: [] } })
  }
  const path = `/endpoints/${ids.endpoint}`
  expect((await client.call('GET', path, undefined, { 'X-API-Key': tenant.key })).status).toBe(404)
})

test('what changes something comes from our own origin', async () => {
  const own = await fill(id)
  const forged = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://hooks.example.com' },
  ]
  for (const [name, route] of routes.filter(([, { method }]) => method !== 'GET')) {
    for (const headers of forged) {
      const { status, body } = await client.call(
        route.method,
        pathWith(route, own),
        bodyOf(route),
        headers,
      )
      expect({ name, status, code: body.code }).toEqual({ name, status: 403, code: 'FORBIDDEN' })
    }
  }
  const from = { Origin: 'https://hooks.example.com' }
  expect((await client.call('POST', '/endpoints', ENDPOINT, from)).status).toBe(201)
})

test('every answer of the portal says who may frame it, also a refusal', async () => {
  for (const { headers } of [
    await client.call('GET', '/session'),
    await client.call('GET', `/endpoints/${newId()}`),
    await client.call('POST', '/endpoints', {}),
    await send('GET', '/sub-account-api/session'),
    await send('POST', '/sub-account-api/auth/exchange', { token: 'x' }),
  ]) {
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
})
