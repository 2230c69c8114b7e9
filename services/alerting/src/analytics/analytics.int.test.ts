import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { cellOf } from '@posthorn/store/rollups/latency-cells'
import {
  addRollup,
  type InsightsTenant,
  startTestInsights,
  type TestInsights,
} from '../insights.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let insights: TestInsights
let tenant: InsightsTenant
beforeAll(async () => {
  insights = await startTestInsights()
})
afterAll(async () => await insights.close())
beforeEach(async () => {
  tenant = await insights.addTenant()
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** Whole hours of today, an hour of which is over. */
function lastHour(): number {
  return Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
}

async function series(name: string, query: Record<string, string> = {}, headers = {}) {
  const { status, body } = await tenant.get(
    `/analytics/${name}?${new URLSearchParams(query).toString()}`,
    headers,
  )
  expect(status).toBe(200)
  return body
}

describe('analytics', () => {
  test('have every hour of the last day, with zeros where nothing happened', async () => {
    const zeros: Record<string, Record<string, number>> = {
      summary: { sent: 0, delivered: 0, failed: 0, deadLettered: 0, attempts: 0, successRate: 0 },
      outcomes: { success: 0, failure: 0, timeout: 0 },
      throughput: { accepted: 0, delivered: 0, perSecond: 0 },
      latency: { p50: 0, p95: 0, p99: 0, count: 0 },
      failures: { timeout: 0, http_4xx: 0, http_5xx: 0, dns: 0, tls: 0, refused: 0, other: 0 },
    }
    for (const [name, zero] of Object.entries(zeros)) {
      const { from, to, bucket, data } = await series(name)
      expect(Date.parse(to) - Date.parse(from)).toBe(DAY_MS)
      expect([bucket, data.length]).toEqual(['hour', 25])
      for (const row of data) expect(row).toEqual({ bucket: expect.any(String), ...zero })
    }
  })

  test('tell by hours up to seven days, and by days one second beyond', async () => {
    const from = '2026-01-01T00:00:00Z'
    const week = await series('outcomes', { from, to: '2026-01-08T00:00:00Z' })
    expect([week.bucket, week.data.length]).toEqual(['hour', 168])
    expect(week.data[1].bucket).toBe('2026-01-01T01:00:00.000Z')
    const longer = await series('outcomes', { from, to: '2026-01-08T00:00:01Z' })
    expect([longer.bucket, longer.data.length]).toEqual(['day', 8])
    expect(longer.data[7].bucket).toBe('2026-01-08T00:00:00.000Z')
  })

  test.each([
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
    ['from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'],
    ['from=yesterday'],
    ['endpointId=none'],
  ])('refuse %s', async (query) => {
    for (const name of ['summary', 'endpoint-health']) {
      const { status, body } = await tenant.get(`/analytics/${name}?${query}`)
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    }
  })

  test('are exact to the minute at both ends of a range of the last day', async () => {
    const hour = lastHour()
    for (const minute of [0, 10, 20, 30]) {
      const at = hour + minute * MINUTE_MS
      await addRollup(insights, tenant, { scopeId: tenant.tenantId, at, succeeded: 1 })
    }
    const [from, to] = [iso(hour + 10 * MINUTE_MS), iso(hour + 30 * MINUTE_MS)]
    const { data } = await series('outcomes', { from, to })
    expect(data).toEqual([{ bucket: iso(hour), success: 2, failure: 0, timeout: 0 }])
  })

  test('count by outcome and category, and tell percentiles', async () => {
    const hour = lastHour()
    const scopeId = tenant.tenantId
    await addRollup(insights, tenant, { scopeId, at: hour, accepted: 3_600, succeeded: 98 })
    await addRollup(insights, tenant, { scopeId, at: hour, timeout: 1, http4xx: 1, dead: 1 })
    await addRollup(insights, tenant, { scopeId, at: hour, cell: [cellOf(100), 94] })
    await addRollup(insights, tenant, { scopeId, at: hour, cell: [cellOf(5_000), 4] })
    await addRollup(insights, tenant, { scopeId, at: hour, cell: [cellOf(30_000), 2] })
    const range = { from: iso(hour), to: iso(hour + HOUR_MS) }
    expect((await series('summary', range)).data[0]).toMatchObject({
      sent: 3_600,
      delivered: 98,
      failed: 2,
      deadLettered: 1,
      attempts: 100,
      successRate: 98,
    })
    expect((await series('outcomes', range)).data[0]).toMatchObject({
      success: 98,
      failure: 1,
      timeout: 1,
    })
    expect((await series('throughput', range)).data[0]).toMatchObject({
      accepted: 3_600,
      delivered: 98,
      perSecond: 1,
    })
    expect((await series('failures', range)).data[0]).toMatchObject({ timeout: 1, http_4xx: 1 })
    const { p50, p95, p99, count } = (await series('latency', range)).data[0]
    expect(count).toBe(100)
    for (const [read, exact] of [
      [p50, 100],
      [p95, 5_000],
      [p99, 30_000],
    ]) {
      expect(Math.abs(read - exact) / exact).toBeLessThan(0.045)
    }
  })

  test('are narrowed to an endpoint, a project and their tenant', async () => {
    const at = lastHour()
    const endpointId = await insights.addEndpoint(tenant)
    await addRollup(insights, tenant, { scopeId: tenant.tenantId, at, succeeded: 7 })
    await addRollup(insights, tenant, { scopeId: tenant.projectId, at, succeeded: 5 })
    await addRollup(insights, tenant, { scopeId: endpointId, at, succeeded: 3 })
    const other = newId()
    await insights.pool.query(
      `INSERT INTO projects (tenant_id, id, name, environment) VALUES ($1, $2, 'O', 'staging')`,
      [tenant.tenantId, other],
    )
    const range = { from: iso(at), to: iso(at + HOUR_MS) }
    const delivered = async (query: object, headers = {}): Promise<number> =>
      (await series('summary', { ...range, ...query }, headers)).data[0].delivered
    expect(await delivered({})).toBe(7)
    expect(await delivered({}, { 'X-Project-ID': tenant.projectId })).toBe(5)
    expect(await delivered({ endpointId })).toBe(3)
    expect(await delivered({ endpointId }, { 'X-Project-ID': other })).toBe(0)
    expect(await delivered({ endpointId: newId() })).toBe(0)
    tenant = await insights.addTenant()
    expect(await delivered({ endpointId })).toBe(0)
  })
})

describe('the health of endpoints', () => {
  test('is told worst first, with circuits and what waits', async () => {
    const at = lastHour()
    const [well, ill, idle, open] = [
      await insights.addEndpoint(tenant),
      await insights.addEndpoint(tenant),
      await insights.addEndpoint(tenant, { url: null, deliveryMode: 'poll' }),
      await insights.addEndpoint(tenant),
    ]
    await addRollup(insights, tenant, { scopeId: well, at, succeeded: 4, cell: [cellOf(50), 4] })
    await addRollup(insights, tenant, { scopeId: ill, at, succeeded: 1, timeout: 3 })
    await insights.pool.query(
      `INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
       SELECT $1, $2, 5, n, gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 3) n`,
      [tenant.tenantId, ill],
    )
    const policy = { threshold: 1, resetMs: 60_000 }
    await insights.state.reportCircuit(
      open,
      { signal: 'failure', isProbe: false, durationMs: 5 },
      policy,
    )
    const { body } = await tenant.get('/analytics/endpoint-health')
    expect(body.data.map((one: { endpointId: string }) => one.endpointId)).toEqual([
      open,
      ill,
      well,
      idle,
    ])
    expect(body.data[0]).toMatchObject({ circuitState: 'open', deliveryRate: null })
    expect(Date.parse(body.data[0].openUntil)).toBeGreaterThan(Date.now())
    expect(body.data[1]).toMatchObject({ deliveryRate: 25, waiting: 3, status: 'active' })
    expect(body.data[2]).toEqual({
      endpointId: well,
      url: 'https://example.com/',
      status: 'active',
      deliveryRate: 100,
      p95Ms: expect.any(Number),
      circuitState: 'closed',
      openUntil: null,
      lastSuccessAt: iso(at),
      lastFailureAt: null,
      waiting: 0,
    })
    expect(body.data[3]).toMatchObject({ url: null, deliveryRate: null, p95Ms: null })
    const one = await tenant.get(`/analytics/endpoint-health?endpointId=${ill}`)
    expect(one.body.data).toHaveLength(1)
  })
})
