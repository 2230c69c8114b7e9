/**
 * How the events of one tenant affect those of others, and one event those behind it, on a real
 * Postgres.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '@posthorn/store/invariants.fixture'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { replayEvents } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { createFanout, type FanoutDeps } from './app.ts'

let database: TestDatabase
let pool: Pool
let stop: () => Promise<void>
let announce: (tenantId: string, eventIds: readonly string[]) => void
/** Makes reads of the tenant's subscriptions fail. */
let unreadable: string | null
const lines: ({ name: string } & Record<string, unknown>)[] = []

beforeEach(async () => {
  lines.length = 0
  unreadable = null
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 8, name: 'test', onError: () => {} })
  await start()
})
afterEach(async () => {
  await stop()
  await pool.end()
  await database.drop()
})

async function start(): Promise<void> {
  const fail = (failure: unknown): void => void lines.push({ name: 'bus.failed', failure })
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const write = (name: string, fields = {}): void => void lines.push({ name, ...fields })
  const query = pool.query.bind(pool) as (statement: {
    name?: string
    values?: unknown[]
  }) => unknown
  const failing = Object.assign(Object.create(pool) as Pool, {
    connect: pool.connect.bind(pool),
    query: async (statement: { name?: string; values?: unknown[] }) => {
      if (statement.name === 'read-subscriptions' && statement.values?.[0] === unreadable)
        return await pool.query('SELECT 1 / 0')
      return await query(statement)
    },
  })
  const log = { debug: write, info: write, warn: write, error: write, flush: () => {} }
  const service = createFanout({
    pool: failing,
    bus,
    log,
    metrics: { count: () => {} },
  } as unknown as FanoutDeps)
  await service.start()
  announce = (tenantId, eventIds) =>
    void bus.announce(
      'event.accepted',
      eventIds.map((eventId) => ({ v: 1, tenantId, eventId })),
    )
  stop = async () => {
    await service.stop(1_000)
    await bus.close(1_000)
  }
}

interface Tenant {
  tenantId: string
  projectId: string
}

async function addTenant(endpoints: readonly Partial<EndpointConfig>[]): Promise<Tenant> {
  const [tenantId, projectId] = [newId(), newId()]
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'self_hosted', '')`,
    [tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'P', 'production', true)`,
    [tenantId, projectId],
  )
  for (const config of endpoints) {
    await pool.query(
      `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
       VALUES ($1, $2, $3, 'active', 1, $4)`,
      [tenantId, newId(), projectId, JSON.stringify({ eventTypes: ['*'], ...config })],
    )
  }
  return { tenantId, projectId }
}

async function accept(tenant: Tenant, payloads: readonly unknown[]): Promise<string[]> {
  const events = payloads.map((payload) => {
    const id = newId()
    return {
      ...tenant,
      id,
      idempotencyKey: id,
      destination: null,
      targetId: null,
      eventType: 'order.paid',
      payload: JSON.stringify(payload),
      headers: null,
      maxAttempts: null,
      priority: 5,
      traceId: 'trace',
      delaySeconds: 0,
    }
  })
  await acceptEvents(pool, events)
  return events.map(({ id }) => id)
}

/** Announces again what is due, as the scheduler does. */
async function sweep(): Promise<void> {
  for (const { tenantId, eventId } of (await sweepDue(pool, 100)).events)
    announce(tenantId, [eventId])
}

async function fannedOut({ tenantId }: Tenant): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM events WHERE tenant_id = $1 AND fanned_out_at IS NOT NULL AND dead_count = 0
      ORDER BY seq`,
    [tenantId],
  )
  return rows.map(({ id }) => id)
}

async function laneOf({ tenantId }: Tenant): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT d.event_id AS id FROM deliveries d LEFT JOIN lane_waiting w ON w.delivery_id = d.id
     WHERE d.tenant_id = $1 ORDER BY w.position NULLS FIRST`,
    [tenantId],
  )
  return rows.map(({ id }) => id)
}

async function deadOf({ tenantId }: Tenant): Promise<{ id: string; reason: string }[]> {
  const { rows } = await pool.query<{ id: string; reason: string }>(
    `SELECT id, dead_reason AS reason FROM events WHERE tenant_id = $1 AND dead_count > 0`,
    [tenantId],
  )
  return rows
}

const countOf = (name: string): number => lines.filter((line) => line.name === name).length

/** Makes Postgres refuse a delivery of this event with `code`. */
async function refuse(eventId: string, code: string): Promise<void> {
  await pool.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.event_id = '${eventId}' THEN
        RAISE EXCEPTION 'refused' USING ERRCODE = '${code}';
      END IF;
      RETURN NEW;
    END $$`)
  await pool.query('DROP TRIGGER IF EXISTS refuse ON deliveries')
  await pool.query(
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
  announce(hostile.tenantId, flood)
  for (let n = 0; n < 5; n += 1) {
    const ids = await accept(neighbour, [n])
    announce(neighbour.tenantId, ids)
    await eventually(async () => expect(await fannedOut(neighbour)).toHaveLength(n + 1))
  }
  const before = (await fannedOut(hostile)).length
  expect(before).toBeLessThan(flood.length)
  await eventually(async () => expect(await fannedOut(hostile)).toEqual(flood), {
    timeoutMs: 60_000,
  })
  expect(await findBroken(pool)).toEqual([])
}, 90_000)

test.each([
  [
    'with a payload that is no JSON',
    async (id: string) => {
      await pool.query(`UPDATE events SET payload = '{' WHERE id = $1`, [id])
    },
  ],
  ['which Postgres refuses', async (id: string) => await refuse(id, '22000')],
] as const)(
  'in order, an event %s goes aside after three rounds, and those behind it go on',
  async (_, spoil) => {
    const tenant = await addTenant([{ fifo: true, fifoPartitionKey: '$.n' }])
    const other = await addTenant([{ fifo: true }])
    const [first, poison, ...behind] = await accept(tenant, Array(6).fill({ n: 1 }))
    await spoil(poison ?? '')
    announce(tenant.tenantId, [...behind, poison ?? '', first ?? ''])
    await eventually(async () => expect(await laneOf(tenant)).toEqual([first]))
    await eventually(() => expect(countOf('event.fan-out-failed')).toBe(1))
    const others = await accept(other, [1, 2])
    announce(other.tenantId, others)
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
    expect(await findBroken(pool)).toEqual([])
  },
)

test('without lanes only the event itself fails, and a replay sends it through fan-out anew', async () => {
  const tenant = await addTenant([{}])
  const [first, poison, last] = await accept(tenant, [1, 2, 3])
  await refuse(poison ?? '', '23502')
  announce(tenant.tenantId, [first ?? '', poison ?? '', last ?? ''])
  await eventually(async () => expect(await fannedOut(tenant)).toEqual([first, last]))
  await eventually(async () => {
    await sweep()
    expect(await deadOf(tenant)).toHaveLength(1)
  })
  expect(await findBroken(pool)).toEqual([])

  await pool.query('DROP TRIGGER refuse ON deliveries')
  const { eventIds } = await replayEvents(pool, tenant.tenantId, [first ?? '', poison ?? ''])
  expect([...eventIds]).toEqual([poison])
  expect(await findBroken(pool)).toEqual([])
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
      lines.length = 0
      announce(tenant.tenantId, [eventId])
      await eventually(() => expect(countOf('events.not-fanned-out')).toBe(1))
    }
    expect(await deadOf(tenant)).toEqual([])
    await pool.query('DROP TRIGGER refuse ON deliveries')
    announce(tenant.tenantId, [eventId])
    await eventually(async () => expect(await fannedOut(tenant)).toEqual([eventId]))
  }
})

test('a configuration that can’t be read fails only its own tenant’s events', async () => {
  const [broken, sound] = [await addTenant([{}]), await addTenant([{}])]
  unreadable = broken.tenantId
  const [lost = ''] = await accept(broken, [1])
  const ids = await accept(sound, [1, 2])
  announce(broken.tenantId, [lost])
  announce(sound.tenantId, ids)
  await eventually(async () => expect(await fannedOut(sound)).toEqual(ids))
  await eventually(() => expect(countOf('events.not-fanned-out')).toBe(1))
  expect(await fannedOut(broken)).toEqual([])
  unreadable = null
  announce(broken.tenantId, [lost])
  await eventually(async () => expect(await fannedOut(broken)).toEqual([lost]))
})
