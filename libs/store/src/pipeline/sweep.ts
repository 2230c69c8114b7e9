/**
 * The sweep: what is due is leased to whoever will receive its announcement, and handed back to be announced. One query
 * heals a lost message, a killed process and a retry alike; sweeping twice is harmless.
 */
import {
  DUE_SOON_MS,
  type DueBacklog,
  type DueDelivery,
  type EventAccepted,
  type PollReady,
} from '@posthorn/contracts/topics'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { partitionOf } from '../partitions.ts'
import { boundsOf } from './partition-bounds.ts'
import { selectivityHint } from './selectivity-hint.ts'
import { KIND, LEASE } from './lease.ts'
import { expireVisibility } from './poll.ts'
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  EVENT_COLUMNS,
  type EventRow,
  rowToDueDelivery,
} from './due-delivery.ts'

export interface Swept {
  events: EventAccepted[]
  deliveries: DueDelivery[]
  backlogs: DueBacklog[]
  /** Endpoints at which something has become visible again. */
  polls: PollReady[]
  /** Rows moved on; equal to the limit: there is more. */
  rows: number
  /** When nothing was due: in how many ms the next will be; null: not within `DUE_SOON_MS`, as far as is known by now. */
  nextInMs: number | null
}

export async function sweepDue(pool: Pool, limit: number): Promise<Swept> {
  const nextInMs = await findNext(pool)
  if (nextInMs === null || nextInMs > 0)
    return { events: [], deliveries: [], backlogs: [], polls: [], rows: 0, nextInMs }
  const { rows } = await withRetries(() =>
    pool.query<SweptRow>({ name: 'sweep-due', text: SWEEP, values: [limit] }),
  )
  const swept: Swept = {
    events: [],
    deliveries: [],
    backlogs: [],
    polls: [],
    rows: rows.length,
    nextInMs: null,
  }
  const deliveries = new Map<string, SweptRow>()
  const fetched = new Map<string, SweptRow>()
  const idle: SweptRow[] = []
  for (const row of rows) {
    if (row.kind === KIND.event) {
      swept.events.push({ v: 1, tenantId: row.tenantId, eventId: row.id })
    } else if (row.kind === KIND.delivery) deliveries.set(row.id, row)
    else if (row.kind === KIND.poll) fetched.set(row.id, row)
    else if (row.targetId === null) idle.push(row)
    else swept.backlogs.push(toDueBacklog(row))
  }
  const visible = new Map<string, PollReady>()
  for (const { id, tenantId, endpointId, outcome } of await expireVisibility(pool, [
    ...fetched.values(),
  ])) {
    if (outcome === 'visible') visible.set(endpointId, { v: 1, tenantId, endpointId })
    if (outcome === 'push') deliveries.set(id, fetched.get(id) as SweptRow)
    fetched.delete(id)
  }
  swept.polls = [...visible.values()]
  swept.deliveries = await loadDueDeliveries(pool, [...deliveries.values()])
  for (const work of swept.deliveries) deliveries.delete(work.deliveryId)
  await dropDue(pool, [...idle, ...deliveries.values(), ...fetched.values()])
  return swept
}

/**
 * Mostly nothing is due. Measured, processor of Postgres and ours: 33 and 52 us, where the sweep itself costs 67 and 95 us
 * to find nothing. No further ahead than anybody needs to know: under load the index is full of the entries of rows that
 * are gone, which were leased for longer.
 */
async function findNext(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ inMs: number }>({
    name: 'next-due',
    text: `SELECT (micros(due_at) - micros(now())) / 1000 AS "inMs" FROM due
      WHERE due_at <= now() + interval '${DUE_SOON_MS} milliseconds' ORDER BY due_at LIMIT 1`,
  })
  return rows[0]?.inMs ?? null
}

interface SweptRow {
  tenantId: string
  id: string
  kind: number
  token: number
  /** null: not a backlog, or one that is gone. */
  targetId: string | null
  endpointId: string | null
}

function toDueBacklog(row: SweptRow): DueBacklog {
  const { tenantId, id: targetId, endpointId, token } = row
  return { v: 1, kind: 'backlog', tenantId, targetId, endpointId, token }
}

// `+ interval '0'` keeps the planner from joining through the index on `due_at`: every due row with every other.
const SWEEP = `WITH swept AS (
  UPDATE due SET due_at = now() + ${LEASE}, leased = true
  FROM (
    SELECT tenant_id, id FROM (SELECT tenant_id, id FROM due WHERE due_at <= now() ORDER BY due_at LIMIT $1) first
    WHERE ${selectivityHint('id')} ORDER BY id
  ) next
  WHERE due.tenant_id = next.tenant_id AND due.id = next.id AND due.due_at + interval '0' <= now()
  RETURNING due.tenant_id, due.id, due.kind, due.due_at
)
SELECT s.tenant_id AS "tenantId", s.id, s.kind, micros(s.due_at) AS token,
  b.target_id AS "targetId", b.endpoint_id AS "endpointId"
FROM swept s LEFT JOIN backlogs b ON b.tenant_id = s.tenant_id AND b.target_id = s.id AND s.kind = ${KIND.backlog}`

/**
 * A row that stands for nothing goes: its delivery ended in the moment in which a backlog's holder took it from the
 * parked ones. Left alone, it would be leased again with every sweep. The token guards a replay.
 *
 * That its delivery is not found is no sign of that: its day, or its event's, may be taken out just now and be put back. So
 * only what is seen to have ended goes, or that of whose day there is no table any more.
 */
async function dropDue(pool: Pool, dropped: readonly SweptRow[]): Promise<void> {
  if (dropped.length === 0) return
  await pool.query({
    name: 'drop-due',
    text: DROP,
    values: [...leaseColumns(dropped), dropped.map((row) => partitionOf('deliveries', row.id))],
  })
}

const { queued, delivering, waiting, delivered, dead } = STATE_CODE

// A scalar subquery, for it is looked up by the whole key whatever the planner believes; null: it is not found.
const DROP = `DELETE FROM due
USING unnest($1::uuid[], $2::uuid[], $3::float8[], $4::text[]) AS i (tenant_id, id, token, partition)
WHERE due.tenant_id = i.tenant_id AND due.id = i.id AND due.due_at = from_micros(i.token) AND ${selectivityHint('i.id')} AND (
  due.kind = ${KIND.backlog} OR to_regclass(i.partition) IS NULL OR (
    SELECT d.state IN (${delivered}, ${dead}) FROM deliveries d WHERE d.tenant_id = i.tenant_id AND d.id = i.id))`

/** The messages of deliveries that are leased to us, in the order of acceptance; one that has ended has none. */
export async function loadDueDeliveries(
  pool: Pool,
  leased: readonly { tenantId: string; id: string; token: number }[],
): Promise<DueDelivery[]> {
  if (leased.length === 0) return []
  const days = boundsOf(leased.map((row) => row.id))
  const { rows: open } = await pool.query<DeliveryRow>({
    name: `load-deliveries ${days.name}`,
    text: `SELECT ${DELIVERY_COLUMNS}, i.token
      FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) AS i (tenant_id, id, token)
      JOIN deliveries d ON d.tenant_id = i.tenant_id AND d.id = i.id AND ${selectivityHint('i.id')} AND ${days.within('d.id')}
        AND d.state IN (${queued}, ${delivering}, ${waiting})
      ORDER BY d.seq`,
    values: leaseColumns(leased),
  })
  const events = await loadEvents(pool, open)
  return open.flatMap((row) => {
    const event = events.get(row.event_id)
    return event === undefined ? [] : [rowToDueDelivery({ ...row, ...event })]
  })
}

/** By themselves, for their days are known only when the deliveries are: joined, those of all days would be looked at. */
async function loadEvents(
  pool: Pool,
  deliveries: readonly DeliveryRow[],
): Promise<Map<string, EventRow>> {
  const tenantOf = new Map(deliveries.map((row) => [row.event_id, row.tenant_id]))
  if (tenantOf.size === 0) return new Map()
  const days = boundsOf([...tenantOf.keys()])
  const { rows } = await pool.query<EventRow>({
    name: `load-events ${days.name}`,
    text: `SELECT e.id AS event_id, ${EVENT_COLUMNS} FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      JOIN events e ON e.tenant_id = i.tenant_id AND e.id = i.id AND ${selectivityHint('i.id')} AND ${days.within('e.id')}`,
    values: [[...tenantOf.values()], [...tenantOf.keys()]],
  })
  return new Map(rows.map((row) => [row.event_id, row]))
}

function leaseColumns(
  leased: readonly { tenantId: string; id: string; token: number }[],
): unknown[] {
  return [
    leased.map((row) => row.tenantId),
    leased.map((row) => row.id),
    leased.map((row) => row.token),
  ]
}

/** Payloads that were too large to travel, by event id. */
export async function loadPayloads(
  pool: Pool,
  events: readonly { tenantId: string; eventId: string }[],
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map()
  const days = boundsOf(events.map((event) => event.eventId))
  const { rows } = await pool.query<{ id: string; payload: string }>({
    name: `load-payloads ${days.name}`,
    text: `SELECT e.id, e.payload FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      JOIN events e ON e.tenant_id = i.tenant_id AND e.id = i.id AND ${selectivityHint('i.id')} AND ${days.within('e.id')}`,
    values: [events.map((event) => event.tenantId), events.map((event) => event.eventId)],
  })
  return new Map(rows.map((row) => [row.id, row.payload]))
}

/** At the start of `standalone`, which alone works on its database: whatever was on its way is due now. */
export async function expireLeases(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    'UPDATE due SET due_at = now(), leased = false WHERE leased',
  )
  return rowCount ?? 0
}
