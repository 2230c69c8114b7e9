/** The month's quota and the workspace's rate, at the doors of the API. */
import { describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { PLANS } from '@posthorn/domain/plans'
import { eventually } from '@posthorn/testing/eventually'
import { subscribe, useUp } from '@posthorn/testing/subscribe'
import { ingest, tenant, useIngest } from './ingest.fixture.ts'

useIngest()

const EVENT = { destination: 'https://example.com/hook', payload: { n: 1 } }
const LIMIT = PLANS.free.limits.eventsPerMonth

const batchOf = (count: number): object => ({
  events: Array.from({ length: count }, () => ({ ...EVENT, idempotencyKey: newId() })),
})
const postBatch = async (count: number) =>
  await tenant.call('POST', '/api/v1/events/batch', batchOf(count))

function exceeded(used: number): object {
  const now = new Date()
  const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()
  return {
    status: 402,
    body: { code: 'QUOTA_EXCEEDED', details: { limit: LIMIT, used, resetsAt } },
  }
}

async function countEvents(): Promise<number> {
  const { rows } = await ingest.pool.query('SELECT FROM events WHERE tenant_id = $1', [
    tenant.tenantId,
  ])
  return rows.length
}

test('over the quota each door answers 402 and writes nothing', async () => {
  await subscribe(ingest.pool, tenant.tenantId, 'free')
  await useUp(ingest.pool, tenant.tenantId, LIMIT - 3)
  // A batch that does not fit is refused as a whole, and one that does is accepted.
  expect(await postBatch(4)).toMatchObject(exceeded(LIMIT - 3))
  expect((await postBatch(2)).status).toBe(201)
  expect((await tenant.post(EVENT)).status).toBe(201)
  expect(await tenant.post(EVENT)).toMatchObject(exceeded(LIMIT))
  expect(await tenant.post({ eventType: 'order.paid', payload: {} })).toMatchObject(exceeded(LIMIT))
  expect(await postBatch(1)).toMatchObject(exceeded(LIMIT))
  expect(await countEvents()).toBe(3)
  // Everything else goes on.
  expect((await tenant.call('GET', '/api/v1/events')).status).toBe(200)
})

test('what other processes accept is known after the next round', async () => {
  await subscribe(ingest.pool, tenant.tenantId, 'free')
  expect((await tenant.post(EVENT)).status).toBe(201)
  await useUp(ingest.pool, tenant.tenantId, LIMIT)
  await ingest.usage.flush()
  expect(await tenant.post(EVENT)).toMatchObject(exceeded(LIMIT + 1))
})

test('what is refused, or was accepted before, does not count', async () => {
  await subscribe(ingest.pool, tenant.tenantId, 'free')
  const key = { 'X-Idempotency-Key': newId() }
  expect((await tenant.post(EVENT, key)).status).toBe(201)
  expect((await tenant.post(EVENT, key)).status).toBe(409)
  expect((await tenant.post({ ...EVENT, destination: 'ftp://example.com' })).status).toBe(400)
  await useUp(ingest.pool, tenant.tenantId, LIMIT)
  await ingest.usage.flush()
  expect(await tenant.post(EVENT)).toMatchObject(exceeded(LIMIT + 1))
})

test('a plan that changes holds soon, up and down', async () => {
  await useUp(ingest.pool, tenant.tenantId, LIMIT)
  expect((await tenant.post(EVENT)).status).toBe(201)
  await ingest.usage.flush()
  await subscribe(ingest.pool, tenant.tenantId, 'free')
  await eventually(async () => (await tenant.post(EVENT)).status === 402)
  await subscribe(ingest.pool, tenant.tenantId, 'starter')
  await eventually(async () => (await tenant.post(EVENT)).status === 201)
  await subscribe(ingest.pool, tenant.tenantId, 'free', 'canceled')
  await eventually(async () => (await tenant.post(EVENT)).status === 201)
})

test('each event says by which door it came in', async () => {
  expect((await tenant.post(EVENT)).status).toBe(201)
  expect((await postBatch(2)).status).toBe(201)
  const { rows } = await ingest.pool.query(
    'SELECT source, count(*)::int AS count FROM events WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1',
    [tenant.tenantId],
  )
  expect(rows).toEqual([
    { source: 'api', count: 1 },
    { source: 'batch', count: 2 },
  ])
})

describe('the workspace’s rate', () => {
  const { requestsPerSecond } = PLANS.free.limits

  test('holds over all its keys', async () => {
    const { tenantId } = tenant
    await subscribe(ingest.pool, tenantId, 'free')
    const keys = await Promise.all([1, 2].map(() => ingest.addKey(tenantId)))
    const bucket = `tenant:${tenantId}`
    ingest.buckets.asked.length = 0
    for (const key of keys)
      expect((await ingest.callAs(key)('GET', '/api/v1/events')).status).toBe(200)
    expect(ingest.buckets.asked).toEqual([bucket, bucket])
    ingest.buckets.empty.add(bucket)
    for (const key of keys) {
      const refused = await ingest.callAs(key)('GET', '/api/v1/events')
      expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
      expect(refused.headers.get('x-ratelimit-limit')).toBe(String(requestsPerSecond))
      expect(refused.headers.get('retry-after')).toBe('1')
    }
  })

  test('the headers tell of the stricter limit', async () => {
    const { tenantId } = tenant
    await subscribe(ingest.pool, tenantId, 'free')
    const strict = ingest.callAs(await ingest.addKey(tenantId, { rateLimit: 10 }))
    const loose = ingest.callAs(await ingest.addKey(tenantId, { rateLimit: 1_000 }))
    const limitOf = async (call: typeof strict) =>
      (await call('GET', '/api/v1/events')).headers.get('x-ratelimit-limit')
    expect(await limitOf(strict)).toBe('10')
    expect(await limitOf(loose)).toBe(String(requestsPerSecond))
  })

  test('a workspace that hosts itself has none', async () => {
    const { headers } = await tenant.call('GET', '/api/v1/events')
    expect(headers.get('x-ratelimit-limit')).toBeNull()
  })
})
