/**
 * Queues again the deliveries that are dead or wait for their next try, with their attempts counted anew; attempt numbers
 * go on. New tokens: a message from before never wins.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Client } from '../transaction.ts'
import { countMoved, MOVED } from './counts.ts'
import { ALL_DAYS } from './days.ts'
import { few } from './few.ts'
import { type Lane, lineUpAgain, lockLanes, releaseNext } from './lanes.ts'
import { KIND, LEASE } from './lease.ts'
import { POLLED, VISIBLE } from './poll-places.ts'

export interface Requeued {
  id: string
  eventId: string
  /** null: it is parked at its target. */
  token: number | null
  /** It waits for a poll of this endpoint; null: for no poll. */
  polledAt: string | null
}

export interface Requeue {
  rows: Requeued[]
  /** The heads of lanes that this made: of those that were replayed, or of those that were behind one. */
  released: DueDelivery[]
}

/** For use within a transaction. */
export async function requeue(
  client: Client,
  tenantId: string,
  eventIds: readonly string[],
): Promise<Requeue> {
  const { rows, inLanes } = await requeueOthers(client, tenantId, eventIds)
  if (inLanes.length === 0) return { rows, released: [] }
  const heads = await requeueInLanes(client, tenantId, inLanes, 'afresh')
  return { rows: [...rows, ...heads.rows], released: heads.released }
}

interface InLane extends Lane {
  id: string
  eventId: string
}

type RequeueRow = Requeued & { endpointId: string; lane: string | null }

/** All but those that have a lane, which are found only. */
export async function requeueOthers(
  client: Client,
  tenantId: string,
  eventIds: readonly string[],
): Promise<{ rows: Requeued[]; inLanes: InLane[] }> {
  const { rows } = await client.query<RequeueRow>({
    name: 'requeue',
    text: REQUEUE,
    values: [tenantId, eventIds],
  })
  return sortOut(tenantId, rows)
}

function sortOut(
  tenantId: string,
  found: readonly RequeueRow[],
): { rows: Requeued[]; inLanes: InLane[] } {
  const rows: Requeued[] = []
  const inLanes: InLane[] = []
  for (const { endpointId, lane, ...row } of found) {
    if (lane === null) rows.push(row)
    else inLanes.push({ tenantId, id: row.id, eventId: row.eventId, endpointId, lane })
  }
  return { rows, inLanes }
}

/** They go to their lanes' ends, those that are heads as well. */
export async function requeueInLanes(
  client: Client,
  tenantId: string,
  found: readonly InLane[],
  attempts: 'afresh' | 'others',
): Promise<Requeue> {
  await lockLanes(client, found)
  const { rows } = await client.query<{ id: string; eventId: string }>({
    name: `requeue-in-lanes ${attempts}`,
    text: attempts === 'afresh' ? REQUEUE_IN_LANES : REQUEUE_OTHERS_IN_LANES,
    values: [tenantId, found.map(({ id }) => id).sort()],
  })
  const released = await releaseNext(client, found)
  return { rows: rows.map((row) => ({ ...row, token: null, polledAt: null })), released }
}

const { queued } = STATE_CODE

// A scalar subquery, for it is looked up by the whole key whatever the planner believes.
const REPLAYABLE = statesBefore('replay').join(', ')
const PARKED = `coalesce((SELECT true FROM parked p WHERE p.tenant_id = m.tenant_id AND p.target_id = m.target_id
    AND p.priority IN (m.priority, ${VISIBLE}) AND p.seq = m.seq AND p.delivery_id = m.id), false)`

function requeueText(which: string, attempts: 'afresh' | 'others'): string {
  return `WITH moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${queued}, tries_before = d.tries,
    ended_at = NULL, dead_reason = NULL
  WHERE d.tenant_id = $1 AND d.state IN (${REPLAYABLE}) AND ${which} AND d.lane IS NULL
  RETURNING ${MOVED}, d.target_id, d.endpoint_id, d.priority, d.seq
), ${countMoved('moved', ALL_DAYS, attempts)}, placed AS MATERIALIZED (
  SELECT m.*, ${POLLED} AS polled FROM moved m
), undue AS (
  DELETE FROM due USING placed m WHERE due.tenant_id = m.tenant_id AND due.id = m.id AND m.polled
), shown AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
  SELECT tenant_id, target_id, ${VISIBLE}, seq, id, event_id FROM placed m WHERE polled AND NOT ${PARKED}
  ON CONFLICT DO NOTHING
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, id, ${KIND.delivery}, now() + ${LEASE}, true, target_id FROM placed m
  WHERE NOT polled AND NOT ${PARKED}
  ON CONFLICT (tenant_id, id) DO UPDATE SET due_at = excluded.due_at, leased = true, target_id = excluded.target_id
  RETURNING id, due_at
)
SELECT m.id, m.event_id AS "eventId", micros(w.due_at) AS token, CASE WHEN m.polled THEN m.target_id END AS "polledAt",
  m.endpoint_id AS "endpointId", NULL AS lane
FROM placed m LEFT JOIN waits w ON w.id = m.id
UNION ALL
SELECT d.id, d.event_id, NULL, NULL, d.endpoint_id, d.lane FROM deliveries d
WHERE d.tenant_id = $1 AND d.state IN (${REPLAYABLE}) AND ${which} AND d.lane IS NOT NULL`
}

// By their keys: joined, for what `days.ts` tells of.
function requeueInLanesText(attempts: 'afresh' | 'others'): string {
  return `WITH moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${queued}, tries_before = d.tries,
    ended_at = NULL, dead_reason = NULL
  FROM unnest($2::uuid[]) AS i (id)
  WHERE d.tenant_id = $1 AND d.id = i.id AND d.state IN (${REPLAYABLE}) AND ${few('i.id')}
  RETURNING ${MOVED}, d.target_id, d.endpoint_id, d.lane, d.priority, d.seq
), ${countMoved('moved', ALL_DAYS, attempts)}, undue AS (
  DELETE FROM due USING moved m WHERE due.tenant_id = m.tenant_id AND due.id = m.id
), unparked AS (
  DELETE FROM parked p USING moved m
  WHERE p.tenant_id = m.tenant_id AND p.target_id = m.target_id AND p.priority IN (m.priority, ${VISIBLE})
    AND p.seq = m.seq AND p.delivery_id = m.id
), ${lineUpAgain('moved')}
SELECT id, event_id AS "eventId" FROM moved`
}
const REQUEUE_IN_LANES = requeueInLanesText('afresh')
const REQUEUE_OTHERS_IN_LANES = requeueInLanesText('others')

const REQUEUE = requeueText(
  `(d.id = ANY ($2::uuid[]) AND d.endpoint_id IS NULL OR d.event_id = ANY ($2::uuid[]) AND d.endpoint_id IS NOT NULL)`,
  'afresh',
)
const REQUEUE_DELIVERIES = requeueText(
  'd.id = ANY ($2::uuid[]) AND d.state = ANY ($3::smallint[])',
  'others',
)

/**
 * Some deliveries of by-type events in these states, and no others of their events. For use within a transaction.
 * @returns those that were queued again; a token is what its announcement carries
 */
export async function requeueDeliveries(
  client: Client,
  tenantId: string,
  deliveryIds: readonly string[],
  states: readonly number[],
): Promise<Requeue> {
  const found = await client.query<RequeueRow>({
    name: 'requeue-deliveries',
    text: REQUEUE_DELIVERIES,
    values: [tenantId, deliveryIds, states],
  })
  const { rows, inLanes } = sortOut(tenantId, found.rows)
  if (inLanes.length === 0) return { rows, released: [] }
  const heads = await requeueInLanes(client, tenantId, inLanes, 'others')
  return { rows: [...rows, ...heads.rows], released: heads.released }
}
