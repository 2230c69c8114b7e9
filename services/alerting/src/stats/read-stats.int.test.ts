/**
 * What a look at the stats of a few tenants costs on an installation with very many others: the
 * rows of those few, by a plan that was made while the tables were small.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import type { Pool } from '@posthorn/store/pool'
import { openTestStore, type TestStore } from '@posthorn/store/store.fixture'
import { READ_STATS } from './read-stats.ts'

const TENANTS = 10_000
const WATCHED = 5
const SECONDS = 6
const TABLES = ['due', 'parked', 'lane_waiting', 'events', 'rollup_moments']

let stage: TestStore
let client: { query: Pool['query']; release(broken: boolean): void }
beforeAll(async () => {
  stage = await openTestStore()
  client = await stage.pool.connect()
  await client.query('SET plan_cache_mode = force_generic_plan')
  await client.query(`PREPARE live (uuid[]) AS ${READ_STATS}`)
})
afterAll(async () => {
  client.release(true)
  await stage.close()
})

async function fill(tenantIds: readonly string[]): Promise<void> {
  const ids = tenantIds.map(() => newId())
  for (const statement of [
    `INSERT INTO due (tenant_id, id, kind, due_at, leased)
     SELECT t, id, 1, now(), false FROM unnest($1::uuid[], $2::uuid[]) AS x (t, id)`,
    `INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
     SELECT t, id, 5, 1, id, id FROM unnest($1::uuid[], $2::uuid[]) AS x (t, id)`,
    `INSERT INTO lane_waiting (tenant_id, endpoint_id, lane, position, delivery_id)
     SELECT t, id, '', 1, id FROM unnest($1::uuid[], $2::uuid[]) AS x (t, id)`,
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id,
       dead_count)
     SELECT t, id, id, '', '{}', 5, '', 1 FROM unnest($1::uuid[], $2::uuid[]) AS x (t, id)`,
    `INSERT INTO rollup_moments (tenant_id, bucket, accepted, delivered)
     SELECT t, date_trunc('second', now()) - n * interval '1 second', 1, 1
     FROM unnest($1::uuid[], $2::uuid[]) AS x (t, id), generate_series(1, ${SECONDS}) n`,
  ])
    await client.query(statement, [tenantIds, ids])
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** Rows that are read from the tables, also those that are then left out. */
function rowsRead(node: PlanNode): number {
  const isOfTable = TABLES.some((name) => node['Relation Name']?.startsWith(name) === true)
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const own = isOfTable ? rows * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own)
}

async function costOf(tenantIds: readonly string[]): Promise<{ rows: number; blocks: number }> {
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE live ('{${tenantIds.join(',')}}')`,
  )
  const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan
  return { rows: rowsRead(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
}

test('five tenants that are watched among 10,000 cost as much as five alone', async () => {
  const tenantIds = Array.from({ length: TENANTS }, () => newId())
  const watched = tenantIds.slice(0, WATCHED)
  await fill(watched)
  const alone = await costOf(watched)
  await fill(tenantIds.slice(WATCHED))
  const among = await costOf(watched)
  expect(among.rows).toBe(alone.rows)
  expect(among.rows).toBe(WATCHED * (TABLES.length - 1 + SECONDS))
  // Indexes are higher by a level or two.
  expect(among.blocks).toBeLessThan(3 * alone.blocks)
  expect((await costOf(watched.slice(0, 1))).rows).toBe(among.rows / WATCHED)
}, 60_000)
