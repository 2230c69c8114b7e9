/**
 * The sweep: what is due is leased to whoever will receive its announcement, and handed back to be
 * announced. One query heals a lost message, a killed process and a retry alike; sweeping twice is
 * harmless.
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
import { loadDueDeliveries, leaseColumns } from './load-due-deliveries.ts'
import { byKey, dueBy, hasToken } from './sql/by-key.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { KIND, LEASE } from './sql/lease.ts'
import { expireVisibility } from './poll.ts'

export interface Swept {
  events: EventAccepted[]
  deliveries: DueDelivery[]
  backlogs: DueBacklog[]
  /** Endpoints at which deliveries have become visible again. */
  polls: PollReady[]
  /** How many rows were moved on; equal to the limit: there are more. */
  rows: number
  /**
   * When nothing was due: in how many ms the next row will be; null: not within `DUE_SOON_MS`, as
   * far as is known by now.
   */
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
  for (const { deliveryId } of swept.deliveries) deliveries.delete(deliveryId)
  await dropDue(pool, [...idle, ...deliveries.values(), ...fetched.values()])
  return swept
}

/**
 * Mostly nothing is due, and then this costs less than the sweep itself: measured, 33 us of
 * Postgres's processor and 52 us of ours, instead of 67 and 95 us. It looks no further ahead than
 * anybody needs to know: under load the index is full of the entries of rows that are gone, whose
 * leases would have ended later.
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

// `+ interval '0'` keeps the planner from joining through the index on `due_at`, which would join
// every due row with every other.
const SWEEP = `WITH swept AS (
  UPDATE due SET due_at = now() + ${LEASE}, leased = true
  FROM (
    SELECT tenant_id, id FROM (
      SELECT tenant_id, id FROM due WHERE due_at <= now() ORDER BY due_at LIMIT $1
    ) first
    WHERE ${selectivityHint('id')} ORDER BY id
  ) next
  WHERE ${dueBy('next')}
    AND due.due_at + interval '0' <= now()
  RETURNING due.tenant_id, due.id, due.kind, due.due_at
)
SELECT s.tenant_id AS "tenantId", s.id, s.kind, micros(s.due_at) AS token,
  b.target_id AS "targetId", b.endpoint_id AS "endpointId"
FROM swept s LEFT JOIN backlogs b
  ON ${byKey('b', { tenant_id: 's.tenant_id', target_id: 's.id' })}
    AND s.kind = ${KIND.backlog}`

/**
 * Drops rows of `due` that stand for nothing: their deliveries ended in the moment in which the
 * owner of a backlog took them from the parked ones. Left alone, they would be leased again with
 * every sweep. The token guards against a replay.
 *
 * That a delivery is not found does not mean that it has ended: retention of a version before may
 * be taking out its day, or its event's, and put it back. So a row is dropped only when its
 * delivery is seen to have ended, or when there is no table any more for the delivery's day.
 */
async function dropDue(pool: Pool, dropped: readonly SweptRow[]): Promise<void> {
  if (dropped.length === 0) return
  await pool.query({
    name: 'drop-due',
    text: DROP,
    values: [...leaseColumns(dropped), dropped.map((row) => partitionOf('deliveries', row.id))],
  })
}

const { delivered, dead } = STATE_CODE

// A scalar subquery, so that the delivery is looked up by the whole key whatever the planner
// believes; it is null when the delivery is not found.
const DROP = `DELETE FROM due
USING unnest($1::uuid[], $2::uuid[], $3::float8[], $4::text[])
  AS i (tenant_id, id, token, partition)
WHERE ${dueBy('i')} AND ${hasToken('i.token')}
  AND ${selectivityHint('i.id')} AND (
    due.kind = ${KIND.backlog} OR to_regclass(i.partition) IS NULL OR (
      SELECT d.state IN (${delivered}, ${dead}) FROM deliveries d
      WHERE d.tenant_id = i.tenant_id AND d.id = i.id))`

/**
 * Makes due whatever was on its way: at the start of `standalone`, which alone works on its
 * database.
 */
export async function expireLeases(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    'UPDATE due SET due_at = now(), leased = false WHERE leased',
  )
  return rowCount ?? 0
}
