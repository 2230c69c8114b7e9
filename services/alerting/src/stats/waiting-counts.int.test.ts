/** What it costs to tell how many deliveries wait at the endpoints of a workspace. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Pool } from '@posthorn/store/pool'
import { type InsightsTenant, startTestInsights, type TestInsights } from '../insights.fixture.ts'
import { COUNT_PARKED, createWaitingCounts } from './waiting-counts.ts'

const ENDPOINTS = 20
const PARKED = 30

let server: TestInsights
let tenant: InsightsTenant
let endpointIds: string[]
beforeAll(async () => {
  server = await startTestInsights()
  tenant = await server.addTenant()
  endpointIds = []
  for (let nth = 0; nth < ENDPOINTS; nth += 1) endpointIds.push(await server.addEndpoint(tenant))
  await park(endpointIds, PARKED)
})
afterAll(async () => await server.close())

async function park(targetIds: readonly string[], rows: number): Promise<void> {
  await server.pool.query(
    `INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
     SELECT $1, t, 5, n, gen_random_uuid(), gen_random_uuid()
     FROM unnest($2::uuid[]) AS t, generate_series(1, $3) n`,
    [tenant.tenantId, targetIds, rows],
  )
}

/** The real pool, and how many statements went through it. */
function counted(): { pool: Pool; statements(): number } {
  let statements = 0
  const query = async (asked: { name: string; text: string; values: unknown[] }) => {
    statements += 1
    return await server.pool.query(asked)
  }
  return { pool: { query } as unknown as Pool, statements: () => statements }
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

function rowsRead(node: PlanNode, table: string): number {
  const own = node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), own)
}

const all = () => ({ tenantId: tenant.tenantId, projectId: null })

test('a count reads a bounded number of rows, however many endpoints have a backlog', async () => {
  const together = 100
  const { rows } = await server.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${COUNT_PARKED}`, [
    tenant.tenantId,
    null,
    null,
    together,
  ])
  const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan
  // One row of each tells that it has a backlog, and one that there is more.
  expect(rowsRead(plan, 'parked')).toBeLessThanOrEqual(together + 2 * ENDPOINTS)
})

test('with many backlogs each is counted up to its share, and says so', async () => {
  const deps = { pool: server.pool, nowMs: () => 0 }
  const few = await createWaitingCounts({ maxTogether: 100 }, deps).ofAll(all())
  expect(new Map(few)).toEqual(new Map(endpointIds.map((id) => [id, { waiting: 5, capped: true }])))
  const most = await createWaitingCounts({}, deps).ofAll(all())
  expect(new Map(most)).toEqual(new Map(endpointIds.map((id) => [id, { waiting: PARKED }])))
  const one = createWaitingCounts({ maxTogether: 100 }, deps)
  expect(await one.of(tenant.tenantId, endpointIds[0] ?? '')).toEqual({ waiting: PARKED })
})

test('those who ask at the same time share a count, and a dear one is kept for a while', async () => {
  const { pool, statements } = counted()
  let now = 0
  const counts = createWaitingCounts({}, { pool, nowMs: () => now })
  const [first, second] = await Promise.all([counts.ofAll(all()), counts.ofAll(all())])
  expect(second).toBe(first)
  expect(statements()).toBe(1)
  // It has read 600 rows, and is kept for 6 ms.
  now = 5
  expect(await counts.ofAll(all())).toBe(first)
  now = 6
  expect(await counts.ofAll(all())).toEqual(first)
  expect(statements()).toBe(2)
  const other = await server.addTenant()
  expect((await counts.ofAll({ tenantId: other.tenantId, projectId: null })).size).toBe(0)
})

test('the routes tell a count that stopped', async () => {
  const [id = ''] = endpointIds
  await park([id], 10_001)
  const health = await tenant.get(`/analytics/endpoint-health?endpointId=${id}`)
  expect(health.body.data[0]).toMatchObject({ waiting: 10_000, capped: true })
  const limits = await tenant.get('/metrics/rate-limits')
  const shown = limits.body.endpoints as { id: string }[]
  expect(shown.find((one) => one.id === id)).toMatchObject({ waiting: 10_000, capped: true })
  const others = shown.filter((one) => one.id !== id)
  expect(others).toEqual(others.map(() => expect.objectContaining({ waiting: PARKED })))
  expect(others.every((one) => !('capped' in one))).toBe(true)
})
