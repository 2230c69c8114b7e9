/**
 * Queues again the deliveries that are dead or wait for their next attempt, with their attempts
 * counted anew; the numbers of attempts go on. They get new tokens, so that a message from before
 * never wins.
 *
 * Refused are deliveries that have had all the attempts there may be, and those of a day that
 * retention is taking out. Each statement takes the shared locks of the days of what it found
 * (`DAY_LOCK`) until its transaction ends, and leaves as it is what is of a day whose lock it did
 * not get, or whose event is gone already.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import { MAX_TOTAL_ATTEMPTS } from '@posthorn/domain/classify-attempt'
import type { TransactionClient } from '../transaction.ts'
import { byKey, dueBy } from './sql/by-key.ts'
import { countMoved, MOVED_COLUMNS } from './sql/count-moved.ts'
import { UNBOUNDED, DAY_LOCK, dayOf } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { appendReplayed } from './sql/lanes.ts'
import { type Lane, lockLanes, releaseNext } from './lanes.ts'
import { KIND, LEASE } from './sql/lease.ts'
import { KEEP_PARKED } from './sql/parked.ts'
import { IS_POLLED, VISIBLE_PRIORITY } from './sql/poll-mode.ts'

export interface RequeuedDelivery {
  id: string
  eventId: string
  /** null: it waits for a poll, or in its lane. */
  token: number | null
  /** The endpoint whose polls may fetch it; null: it is not fetched by polls. */
  polledAt: string | null
}

/** `removed`: retention is taking out its day. `attempts`: it has had `MAX_TOTAL_ATTEMPTS`. */
export type Refusal = 'removed' | 'attempts'

export interface RequeueOutcome {
  rows: RequeuedDelivery[]
  /** Why deliveries in states that may be replayed were left as they are. */
  refusals: Set<Refusal>
  /** The new heads of lanes: replayed deliveries, or those that were behind a replayed head. */
  released: DueDelivery[]
}

/** For use within a transaction. */
export async function requeue(
  client: TransactionClient,
  tenantId: string,
  eventIds: readonly string[],
): Promise<RequeueOutcome> {
  const { inLanes, ...others } = await requeueOthers(client, tenantId, eventIds)
  if (inLanes.length === 0) return { ...others, released: [] }
  return mergeRequeues(others, await requeueInLanes(client, tenantId, inLanes, 'afresh'))
}

export function mergeRequeues(
  others: Omit<RequeueOutcome, 'released'>,
  heads: RequeueOutcome,
): RequeueOutcome {
  return {
    rows: [...others.rows, ...heads.rows],
    refusals: new Set([...others.refusals, ...heads.refusals]),
    released: heads.released,
  }
}

interface InLane extends Lane {
  id: string
  eventId: string
}

type RequeueRow = RequeuedDelivery & {
  endpointId: string
  lane: string | null
  refused: Refusal | null
}

export interface RequeuedOthers extends Omit<RequeueOutcome, 'released'> {
  inLanes: InLane[]
}

/** Queues again all deliveries but those in lanes, which it only finds. */
export async function requeueOthers(
  client: TransactionClient,
  tenantId: string,
  eventIds: readonly string[],
): Promise<RequeuedOthers> {
  const { rows } = await client.query<RequeueRow>({
    name: 'requeue',
    text: REQUEUE,
    values: [tenantId, eventIds],
  })
  return sortOut(tenantId, rows)
}

function sortOut(tenantId: string, found: readonly RequeueRow[]): RequeuedOthers {
  const sorted: RequeuedOthers = { rows: [], inLanes: [], refusals: new Set() }
  for (const { endpointId, lane, refused, ...row } of found) {
    if (lane !== null)
      sorted.inLanes.push({ tenantId, id: row.id, eventId: row.eventId, endpointId, lane })
    else if (refused === null) sorted.rows.push(row)
    else sorted.refusals.add(refused)
  }
  return sorted
}

/**
 * Queues again deliveries in lanes: they go to the ends of their lanes, also those that are heads.
 */
export async function requeueInLanes(
  client: TransactionClient,
  tenantId: string,
  found: readonly InLane[],
  attempts: 'afresh' | 'others',
): Promise<RequeueOutcome> {
  await lockLanes(client, found)
  const { rows } = await client.query<{ id: string; eventId: string; refused: Refusal | null }>({
    name: `requeue-in-lanes ${attempts}`,
    text: attempts === 'afresh' ? REQUEUE_IN_LANES : REQUEUE_OTHERS_IN_LANES,
    values: [tenantId, found.map(({ id }) => id).sort()],
  })
  const released = await releaseNext(client, found)
  const queuedAgain = rows.filter(({ refused }) => refused === null)
  return {
    rows: queuedAgain.map(({ id, eventId }) => ({ id, eventId, token: null, polledAt: null })),
    refusals: new Set(rows.flatMap(({ refused }) => refused ?? [])),
    released,
  }
}

const { queued } = STATE_CODE

const REPLAYABLE = statesBefore('replay').join(', ')
const PARKED_BY_KEY = byKey('p', {
  tenant_id: 'm.tenant_id',
  target_id: 'm.target_id',
  priority: `m.priority, ${VISIBLE_PRIORITY}`,
  seq: 'm.seq',
  delivery_id: 'm.id',
})

// Which rows of `found` may be queued again, and why the others may not. The locks are taken before
// anything is changed. A day whose lock this transaction has stays as it is until the transaction
// ends, because retention waits for the lock, and for whoever reads the day, before it takes it
// out.
const ALLOWED = `days AS MATERIALIZED (
  SELECT day, pg_try_advisory_xact_lock_shared(${DAY_LOCK}, day) AS stays FROM (
    SELECT ${dayOf('id')} AS day FROM found UNION SELECT ${dayOf('event_id')} FROM found
  ) both_days
), allowed AS MATERIALIZED (
  SELECT f.*, CASE
    WHEN f.tries >= ${MAX_TOTAL_ATTEMPTS} THEN 'attempts'
    WHEN (SELECT bool_and(stays) FROM days WHERE day IN (${dayOf('f.id')}, ${dayOf('f.event_id')}))
      AND coalesce((
        SELECT true FROM events e WHERE e.tenant_id = f.tenant_id AND e.id = f.event_id), false)
      THEN NULL
    ELSE 'removed' END AS refused
  FROM found f
)`
const MOVED_AGAIN = `UPDATE deliveries d SET state_before = d.state, state = ${queued},
    tries_before = d.tries, ended_at = NULL, dead_reason = NULL
  FROM allowed a
  WHERE d.tenant_id = a.tenant_id AND d.id = a.id AND a.refused IS NULL
    AND d.state IN (${REPLAYABLE}) AND ${selectivityHint('a.id')}`

// Deliveries are found first and then moved by their keys, joined: `partition-bounds.ts` tells why.
// One that is parked is parked no more, and waits where this puts it. Left in its place it could be
// lost: whoever serves the backlog may be taking it out just now, as one that has ended.
function requeueText(which: string, attempts: 'afresh' | 'others'): string {
  return `WITH found AS MATERIALIZED (
  SELECT d.tenant_id, d.id, d.event_id, d.endpoint_id, d.tries, d.lane FROM deliveries d
  WHERE d.tenant_id = $1 AND d.state IN (${REPLAYABLE}) AND ${which}
), ${ALLOWED}, moved AS (
  ${MOVED_AGAIN} AND a.lane IS NULL
  RETURNING ${MOVED_COLUMNS}, d.target_id, d.priority, d.seq
), ${countMoved('moved', UNBOUNDED, attempts)}, placed AS MATERIALIZED (
  SELECT m.*, ${IS_POLLED} AS polled FROM moved m
), unparked AS (
  DELETE FROM parked p USING placed m WHERE ${PARKED_BY_KEY} RETURNING 1
), undue AS (
  DELETE FROM due USING placed m WHERE ${dueBy('m')} AND m.polled
), made_visible AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
  SELECT tenant_id, target_id, ${VISIBLE_PRIORITY}, seq, id, event_id
  FROM placed WHERE polled AND (SELECT count(*) FROM unparked) >= 0
  ${KEEP_PARKED}
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, id, ${KIND.delivery}, now() + ${LEASE}, true, target_id FROM placed
  WHERE NOT polled AND (SELECT count(*) FROM unparked) >= 0
  ON CONFLICT (tenant_id, id)
    DO UPDATE SET due_at = excluded.due_at, leased = true, target_id = excluded.target_id
  RETURNING id, due_at
)
SELECT m.id, m.event_id AS "eventId", micros(w.due_at) AS token,
  CASE WHEN m.polled THEN m.target_id END AS "polledAt", m.endpoint_id AS "endpointId",
  NULL AS lane, NULL AS refused
FROM placed m LEFT JOIN waits w ON w.id = m.id
UNION ALL
SELECT id, event_id, NULL, NULL, endpoint_id, lane, refused FROM allowed
WHERE lane IS NOT NULL OR refused IS NOT NULL`
}

function requeueInLanesText(attempts: 'afresh' | 'others'): string {
  return `WITH found AS MATERIALIZED (
  SELECT d.tenant_id, d.id, d.event_id, d.tries FROM unnest($2::uuid[]) AS i (id)
  JOIN deliveries d ON d.tenant_id = $1 AND d.id = i.id AND d.state IN (${REPLAYABLE})
    AND ${selectivityHint('i.id')}
), ${ALLOWED}, moved AS (
  ${MOVED_AGAIN}
  RETURNING ${MOVED_COLUMNS}, d.target_id, d.lane, d.priority, d.seq
), ${countMoved('moved', UNBOUNDED, attempts)}, undue AS (
  DELETE FROM due USING moved m WHERE ${dueBy('m')}
), unparked AS (
  DELETE FROM parked p USING moved m
  WHERE ${PARKED_BY_KEY}
), ${appendReplayed('moved')}
SELECT id, event_id AS "eventId", NULL AS refused FROM moved
UNION ALL SELECT id, event_id, refused FROM allowed WHERE refused IS NOT NULL`
}
const REQUEUE_IN_LANES = requeueInLanesText('afresh')
const REQUEUE_OTHERS_IN_LANES = requeueInLanesText('others')

const REQUEUE = requeueText(
  `(d.id = ANY ($2::uuid[]) AND d.endpoint_id IS NULL
    OR d.event_id = ANY ($2::uuid[]) AND d.endpoint_id IS NOT NULL)`,
  'afresh',
)
const REQUEUE_DELIVERIES = requeueText(
  'd.id = ANY ($2::uuid[]) AND d.state = ANY ($3::smallint[])',
  'others',
)

/**
 * Queues again some deliveries of events by type that are in these states, and no others of their
 * events. For use within a transaction.
 */
export async function requeueDeliveries(
  client: TransactionClient,
  tenantId: string,
  deliveryIds: readonly string[],
  states: readonly number[],
): Promise<RequeueOutcome> {
  const found = await client.query<RequeueRow>({
    name: 'requeue-deliveries',
    text: REQUEUE_DELIVERIES,
    values: [tenantId, deliveryIds, states],
  })
  const { inLanes, ...others } = sortOut(tenantId, found.rows)
  if (inLanes.length === 0) return { ...others, released: [] }
  return mergeRequeues(others, await requeueInLanes(client, tenantId, inLanes, 'others'))
}
