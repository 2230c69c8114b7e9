/** How a page is found that two filters leave nothing of: by indexes alone, whatever they yield. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { createFindEvents, type EventFilter } from './find-events.ts'

/** More than the first step and its successor read. */
const EACH = 10_000
const tenantId = newId()
const projectId = newId()
let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 2, name: 'find events', onError: () => {} })
  // In turns, so that neither filter has a stretch without events of the other.
  const ids = Array.from({ length: 2 * EACH }, newId)
  await pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id,
       event_type, dead_count, fanned_out_at, ended_at)
     SELECT $1, id, $2, id, repeat('x', 400), 5, '', CASE WHEN n % 2 = 0 THEN 'a' ELSE 'b' END,
       n % 2, now(), now()
     FROM unnest($3::uuid[]) WITH ORDINALITY AS i (id, n)`,
    [tenantId, projectId, ids],
  )
  // What an index says of a row is believed once vacuum has seen its page.
  await pool.query('VACUUM (ANALYZE) events')
}, 60_000)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

interface Step {
  text: string
  values: unknown[]
}

/** The statements that look for events, in their order. */
async function stepsOf(filter: Partial<EventFilter>): Promise<{ steps: Step[]; found: number }> {
  const steps: Step[] = []
  const noted = {
    async query(text: string, values: unknown[]) {
      if (text.includes('looked')) steps.push({ text, values })
      return await pool.query(text, values)
    },
  }
  const find = createFindEvents({ pool: noted as unknown as Pool, now: () => 0 })
  const { ids } = await find({ tenantId, projectId: null, ...filter }, 20)
  return { steps, found: ids.length }
}

test('rows are read only where they pass both filters: after a first step, indexes tell', async () => {
  const { steps, found } = await stepsOf({ eventType: 'a', status: 'dead' })
  expect(found).toBe(0)
  expect(steps.length).toBeGreaterThan(2)
  const { text, values } = steps.at(-1) as Step
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) ${text}`,
    values,
  )
  const plan = rows.map((row) => row['QUERY PLAN'])
  const scans = plan.filter((line) => /Scan .*\bon events_\d+/.test(line))
  const executed = scans.filter((line) => !line.includes('never executed'))
  // The filter that drives, and the other one, looked up for each id of it.
  expect(executed.filter((line) => line.includes('Index Only Scan')).length).toBeGreaterThan(1)
  for (const line of executed) expect(line).toMatch(/Index Only Scan|rows=0/)
  expect(plan.join('\n')).not.toMatch(/Seq Scan on events_/)
})

test('with one filter no row is looked at beyond the page', async () => {
  const { steps, found } = await stepsOf({ eventType: 'a' })
  expect([steps.length, found]).toEqual([1, 20])
})
