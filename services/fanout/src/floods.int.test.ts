/** Events that go to many endpoints, on a real Postgres: they are written apart, and leave time. */
import { afterEach, expect, test } from '@jest/globals'
import { findBroken } from '@posthorn/store/invariants.fixture'
import type { Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { startTestFanout, type TestFanout } from './fanout.fixture.ts'

interface Statement {
  beganAt: number
  endedAt: number
}

let fanout: TestFanout
afterEach(async () => await fanout.close())

/** Notes when each statement began and ended that writes deliveries. */
function timed(statements: Statement[]): (pool: Pool) => Pool {
  return (pool) => {
    const query = pool.query.bind(pool) as (statement: { name?: string }) => Promise<unknown>
    return Object.assign(Object.create(pool) as Pool, {
      connect: pool.connect.bind(pool),
      async query(statement: { name?: string }) {
        const beganAt = performance.now()
        const answer = await query(statement)
        if (statement.name?.startsWith('fan-out ') === true)
          statements.push({ beganAt, endedAt: performance.now() })
        return answer
      },
    })
  }
}

async function deliveriesByEvent(tenantId: string): Promise<Map<string, number>> {
  const { rows } = await fanout.pool.query<{ id: string; count: number }>(
    'SELECT event_id AS id, count(*)::int AS count FROM deliveries WHERE tenant_id = $1 GROUP BY 1',
    [tenantId],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

async function addFlooder(endpoints: number) {
  const tenant = await fanout.addTenant()
  for (let n = 0; n < endpoints; n += 1) await fanout.addEndpoint(tenant, {})
  return tenant
}

test('two instances that hear of the same flood make each of its deliveries once', async () => {
  fanout = await startTestFanout(2)
  const tenant = await addFlooder(60)
  const ids = await fanout.accept(
    tenant,
    Array.from({ length: 100 }, () => '{}'),
  )
  fanout.announce(tenant.tenantId, ids)
  fanout.announce(tenant.tenantId, ids.toReversed())
  await eventually(async () => (await deliveriesByEvent(tenant.tenantId)).size === 100)
  const counts = await deliveriesByEvent(tenant.tenantId)
  expect([...counts.values()]).toEqual(Array(100).fill(60))
  await eventually(() => fanout.announced.length === 6_000)
  expect(await findBroken(fanout.pool)).toEqual([])
})

test('between two statements of a flood that others go beside there is time for them', async () => {
  const statements: Statement[] = []
  fanout = await startTestFanout(1, timed(statements))
  const tenant = await addFlooder(100)
  const ids = await fanout.accept(
    tenant,
    Array.from({ length: 40 }, () => '{}'),
  )
  const saying = setInterval(() => fanout.congest(tenant.tenantId), 20)
  try {
    fanout.congest(tenant.tenantId)
    fanout.announce(tenant.tenantId, ids)
    await eventually(() => statements.length >= 8)
  } finally {
    clearInterval(saying)
  }
  const pauses = statements.slice(1).map(({ beganAt }, n) => {
    const before = statements[n] as Statement
    return (beganAt - before.endedAt) / (before.endedAt - before.beganAt)
  })
  // Seven tenths of what the statement took, and timers may be a millisecond early.
  expect(Math.min(...pauses)).toBeGreaterThan(0.5)
})
