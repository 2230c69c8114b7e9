/**
 * Events of tenants with and without FIFO endpoints, through two instances of the service on a real
 * Postgres.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import type { Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { startTestFanout, type TestFanout } from './fanout.fixture.ts'

let fanout: TestFanout
/** The number of transactions that were begun: fan-out without lanes needs none. */
let locks: number

beforeEach(async () => {
  locks = 0
  fanout = await startTestFanout(2, (pool) => {
    const connect = pool.connect.bind(pool) as () => ReturnType<Pool['connect']>
    return Object.assign(Object.create(pool) as Pool, {
      query: pool.query.bind(pool),
      connect: () => {
        locks += 1
        return connect()
      },
    })
  })
})
afterEach(async () => {
  await fanout.close()
  expect(fanout.lines.filter(({ level }) => level === 'error')).toEqual([])
})

async function addTenant(config: Partial<EndpointConfig>) {
  const tenant = await fanout.addTenant()
  return { ...tenant, endpointId: await fanout.addEndpoint(tenant, config) }
}

async function accept(
  tenant: { tenantId: string; projectId: string },
  payloads: readonly unknown[],
): Promise<string[]> {
  return await fanout.accept(
    tenant,
    payloads.map((payload) => JSON.stringify(payload)),
  )
}

async function fannedOut(tenantId: string, count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await fanout.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM events WHERE tenant_id = $1 AND fanned_out_at IS NOT NULL',
      [tenantId],
    )
    expect(rows[0]?.n).toBe(count)
  })
}

/** The events of each lane in their order: its head, then those behind it. */
async function lanesOf(tenantId: string): Promise<Record<string, string[]>> {
  const { rows } = await fanout.pool.query<{ lane: string; eventIds: string[] }>(
    `SELECT lane, array_agg(event_id::text ORDER BY position) AS "eventIds" FROM (
       SELECT l.lane, 0 AS position, d.event_id FROM lanes l JOIN deliveries d ON d.id = l.head
         WHERE l.tenant_id = $1
       UNION ALL
       SELECT w.lane, w.position, d.event_id FROM lane_waiting w
         JOIN deliveries d ON d.id = w.delivery_id
       WHERE w.tenant_id = $1
     ) placed GROUP BY lane`,
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ lane, eventIds }) => [lane, eventIds]))
}

test('events announced to two instances in any order, or never, are in lanes in the order of acceptance', async () => {
  const tenant = await addTenant({ fifo: true, fifoPartitionKey: '$.customer' })
  const expected: Record<string, string[]> = { '1': [], '"a"': [], missing: [] }
  const all: string[] = []
  for (let round = 0; round < 8; round += 1) {
    const payloads = [{ customer: 1 }, { customer: 'a' }, {}, { customer: 1 }, {}]
    const ids = await accept(tenant, payloads)
    all.push(...ids)
    expected['1']?.push(ids[0] as string, ids[3] as string)
    expected['"a"']?.push(ids[1] as string)
    expected['missing']?.push(ids[2] as string, ids[4] as string)
    // The last event of each round is announced first, and those of the round before are announced
    // again.
    for (const id of [...ids].reverse()) fanout.announce(tenant.tenantId, [id])
    if (round > 0) fanout.announce(tenant.tenantId, all.slice(-10, -5))
  }
  await fannedOut(tenant.tenantId, all.length)
  expect(await lanesOf(tenant.tenantId)).toEqual(expected)
  const heads = Object.entries(expected).map(([lane, ids]) => [lane, ids[0]])
  // Deliveries are announced once what has been written is known to be.
  await eventually(() => {
    const announced = fanout.announced.map((one) =>
      one.kind === 'delivery' ? [one.lane, one.eventId] : [],
    )
    expect(announced.sort()).toEqual(heads.sort())
  })
})

// Two events of one lane came with their messages swapped. The later one's message was used for the
// earlier event, the earlier one's was then ignored, and the later event waited for its lease.
test('each message lets one event through, whichever it names', async () => {
  const tenant = await addTenant({ fifo: true })
  const [first, second, third] = await accept(tenant, [1, 2, 3])
  for (const [named, expected] of [
    [third, [first]],
    [first, [first, second]],
    [first, [first, second, third]],
  ] as const) {
    fanout.announce(tenant.tenantId, [named ?? ''])
    await eventually(async () => expect((await lanesOf(tenant.tenantId))['']).toEqual(expected))
  }
})

test('a tenant without a FIFO endpoint is not locked, and one in poll mode has no lanes', async () => {
  const plain = await addTenant({})
  const polled = await addTenant({ fifo: true, deliveryMode: 'poll' })
  for (const tenant of [plain, polled]) {
    fanout.announce(tenant.tenantId, await accept(tenant, [1, 2, 3]))
    await fannedOut(tenant.tenantId, 3)
    expect(await lanesOf(tenant.tenantId)).toEqual({})
  }
  expect(locks).toBe(0)
  const fifo = await addTenant({ fifo: true })
  fanout.announce(fifo.tenantId, await accept(fifo, [1, 2, 3]))
  await fannedOut(fifo.tenantId, 3)
  expect(locks).toBeGreaterThan(0)
})

test('FIFO takes effect with the next event, and earlier deliveries stay out of the lane', async () => {
  const tenant = await addTenant({ fifo: false })
  fanout.announce(tenant.tenantId, await accept(tenant, [1]))
  await fannedOut(tenant.tenantId, 1)
  await fanout.pool.query(
    `UPDATE endpoints SET config = config || '{"fifo": true}' WHERE id = $1`,
    [tenant.endpointId],
  )
  await fanout.pool.query('UPDATE tenants SET config_version = config_version + 1 WHERE id = $1', [
    tenant.tenantId,
  ])
  const [second, third] = await accept(tenant, [2, 3])
  // The second event is not announced.
  fanout.announce(tenant.tenantId, [third ?? ''])
  await eventually(async () => expect((await lanesOf(tenant.tenantId))['']).toEqual([second]))
  fanout.announce(tenant.tenantId, [second ?? ''])
  fanout.announce(tenant.tenantId, [third ?? ''])
  await eventually(async () =>
    expect((await lanesOf(tenant.tenantId))['']).toEqual([second, third]),
  )
})

test('an event that is announced several times at once gets its delivery once, and its counts are right', async () => {
  const tenant = await addTenant({ fifo: false })
  const [eventId = ''] = await accept(tenant, [{ n: 1 }])
  fanout.announce(tenant.tenantId, [eventId, eventId, eventId, eventId, eventId, eventId])
  await fannedOut(tenant.tenantId, 1)
  const { rows } = await fanout.pool.query(
    `SELECT (SELECT count(*)::int FROM deliveries d WHERE d.event_id = e.id) AS deliveries,
      open_count AS open
     FROM events e WHERE id = $1`,
    [eventId],
  )
  expect(rows).toEqual([{ deliveries: 1, open: 1 }])
})
