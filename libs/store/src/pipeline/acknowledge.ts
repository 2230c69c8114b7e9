/**
 * Acknowledging what a poll has fetched. The consumer knows events, not deliveries, so the
 * deliveries are found first; then they are moved by their own keys.
 */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import { idAt, newId, timeOfId } from '@posthorn/domain/ids'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { dueBy } from './sql/by-key.ts'
import { countEnded, MOVED_COLUMNS } from './sql/count-moved.ts'
import { before, type PartitionBounds, boundsOf, notBefore } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { lockLanes, releaseNext } from './lanes.ts'
import { VISIBLE_PRIORITY } from './sql/poll-mode.ts'
import type { PollTarget } from './poll.ts'

/** Ids of two processes whose clocks are right differ by far less. */
const CLOCK_SLACK_MS = 60_000

/**
 * Marks as delivered what was fetched, also what has become visible again since. What is dead, or
 * was edited after it had been fetched last, is left as it is.
 * @returns the ids of the events that are delivered to the endpoint now, by this call or one before
 */
export async function acknowledge(
  pool: Pool,
  target: PollTarget,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const found = await findDeliveries(pool, target, eventIds)
  const delivered = new Set<string>()
  const open: Found[] = []
  for (const one of found) {
    if (one.state === STATE_CODE.delivered) delivered.add(one.eventId)
    else if (one.state !== STATE_CODE.dead) open.push(one)
  }
  for (const eventId of await deliver(pool, target, open)) delivered.add(eventId)
  const left = open.map(({ eventId }) => eventId).filter((eventId) => !delivered.has(eventId))
  // They may have ended meanwhile: of two acknowledgements at once the second moves nothing.
  for (const { eventId, state } of await findDeliveries(pool, target, left)) {
    if (state === STATE_CODE.delivered) delivered.add(eventId)
  }
  return delivered
}

interface Found {
  id: string
  eventId: string
  state: number
  /** Set when the endpoint was FIFO, and pushed to, when the event was fanned out. */
  lane: string | null
}

/**
 * Looks for deliveries in the days where they are most likely, and for the rest in all days: a
 * clock that was wrong for a while may have given an event and its delivery ids of any two days. An
 * event has only one delivery to the endpoint, so what is found is not looked for again.
 */
async function findDeliveries(
  pool: Pool,
  target: PollTarget,
  eventIds: readonly string[],
): Promise<Found[]> {
  if (eventIds.length === 0) return []
  // From the oldest event's day to today.
  const from = Math.min(...eventIds.map(timeOfId)) - CLOCK_SLACK_MS
  const to = timeOfId(newId()) + CLOCK_SLACK_MS
  const likely = `AND ${notBefore('d.id', '$4')} AND ${before('d.id', '$5')}`
  const found = await findIn(pool, target, eventIds, likely, [idAt(from), idAt(to)])
  const known = new Set(found.map(({ eventId }) => eventId))
  const missing = eventIds.filter((id) => !known.has(id))
  if (missing.length === 0) return found
  return [...found, ...(await findIn(pool, target, missing, '', []))]
}

async function findIn(
  pool: Pool,
  { tenantId, endpointId }: PollTarget,
  eventIds: readonly string[],
  within: string,
  bounds: readonly string[],
): Promise<Found[]> {
  // Without a name the statement is planned with its values, and so skips all other days.
  const { rows } = await pool.query<Found>(
    `SELECT d.id, d.event_id AS "eventId", d.state, d.lane FROM unnest($3::uuid[]) AS i (id)
     JOIN deliveries d ON d.tenant_id = $1 AND d.event_id = i.id AND d.endpoint_id = $2
       AND ${selectivityHint('i.id')} ${within}`,
    [tenantId, endpointId, eventIds, ...bounds],
  )
  return rows
}

/** @returns the ids of the events whose deliveries this has moved */
async function deliver(pool: Pool, target: PollTarget, open: readonly Found[]): Promise<string[]> {
  if (open.length === 0) return []
  const { tenantId } = target
  const lanes = open.flatMap(({ lane }) => (lane === null ? [] : [{ ...target, lane }]))
  if (lanes.length === 0) return await withRetries(() => deliverOnce(pool, tenantId, open))
  const delivered = await withRetries(() =>
    inTransaction(pool, async (client) => {
      await lockLanes(client, lanes)
      const ids = await deliverOnce(client, tenantId, open)
      await releaseNext(client, lanes, 'due')
      return ids
    }),
  )
  return delivered ?? []
}

async function deliverOnce(
  client: TransactionClient,
  tenantId: string,
  open: readonly Found[],
): Promise<string[]> {
  const ids = open.map(({ id }) => id).sort()
  const deliveries = boundsOf(ids)
  const events = boundsOf(open.map(({ eventId }) => eventId))
  const { rows } = await client.query<{ eventId: string }>({
    name: `acknowledge ${deliveries.name} ${events.name}`,
    text: acknowledgeText(deliveries, events),
    values: [tenantId, ids],
  })
  return rows.map(({ eventId }) => eventId)
}

// Rows that were visible again are found by their keys and deleted by their place, as in
// `takeParked`.
function acknowledgeText(deliveries: PartitionBounds, events: PartitionBounds): string {
  return `WITH moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.delivered}, ended_at = now()
  FROM unnest($2::uuid[]) AS i (id)
  WHERE d.tenant_id = $1 AND d.id = i.id AND d.state IN (${statesBefore('succeed').join(', ')})
    AND d.fetched_edition = d.edition AND ${selectivityHint('i.id')}
      AND ${deliveries.within('d.id')}
  RETURNING ${MOVED_COLUMNS}, d.target_id, d.seq
), ${countEnded('moved', events)}, undue AS (
  DELETE FROM due USING moved m
  WHERE ${dueBy('m')} AND ${selectivityHint('m.id')}
), places AS MATERIALIZED (
  SELECT m.id, (
    SELECT p.ctid FROM parked p
    WHERE p.tenant_id = $1 AND p.target_id = m.target_id AND p.priority = ${VISIBLE_PRIORITY}
      AND p.seq = m.seq AND p.delivery_id = m.id
  ) AS place FROM moved m
), unparked AS (
  DELETE FROM parked p USING places w
  WHERE p.tenant_id = $1 AND p.ctid = w.place AND ${selectivityHint('w.id')}
)
SELECT event_id AS "eventId" FROM moved`
}
