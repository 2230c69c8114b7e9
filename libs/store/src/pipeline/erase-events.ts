/**
 * Erases what refers to a person out of events and attempts. What of an event has not ended ends
 * first, dead with the reason `gdpr_erasure`; only an event that has ended is erased. So an attempt
 * that is in flight meanwhile is not recorded any more, and whatever replays the event at the same
 * moment is either refused or seen: then the caller tries again.
 *
 * The head of a FIFO lane whose attempt may be in flight is left to end by itself: its successor
 * must not overtake it. Repeating everything here changes nothing.
 */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { inTransaction, type TransactionClient } from '../transaction.ts'
import { putAside } from './fan-out-failures.ts'
import { type Lane, lockLanes, releaseNext } from './lanes.ts'
import { byKey, dueBy } from './sql/by-key.ts'
import { countMoved, MOVED_COLUMNS } from './sql/count-moved.ts'
import { laneByKey } from './sql/lanes.ts'
import { boundsOf } from './sql/partition-bounds.ts'
import { VISIBLE_PRIORITY } from './sql/poll-mode.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'

export const ERASURE = 'gdpr_erasure'
/** What stands in the place of a text. */
export const REDACTED = `[redacted: ${ERASURE}]`
export const REDACTED_PAYLOAD = JSON.stringify({ _redacted: true, reason: ERASURE })
/** Where a URL referred to the person: a host that never exists. */
export const REDACTED_URL = 'https://redacted.invalid/'

/** Which texts of an event, beside its payload and headers, refer to the person. */
export interface ErasedEvent {
  id: string
  isByKey: boolean
  isByDestination: boolean
  isByTrace: boolean
  isByReason: boolean
}

/** @returns the ids of those that could not be erased yet */
export async function eraseEvents(
  pool: Pool,
  tenantId: string,
  events: readonly ErasedEvent[],
): Promise<string[]> {
  if (events.length === 0) return []
  const ids = events.map(({ id }) => id)
  const erased = await withRetries(() =>
    inTransaction(pool, async (client) => {
      await endDeliveries(client, tenantId, ids)
      await putAside(
        client,
        ids.map((eventId) => ({ tenantId, eventId, reason: ERASURE })),
      )
      return await redactEnded(client, tenantId, events)
    }),
  )
  return ids.filter((id) => erased?.has(id) !== true)
}

const CANCELLABLE = statesBefore('cancel').join(', ')

interface OpenDelivery {
  id: string
  endpointId: string | null
  lane: string | null
}

/** As in all statements of lanes, the lanes are locked before what is in them is read. */
async function endDeliveries(
  client: TransactionClient,
  tenantId: string,
  eventIds: readonly string[],
): Promise<void> {
  const { rows: open } = await client.query<OpenDelivery>(FIND_OPEN, [tenantId, eventIds])
  if (open.length === 0) return
  const lanes = open.flatMap(({ endpointId, lane }): Lane[] =>
    endpointId === null || lane === null ? [] : [{ tenantId, endpointId, lane }],
  )
  if (lanes.length > 0) await lockLanes(client, lanes)
  const ids = open.map(({ id }) => id)
  await client.query(END, [tenantId, ids])
  await releaseNext(client, lanes, 'due')
}

const FIND_OPEN = `SELECT id, endpoint_id AS "endpointId", lane FROM deliveries
  WHERE tenant_id = $1 AND state IN (${CANCELLABLE})
    AND (id = ANY ($2::uuid[]) AND endpoint_id IS NULL
      OR event_id = ANY ($2::uuid[]) AND endpoint_id IS NOT NULL)
  ORDER BY id`

// A delivery without a lane may be given up while it is sent: its result then counts for nothing.
// One in a lane is given up only where it waits: behind its head, parked, for its time, to be
// fetched or acknowledged, or because whoever had it has lost its lease.
const END = `WITH asked AS MATERIALIZED (
  SELECT d.tenant_id, d.id, d.endpoint_id, d.lane, d.target_id, d.priority, d.seq
  FROM unnest($2::uuid[]) AS i (id)
  JOIN deliveries d ON d.tenant_id = $1 AND d.id = i.id AND ${selectivityHint('i.id')}
  WHERE d.state IN (${CANCELLABLE})
), behind AS (
  DELETE FROM lane_waiting w USING asked a
  WHERE ${laneByKey('w', 'a')} AND w.delivery_id = a.id RETURNING w.delivery_id AS id
), unparked AS (
  DELETE FROM parked p USING asked a
  WHERE ${byKey('p', {
    tenant_id: 'a.tenant_id',
    target_id: 'a.target_id',
    priority: `a.priority, ${VISIBLE_PRIORITY}`,
    seq: 'a.seq',
    delivery_id: 'a.id',
  })} AND ${selectivityHint('a.id')}
  RETURNING p.delivery_id AS id
), undue AS (
  DELETE FROM due USING asked a
  WHERE ${dueBy('a')}
    AND (a.lane IS NULL OR NOT due.leased OR due.due_at < now())
  RETURNING due.id
), gone AS (
  SELECT id FROM asked WHERE lane IS NULL
  UNION SELECT id FROM behind UNION SELECT id FROM unparked UNION SELECT id FROM undue
), moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.dead}, ended_at = now(),
    dead_reason = '${ERASURE}'
  FROM gone g
  WHERE d.tenant_id = $1 AND d.id = g.id AND d.state IN (${CANCELLABLE})
    AND ${selectivityHint('g.id')}
  RETURNING ${MOVED_COLUMNS}
), ${countMoved('moved')}
SELECT FROM moved`

/** @returns the ids of those that have ended, and refer to the person no more */
async function redactEnded(
  client: TransactionClient,
  tenantId: string,
  events: readonly ErasedEvent[],
): Promise<Set<string>> {
  const bounds = boundsOf(events.map(({ id }) => id))
  const { rows } = await client.query<{ id: string }>(
    `WITH asked AS MATERIALIZED (
      SELECT e.id, e.idempotency_key AS key, i.by_key, i.by_destination, i.by_trace, i.by_reason
      FROM unnest($2::uuid[], $3::boolean[], $4::boolean[], $5::boolean[], $6::boolean[])
        AS i (id, by_key, by_destination, by_trace, by_reason)
      JOIN events e ON e.tenant_id = $1 AND e.id = i.id AND ${selectivityHint('i.id')}
        AND ${bounds.within('e.id')}
    ), redacted AS (
      UPDATE events e SET payload = $7, headers = NULL,
        idempotency_key = CASE WHEN a.by_key THEN ${hashOf('e.idempotency_key')}
          ELSE e.idempotency_key END,
        destination = CASE WHEN a.by_destination THEN '${REDACTED_URL}' ELSE e.destination END,
        trace_id = CASE WHEN a.by_trace THEN '${REDACTED}' ELSE e.trace_id END,
        dead_reason = CASE WHEN a.by_reason THEN '${ERASURE}' ELSE e.dead_reason END
      FROM asked a WHERE e.tenant_id = $1 AND e.id = a.id AND ${bounds.within('e.id')}
        AND e.ended_at IS NOT NULL
      RETURNING e.id
    ), keys AS (
      UPDATE idempotency_keys k SET key = ${hashOf('k.key')}
      FROM asked a JOIN redacted r ON r.id = a.id
      WHERE k.tenant_id = $1 AND k.key = a.key AND k.event_id = a.id AND a.by_key
    )
    SELECT id FROM redacted`,
    [
      tenantId,
      events.map(({ id }) => id),
      events.map(({ isByKey }) => isByKey),
      events.map(({ isByDestination }) => isByDestination),
      events.map(({ isByTrace }) => isByTrace),
      events.map(({ isByReason }) => isByReason),
      REDACTED_PAYLOAD,
    ],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) {
    await client.query(REDACT_DELIVERIES, [tenantId, ids])
    await client.query(REDACT_ATTEMPTS_OF_EVENTS, [tenantId, ids])
  }
  return new Set(ids)
}

function hashOf(column: string): string {
  return `'sha256:' || encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`
}

// A lane is what the endpoint's partition key found in the payload, as JSON.
const REDACT_DELIVERIES = `UPDATE deliveries d SET fetch_error = NULL,
    lane = CASE WHEN d.lane ~ '^["[{]' THEN ${hashOf('d.lane')} ELSE d.lane END
  WHERE d.tenant_id = $1 AND (d.lane IS NOT NULL OR d.fetch_error IS NOT NULL)
    AND d.event_id = ANY ($2::uuid[]) AND d.endpoint_id IS NOT NULL`

const REDACTED_BODIES = `response_body = '${REDACTED}', response_headers = NULL,
    request_body = NULL`
/** An error's category stays, for the counts of failures: what follows may quote anything. */
const REDACTED_ERROR = `CASE WHEN a.error ~ '^[a-z0-9_]+: status [0-9]+$' THEN a.error
    ELSE split_part(a.error, ': ', 1) END`

const REDACT_ATTEMPTS_OF_EVENTS = `UPDATE attempts a
  SET ${REDACTED_BODIES}, error = ${REDACTED_ERROR}
  WHERE a.tenant_id = $1 AND a.event_id = ANY ($2::uuid[])`

/** An attempt that refers to the person itself, whether its event does or not. */
export interface ErasedAttempt {
  id: string
  isByUrl: boolean
  isByError: boolean
}

export async function eraseAttempts(
  pool: Pool,
  tenantId: string,
  attempts: readonly ErasedAttempt[],
): Promise<void> {
  if (attempts.length === 0) return
  const bounds = boundsOf(attempts.map(({ id }) => id))
  await withRetries(() =>
    pool.query(
      `UPDATE attempts a SET ${REDACTED_BODIES},
        error = CASE WHEN i.by_error THEN '${REDACTED}' ELSE ${REDACTED_ERROR} END,
        url = CASE WHEN i.by_url THEN '${REDACTED_URL}' ELSE a.url END
      FROM unnest($2::uuid[], $3::boolean[], $4::boolean[]) AS i (id, by_url, by_error)
      WHERE a.tenant_id = $1 AND a.id = i.id AND ${bounds.within('a.id')}`,
      [
        tenantId,
        attempts.map(({ id }) => id),
        attempts.map(({ isByUrl }) => isByUrl),
        attempts.map(({ isByError }) => isByError),
      ],
    ),
  )
}
