/**
 * Who may call the routes of events, and what callers are told while Postgres is away or something
 * fails inside.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { startTestIngest, type Tenant, type TestIngest } from './ingest.fixture.ts'

const EVENT = { destination: 'https://example.com/hook', payload: { n: 1 } }

let ingest: TestIngest
let tenant: Tenant
beforeAll(async () => {
  ingest = await startTestIngest()
  tenant = await ingest.addTenant()
})
afterAll(async () => await ingest.close())
/** Whatever is sent here, none of it causes an internal error. */
afterEach(() => expect(ingest.failures).toEqual([]))

describe('keys', () => {
  test.each(['', 'ph_live_unknown', 'x'.repeat(5_000)])('%j is 401', async (key) => {
    const answer = await ingest.callAs(key)('GET', '/api/v1/events')
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  test('an expired key is 401', async () => {
    const expired = await ingest.addTenant({
      expiresAt: new Date(Date.now() - 1_000).toISOString(),
    })
    expect(await expired.call('GET', '/api/v1/events')).toMatchObject({ status: 401 })
  })

  test('a revocation takes effect within two seconds without the bus', async () => {
    const key = await ingest.addKey(tenant.tenantId)
    const call = ingest.callAs(key)
    expect((await call('GET', '/api/v1/events')).status).toBe(200)
    await ingest.pool.query(
      'UPDATE api_keys SET revoked_at = now() WHERE name = $1 AND key_prefix = $2',
      ['K', key.slice(0, 12)],
    )
    const elapsedMs = startLoopTime()
    await eventually(async () => (await call('GET', '/api/v1/events')).status === 401)
    expect(elapsedMs()).toBeLessThan(2_000)
  })

  test('config.changed makes a revocation take effect at once', async () => {
    const key = await ingest.addKey(tenant.tenantId)
    const call = ingest.callAs(key)
    expect((await call('GET', '/api/v1/events')).status).toBe(200)
    await ingest.pool.query('DELETE FROM api_keys WHERE key_prefix = $1', [key.slice(0, 12)])
    ingest.announceChange(tenant.tenantId)
    expect((await call('GET', '/api/v1/events')).status).toBe(401)
  })

  test('a missing scope is 403; write implies read', async () => {
    const reader = await ingest.addTenant({ scopes: ['events:read'] })
    expect((await reader.call('GET', '/api/v1/events')).status).toBe(200)
    expect(await reader.post(EVENT)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const writer = await ingest.addTenant({ scopes: ['events:write'] })
    expect((await writer.call('GET', '/api/v1/events')).status).toBe(200)
  })

  test('X-Project-ID confines, and binds what a bound key may ask for', async () => {
    const other = await ingest.addProject(tenant.tenantId)
    const list = (call: Tenant['call'], project: string) =>
      call('GET', '/api/v1/events', undefined, { 'X-Project-ID': project })
    expect((await list(tenant.call, other)).status).toBe(200)
    expect(await list(tenant.call, 'no-uuid')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const stranger = await ingest.addTenant()
    expect((await list(tenant.call, stranger.projectId)).status).toBe(404)
    const bound = ingest.callAs(await ingest.addKey(tenant.tenantId, { projectId: other }))
    expect((await list(bound, other)).status).toBe(200)
    expect(await list(bound, tenant.projectId)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    })
  })

  test("every answer has the headers of a key's own limit, and beyond it is 429", async () => {
    const limited = await ingest.addTenant({ rateLimit: 2 })
    const answers = [
      await limited.call('GET', '/api/v1/events'),
      await limited.call('GET', '/api/v1/events/x'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
    for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).toBe('2')
    const refused = await limited.call('GET', '/api/v1/events')
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    const reset = Number(refused.headers.get('x-ratelimit-reset'))
    expect(Math.abs(reset - Date.now() / 1_000)).toBeLessThan(3)
    expect((await tenant.call('GET', '/api/v1/events')).headers.has('x-ratelimit-limit')).toBe(
      false,
    )
  })
})

test('while Postgres is down the answer is 503 with Retry-After and never 201, and it recovers', async () => {
  const other = await startTestIngest()
  try {
    const { post, call } = await other.addTenant()
    expect((await post(EVENT)).status).toBe(201)
    const running = Promise.all(Array.from({ length: 50 }, () => post(EVENT)))
    other.postgres.cut()
    const late = await Promise.all(Array.from({ length: 50 }, () => post(EVENT)))
    for (const answer of late) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    const ids = (await running).filter(({ status }) => status === 201).map(({ body }) => body.id)
    other.postgres.repair()
    await eventually(async () => (await post(EVENT)).status === 201)
    for (const id of ids) expect((await call('GET', `/api/v1/events/${id}`)).status).toBe(200)
    expect(other.failures).toEqual([])
  } finally {
    await other.close()
  }
})

test('a Postgres that does not respond is 503 as well, at once when that is known, and it recovers', async () => {
  const other = await startTestIngest()
  try {
    const { post, call } = await other.addTenant()
    expect((await post(EVENT)).status).toBe(201)
    other.postgres.swallow()
    const elapsedMs = startLoopTime()
    const first = [...Array.from({ length: 50 }, () => post(EVENT)), call('GET', '/api/v1/events')]
    for (const answer of await Promise.all(first)) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect(elapsedMs()).toBeLessThan(15_000)
    await eventually(async () => {
      const refusedMs = startLoopTime()
      const answers = await Promise.all(Array.from({ length: 50 }, () => post(EVENT)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      expect(refusedMs()).toBeLessThan(1_000)
    })
    other.postgres.repair()
    await eventually(async () => (await post(EVENT)).status === 201)
    expect(other.failures).toEqual([])
  } finally {
    await other.close()
  }
})

test('an internal error is 500 with the trace id and nothing else', async () => {
  const other = await startTestIngest()
  try {
    const { call } = await other.addTenant()
    await other.pool.query('ALTER TABLE events RENAME TO gone')
    const answer = await call('GET', '/api/v1/events', undefined, { 'X-Request-Id': 'trace-2' })
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      error: expect.any(String),
      code: 'INTERNAL',
      details: { traceId: 'trace-2' },
    })
    expect(answer.text).not.toMatch(/events|relation|gone/)
    expect(other.failures).toHaveLength(1)
  } finally {
    await other.close()
  }
})
