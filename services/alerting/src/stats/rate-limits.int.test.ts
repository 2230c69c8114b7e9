import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { throttledKey } from '@posthorn/state/recent-counts'
import { startTestInsights, type TestInsights } from '../insights.fixture.ts'

let server: TestInsights
beforeAll(async () => {
  server = await startTestInsights()
})
afterAll(async () => await server.close())

test('rate limits are told without taking of them', async () => {
  const tenant = await server.addTenant()
  await server.pool.query('UPDATE api_keys SET rate_limit = 4 WHERE id = $1', [tenant.keyId])
  const limited = await server.addEndpoint(tenant, { rateLimitPerSec: 8 })
  const free = await server.addEndpoint(tenant, { rateLimitPerSec: 0 })
  await server.pool.query(
    `INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id, parked_at)
     SELECT $1, $2, 5, n, gen_random_uuid(), gen_random_uuid(), now() - n * interval '40 seconds'
     FROM generate_series(1, 3) n`,
    [tenant.tenantId, limited],
  )
  const endpoints = [
    { id: free, limitPerSec: null, availableTokens: null, waiting: 0 },
    { id: limited, limitPerSec: 8, availableTokens: 3, waiting: 3 },
  ]
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await tenant.get('/metrics/rate-limits')
    expect(status).toBe(200)
    expect(body).toEqual({
      apiKeys: [
        { id: tenant.keyId, name: 'First', limit: 4, remaining: 4, resetAt: expect.any(String) },
      ],
      endpoints,
    })
  }
  await server.state.countRecent([
    { key: throttledKey(limited), times: 7 },
    { key: throttledKey(free), times: 20_000 },
  ])
  const one = await tenant.get(`/metrics/rate-limits/endpoint/${limited}`)
  expect(one.body).toEqual({ ...endpoints[1], throttledLastMinute: 7 })
  const two = await tenant.get(`/metrics/rate-limits/endpoint/${free}`)
  expect(two.body).toEqual({ ...endpoints[0], throttledLastMinute: 10_000 })
  const other = await server.addTenant()
  expect((await other.get(`/metrics/rate-limits/endpoint/${limited}`)).status).toBe(404)
  expect((await tenant.get(`/metrics/rate-limits/endpoint/${newId()}`)).status).toBe(404)
})
