/**
 * What only retention puts to the test, as short stories on a store: a day is locked or taken out
 * while the sweep or a replay is at work, and put back afterwards. Ids are the caller's and the
 * same on all stores; the event's is of yesterday, whose partitions are there and which nothing
 * else is of.
 */
import { idAt, newId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { fanOut, fanOutInOrder } from '@posthorn/store/pipeline/fan-out'
import { recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { replayEvents } from '@posthorn/store/pipeline/replay-events'
import { DAY_LOCK } from '@posthorn/store/pipeline/sql/partition-bounds'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { partitionOf } from '@posthorn/store/partitions'
import type { Pool } from '@posthorn/store/pool'
import type { ComparedStore, TestTenant } from './comparison.fixture.ts'
import type { Guard } from './model/guards.ts'
import { dayOfId } from './model/partitions.ts'

const DAY_MS = 86_400_000

export const KINDS = ['direct', 'by type', 'in a lane'] as const
export type Kind = (typeof KINDS)[number]

interface Delivery {
  tenant: TestTenant
  kind: Kind
  eventId: string
  deliveryId: string
  attemptId: string
  endpointId: string
}

export interface RetentionStory {
  guard: Guard
  run(store: ComparedStore, delivery: Delivery): Promise<unknown>
}

export function newDelivery(tenant: TestTenant, kind: Kind): Delivery {
  const yesterday = (): string => idAt(Date.now() - DAY_MS).slice(0, 13) + newId().slice(13)
  const eventId = yesterday()
  const deliveryId = kind === 'direct' ? eventId : yesterday()
  return { tenant, kind, eventId, deliveryId, attemptId: newId(), endpointId: newId() }
}

export const RETENTION_STORIES: readonly RetentionStory[] = [
  {
    guard: 'sweep: it drops only what has ended',
    async run(store, delivery) {
      await accept(store.pool, delivery)
      await store.pass(11_000)
      const swept = await whileOut(store.pool, 'deliveries', delivery.deliveryId, () =>
        sweepDue(store.pool, 100),
      )
      return [swept, await store.rows()]
    },
  },
  {
    guard: 'replay: not of a day that is taken out',
    async run(store, delivery) {
      await acceptAndEnd(store.pool, delivery)
      const replayed = await whileLocked(store.pool, delivery.eventId, () =>
        replay(store.pool, delivery),
      )
      return [replayed, await store.rows()]
    },
  },
  {
    guard: 'replay: only with its event',
    async run(store, delivery) {
      await acceptAndEnd(store.pool, delivery)
      const replayed = await whileOut(store.pool, 'events', delivery.eventId, () =>
        replay(store.pool, delivery),
      )
      return [replayed, await store.rows()]
    },
  },
]

/** @returns the token of its delivery */
async function accept(pool: Pool, delivery: Delivery): Promise<number> {
  const { tenant, kind, eventId, deliveryId, endpointId } = delivery
  const { tenantId, projectId } = tenant
  const destination = kind === 'direct' ? 'http://example.com/' : null
  const [outcome] = await acceptEvents(pool, [
    {
      tenantId,
      projectId,
      source: 'api',
      id: eventId,
      idempotencyKey: eventId,
      destination,
      targetId: destination === null ? null : directTargetId(tenantId, destination),
      eventType: destination === null ? 'order.paid' : null,
      payload: '{}',
      headers: null,
      maxAttempts: null,
      priority: 5,
      traceId: 'trace',
      delaySeconds: 0,
    },
  ])
  if (outcome?.outcome !== 'accepted') throw new Error('a new event was not accepted')
  if (kind === 'direct') return outcome.token
  const made = { deliveryId, endpointId, ...(kind === 'in a lane' ? { lane: 'a' } : {}) }
  const planned = [{ tenantId, eventId, deliveries: [made] }]
  const tokens =
    kind === 'in a lane'
      ? (await fanOutInOrder(pool, tenantId, planned)).tokens
      : await fanOut(pool, planned)
  return tokens.get(deliveryId) ?? 0
}

async function acceptAndEnd(pool: Pool, delivery: Delivery): Promise<void> {
  const { tenant, kind, eventId, deliveryId, attemptId, endpointId } = delivery
  const token = await accept(pool, delivery)
  const { written } = await recordAttempts(pool, [
    {
      tenantId: tenant.tenantId,
      projectId: tenant.projectId,
      id: attemptId,
      eventId,
      deliveryId,
      endpointId: kind === 'direct' ? null : endpointId,
      endpointVersion: null,
      eventType: null,
      url: 'http://example.com/',
      attemptNumber: 1,
      statusCode: 500,
      error: 'http_5xx: status 500',
      durationMs: 1,
      overheadUs: 1,
      responseBody: '',
      responseHeaders: null,
      requestBody: null,
      next: { state: 'dead', reason: 'attempts used up' },
      head: kind === 'in a lane' ? { lane: 'a', token } : null,
    },
  ])
  if (written.length !== 1) throw new Error('the attempt was not recorded')
}

async function replay(pool: Pool, { tenant, eventId }: Delivery): Promise<unknown> {
  return await replayEvents(pool, tenant.tenantId, [eventId])
}

/** As `drop-partitions.ts` does while it looks into a day. */
async function whileLocked<Result>(
  pool: Pool,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const day = [DAY_LOCK, dayOfId(id)]
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_try_advisory_lock($1::int, $2::int) AS ours', day)
    const result = await work()
    await client.query('SELECT pg_advisory_unlock($1::int, $2::int)', day)
    return result
  } finally {
    client.release()
  }
}

/** As a version before takes out a day, and puts it back because something in it is kept. */
async function whileOut<Result>(
  pool: Pool,
  table: 'events' | 'deliveries',
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = partitionOf(table, id)
  const from = dayOfId(id) * DAY_MS
  await pool.query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`)
  const result = await work()
  await pool.query(
    `ALTER TABLE ${table} ATTACH PARTITION ${name}
     FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + DAY_MS)}')`,
  )
  return result
}
