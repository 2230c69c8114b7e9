/**
 * How the events of one tenant affect those of others, and one event those behind it, on a real
 * Postgres.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import { findBroken } from '@posthorn/store/invariants.fixture'
import { replayEvents } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { startTestFanout, type Tenant, type TestFanout } from './fanout.fixture.ts'

let fanout: TestFanout
/** Makes reads of the tenant's subscriptions fail. */
let unreadable: string | null
/** How many of these reads there were, and what each waits for before it fails. */
let failedReads: number
let beforeFailing: Promise<void>

beforeEach(async () => {
  unreadable = null
  failedReads = 0
  beforeFailing = Promise.resolve()
  fanout = await startTestFanout(1, failUnreadable)
})
afterEach(async () => await fanout.close())

function failUnreadable(pool: Pool): Pool {
  const query = pool.query.bind(pool) as (statement: {
    name?: string
    values?: unknown[]
  }) => unknown
  return Object.assign(Object.create(pool) as Pool, {
    connect: pool.connect.bind(pool),
    query: async (statement: { name?: string; values?: unknown[] }) => {
      const [tenantIds] = (statement.values ?? []) as [string[]?]
      if (
        statement.name === 'read-subscriptions' &&
        unreadable !== null &&
        tenantIds?.includes(unreadable)
      ) {
        failedReads += 1
        await beforeFailing
        return await pool.query('SELECT 1 / 0')
      }
      return await query(statement)
    },
  })
}

async function addTenant(endpoints: readonly Partial<EndpointConfig>[]): Promise<Tenant> {
  const tenant = await fanout.addTenant()
  for (const config of endpoints) await fanout.addEndpoint(tenant, config)
  return tenant
}

async function accept(tenant: Tenant, payloads: readonly unknown[]): Promise<string[]> {
  return await fanout.accept(
    tenant,
    payloads.map((payload) => JSON.stringify(payload)),
  )
}

/** Announces again what is due, as the scheduler does. */
async function sweep(): Promise<void> {
  for (const { tenantId, eventId } of (await sweepDue(fanout.pool, 100)).events)
    fanout.announce(tenantId, [eventId])
}

async function fannedOut({ tenantId }: Tenant): Promise<string[]> {
  const { rows } = await fanout.pool.query<{ id: string }>(
    `SELECT id FROM events WHERE tenant_id = $1 AND fanned_out_at IS NOT NULL AND dead_count = 0
      ORDER BY seq`,
    [tenantId],
  )
  return rows.map(({ id }) => id)
}

async function laneOf({ tenantId }: Tenant): Promise<string[]> {
  const { rows } = await fanout.pool.query<{ id: string }>(
    `SELECT d.event_id AS id FROM deliveries d LEFT JOIN lane_waiting w ON w.delivery_id = d.id
     WHERE d.tenant_id = $1 ORDER BY w.position NULLS FIRST`,
    [tenantId],
  )
  return rows.map(({ id }) => id)
}

async function deadOf({ tenantId }: Tenant): Promise<{ id: string; reason: string }[]> {
  const { rows } = await fanout.pool.query<{ id: string; reason: string }>(
    `SELECT id, dead_reason AS reason FROM events WHERE tenant_id = $1 AND dead_count > 0`,
    [tenantId],
  )
  return rows
}

const countOf = (name: string): number => fanout.lines.filter((line) => line.name === name).length

/** Makes Postgres refuse a delivery of this event with `code`. */
async function refuse(eventId: string, code: string): Promise<void> {
  await fanout.pool.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.event_id = '${eventId}' THEN
        RAISE EXCEPTION 'refused' USING ERRCODE = '${code}';
      END IF;
      RETURN NEW;
    END $$`)
  await fanout.pool.query('DROP TRIGGER IF EXISTS refuse ON deliveries')
  await fanout.pool.query(
    'CREATE TRIGGER refuse BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse()',
  )
}

test('beside a tenant with lanes and expensive filters another tenant’s events are fanned out at once', async () => {
  const filter = [
    { field: '$.text', operator: 'regex', value: `${'[ab]'.repeat(30)}$` } as const,
    { field: '$.text', operator: 'contains', value: `${'a'.repeat(200)}b` } as const,
  ]
  const hostile = await addTenant(
    Array.from({ length: 20 }, () => ({ fifo: true, filter: filter as EndpointConfig['filter'] })),
  )
  const neighbour = await addTenant([{}])
  const text = 'a'.repeat(60_000)
  const flood = await accept(hostile, Array(40).fill({ text }))
  fanout.announce(hostile.tenantId, flood)
  for (let n = 0; n < 5; n += 1) {
    const ids = await accept(neighbour, [n])
    fanout.announce(neighbour.tenantId, ids)
    await eventually(async () => expect(await fannedOut(neighbour)).toHaveLength(n + 1))
  }
  const before = (await fannedOut(hostile)).length
  expect(before).toBeLessThan(flood.length)
  await eventually(async () => expect(await fannedOut(hostile)).toEqual(flood), {
    timeoutMs: 60_000,
  })
  expect(await findBroken(fanout.pool)).toEqual([])
}, 90_000)

test.each([
  [
    'with a payload that is no JSON',
    async (id: string) => {
      await fanout.pool.query(`UPDATE events SET payload = '{' WHERE id = $1`, [id])
    },
  ],
  ['which Postgres refuses', async (id: string) => await refuse(id, '22000')],
] as const)(
  'in order, an event %s is given up after three rounds, and those behind it go on',
  async (_, spoil) => {
    const tenant = await addTenant([{ fifo: true, fifoPartitionKey: '$.n' }])
    const other = await addTenant([{ fifo: true }])
    const [first, poison, ...behind] = await accept(tenant, Array(6).fill({ n: 1 }))
    await spoil(poison ?? '')
    fanout.announce(tenant.tenantId, [...behind, poison ?? '', first ?? ''])
    await eventually(async () => expect(await laneOf(tenant)).toEqual([first]))
    await eventually(() => expect(countOf('event.fan-out-failed')).toBe(1))
    const others = await accept(other, [1, 2])
    fanout.announce(other.tenantId, others)
    await eventually(async () => expect(await laneOf(other)).toEqual(others))
    expect(await deadOf(tenant)).toEqual([])

    await eventually(async () => {
      await sweep()
      expect(await laneOf(tenant)).toEqual([first, ...behind])
    })
    expect(countOf('event.fan-out-failed')).toBe(3)
    expect(await deadOf(tenant)).toEqual([
      { id: poison, reason: expect.stringMatching(/^could not be fanned out: /) },
    ])
    expect(await findBroken(fanout.pool)).toEqual([])
  },
)

test('without lanes only the event itself fails, and a replay sends it through fan-out again', async () => {
  const tenant = await addTenant([{}])
  const [first, poison, last] = await accept(tenant, [1, 2, 3])
  await refuse(poison ?? '', '23502')
  fanout.announce(tenant.tenantId, [first ?? '', poison ?? '', last ?? ''])
  await eventually(async () => expect(await fannedOut(tenant)).toEqual([first, last]))
  await eventually(async () => {
    await sweep()
    expect(await deadOf(tenant)).toHaveLength(1)
  })
  expect(await findBroken(fanout.pool)).toEqual([])

  await fanout.pool.query('DROP TRIGGER refuse ON deliveries')
  const { eventIds } = await replayEvents(fanout.pool, tenant.tenantId, [first ?? '', poison ?? ''])
  expect([...eventIds]).toEqual([poison])
  expect(await findBroken(fanout.pool)).toEqual([])
  await eventually(async () => {
    await sweep()
    expect(await fannedOut(tenant)).toEqual([first, poison, last])
  })
  expect(await deadOf(tenant)).toEqual([])
})

test.each([
  ['shuts down', '57P01'],
  ['has no connection left', '53300'],
  ['runs into its timeout', '57014'],
  ['lacks the partition', '23514'],
  ['has another schema', '42703'],
])('no event dies while the store %s', async (_, code) => {
  const inOrder = await addTenant([{ fifo: true }])
  const plain = await addTenant([{}])
  for (const tenant of [inOrder, plain]) {
    const [eventId = ''] = await accept(tenant, [1])
    await refuse(eventId, code)
    for (let round = 1; round <= 4; round += 1) {
      fanout.lines.length = 0
      fanout.announce(tenant.tenantId, [eventId])
      await eventually(() => expect(countOf('events.not-fanned-out')).toBe(1))
    }
    expect(await deadOf(tenant)).toEqual([])
    await fanout.pool.query('DROP TRIGGER refuse ON deliveries')
    fanout.announce(tenant.tenantId, [eventId])
    await eventually(async () => expect(await fannedOut(tenant)).toEqual([eventId]))
  }
})

test('a configuration that can’t be read fails only its own tenant’s events', async () => {
  const [broken, sound] = [await addTenant([{}]), await addTenant([{}])]
  unreadable = broken.tenantId
  const [lost = ''] = await accept(broken, [1])
  const ids = await accept(sound, [1, 2])
  fanout.announce(broken.tenantId, [lost])
  fanout.announce(sound.tenantId, ids)
  await eventually(async () => expect(await fannedOut(sound)).toEqual(ids))
  await eventually(() => expect(countOf('events.not-fanned-out')).toBe(1))
  expect(await fannedOut(broken)).toEqual([])
  unreadable = null
  fanout.announce(broken.tenantId, [lost])
  await eventually(async () => expect(await fannedOut(broken)).toEqual([lost]))
})

test('one whose read fails after its batch has gone on fails them too, and is not read again', async () => {
  const [broken, sound] = [await addTenant([{}]), await addTenant([{}])]
  unreadable = broken.tenantId
  const failing = Promise.withResolvers<void>()
  beforeFailing = failing.promise
  const [lost = ''] = await accept(broken, [1])
  fanout.announce(broken.tenantId, [lost])
  await eventually(() => expect(failedReads).toBe(1))
  const ids = await accept(sound, [1])
  fanout.announce(sound.tenantId, ids)
  await eventually(async () => expect(await fannedOut(sound)).toEqual(ids))
  expect(countOf('events.not-fanned-out')).toBe(0)

  failing.resolve()
  await eventually(() => expect(countOf('events.not-fanned-out')).toBe(1))
  // With others, and then alone.
  expect(failedReads).toBe(2)
})
