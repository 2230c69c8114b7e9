/**
 * Poll mode: the consumer fetches its events and acknowledges them. A delivery that waits to be
 * fetched is visible: a parked row of priority 0, so that the order of the key is the order of
 * acceptance. A delivery that is fetched is hidden: a row of `due` with the end of its visibility
 * timeout. The sweep makes it visible again, or dead when it has been fetched as often as it may
 * be.
 *
 * A delivery follows the mode that its endpoint is in at the moment: each statement reads the mode,
 * and whoever changes it announces the endpoint's backlog, whose owner turns over what waits
 * (`follow-mode.ts`).
 *
 * An event is handed out at least once: when a consumer fetches it and is gone before the answer,
 * it stays hidden until its visibility timeout.
 */
import { DEFAULT_ATTEMPTS } from '@posthorn/contracts/events'
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import { MAX_TOTAL_ATTEMPTS } from '@posthorn/domain/classify-attempt'
import type { Pool } from '../pool.ts'
import { withRetries, storable } from '../repeat.ts'
import { dueBy, hasToken } from './sql/by-key.ts'
import { countEnded, countMoved, MOVED_COLUMNS } from './sql/count-moved.ts'
import { boundsOf } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { releaseEnded } from './lanes.ts'
import { KIND } from './sql/lease.ts'
import { KEEP_PARKED } from './sql/parked.ts'
import { isPolled, VISIBLE_PRIORITY } from './sql/poll-mode.ts'

export interface PollTarget {
  tenantId: string
  endpointId: string
}

export interface PolledEvent {
  id: string
  deliveryId: string
  eventType: string | null
  /** JSON text as sent. */
  payload: string
  /** JSON text. */
  headers: string | null
}

/** The payloads of one answer, apart from the first: as much as a batch may bring in. */
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024

/**
 * Fetches the oldest visible events of an active endpoint in poll mode: each is hidden from all
 * others for `visibilityMs` and has one attempt more. Nothing is fetched from an endpoint that is
 * paused, in another mode or gone.
 */
export async function fetchVisible(
  pool: Pool,
  { tenantId, endpointId }: PollTarget,
  limit: number,
  visibilityMs: number,
): Promise<PolledEvent[]> {
  for (;;) {
    const { rows } = await withRetries(() =>
      pool.query<PolledEvent & { unparked: number }>({
        name: 'fetch-visible',
        text: FETCH,
        values: [tenantId, endpointId, limit, visibilityMs],
      }),
    )
    const events = rows.filter((row) => row.id !== null)
    // Rows of deliveries that had ended meanwhile were removed: there may be others behind them.
    if (events.length > 0 || (rows[0]?.unparked ?? 0) === 0) {
      return events.map(({ id, deliveryId, eventType, payload, headers }) => ({
        id,
        deliveryId,
        eventType,
        payload,
        headers,
      }))
    }
  }
}

const BEGINNABLE = statesBefore('begin').join(', ')

// SKIP LOCKED: two consumers at once take different rows, and neither waits for the other. A locked
// row keeps its place.
const FETCH = `WITH oldest AS MATERIALIZED (
  SELECT p.ctid AS place, p.seq, p.delivery_id, p.event_id FROM parked p
  WHERE p.tenant_id = $1 AND p.target_id = $2 AND p.priority = ${VISIBLE_PRIORITY} AND EXISTS (
    SELECT FROM endpoints n
    WHERE n.tenant_id = $1 AND n.id = $2 AND n.status = 'active' AND ${isPolled('n')})
  ORDER BY p.seq, p.delivery_id LIMIT $3 FOR UPDATE OF p SKIP LOCKED
), fits AS MATERIALIZED (
  SELECT place, delivery_id FROM (
    SELECT o.place, o.delivery_id,
      sum(octet_length(e.payload)) OVER (ORDER BY o.seq, o.delivery_id ROWS UNBOUNDED PRECEDING)
        - octet_length(e.payload) AS before
    FROM oldest o JOIN events e
      ON e.tenant_id = $1 AND e.id = o.event_id AND ${selectivityHint('o.event_id')}
  ) sized WHERE before < ${MAX_PAYLOAD_BYTES}
), gone AS (
  DELETE FROM parked p USING fits f
  WHERE p.tenant_id = $1 AND p.ctid = f.place AND ${selectivityHint('f.delivery_id')}
  RETURNING p.delivery_id
), moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.delivering},
    tries = d.tries + 1, fetched_edition = d.edition, fetch_error = NULL
  FROM gone g
  WHERE d.tenant_id = $1 AND d.id = g.delivery_id AND d.state IN (${BEGINNABLE})
    AND ${selectivityHint('g.delivery_id')}
  RETURNING ${MOVED_COLUMNS}, d.seq
), ${countMoved('moved')}, hidden AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, id, ${KIND.poll}, now() + $4 * interval '1 millisecond', false, $2 FROM moved
  ON CONFLICT (tenant_id, id)
    DO UPDATE SET kind = excluded.kind, due_at = excluded.due_at, leased = false
)
SELECT u.unparked, f.* FROM (SELECT count(*)::int AS unparked FROM gone) u LEFT JOIN (
  SELECT e.id, m.id AS "deliveryId", e.event_type AS "eventType", e.payload, e.headers, m.seq
  FROM moved m JOIN events e
    ON e.tenant_id = $1 AND e.id = m.event_id AND ${selectivityHint('m.event_id')}
) f ON true ORDER BY f.seq`

export interface NotFetched {
  deliveryId: string
  error: string
  /** Whether this counts as one of the fetches that the delivery may have. */
  isCounted: boolean
}

/**
 * Notes why deliveries that were fetched just now can't be handed out. They stay hidden until their
 * visibility timeout.
 */
export async function noteNotFetched(
  pool: Pool,
  { tenantId }: PollTarget,
  notFetched: readonly NotFetched[],
): Promise<void> {
  if (notFetched.length === 0) return
  const sorted = [...notFetched].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  const bounds = boundsOf(sorted.map(({ deliveryId }) => deliveryId))
  await withRetries(() =>
    pool.query({
      name: `note-not-fetched ${bounds.name}`,
      text: `UPDATE deliveries d SET fetch_error = i.error,
          tries_before = d.tries_before + (NOT i.counted)::int
        FROM unnest($2::uuid[], $3::text[], $4::boolean[]) AS i (id, error, counted)
        WHERE d.tenant_id = $1 AND d.id = i.id AND d.state = ${STATE_CODE.delivering}
          AND ${selectivityHint('i.id')} AND ${bounds.within('d.id')}`,
      values: [
        tenantId,
        sorted.map(({ deliveryId }) => deliveryId),
        sorted.map(({ error }) => storable(error)),
        sorted.map(({ isCounted }) => isCounted),
      ],
    }),
  )
}

/** Which of the endpoints have something to fetch just now: one query for all polls that wait. */
export async function findVisible(
  pool: Pool,
  targets: readonly PollTarget[],
): Promise<PollTarget[]> {
  if (targets.length === 0) return []
  const { rows } = await pool.query<PollTarget>({
    name: 'find-visible',
    text: `SELECT i.tenant_id AS "tenantId", i.id AS "endpointId"
      FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      WHERE EXISTS (SELECT FROM endpoints n
          WHERE n.tenant_id = i.tenant_id AND n.id = i.id AND n.status = 'active'
            AND ${isPolled('n')})
        AND EXISTS (SELECT FROM parked p
          WHERE p.tenant_id = i.tenant_id AND p.target_id = i.id
            AND p.priority = ${VISIBLE_PRIORITY})`,
    values: [targets.map((one) => one.tenantId), targets.map((one) => one.endpointId)],
  })
  return rows
}

/** A fetched delivery whose visibility timeout has come, as the sweep has leased it. */
export interface ExpiringVisibility {
  tenantId: string
  id: string
  token: number
}

export interface ExpiredVisibility {
  tenantId: string
  id: string
  endpointId: string
  /**
   * `push`: the endpoint is in another mode by now, and the delivery is still leased to the sweep,
   * to be announced.
   */
  outcome: 'visible' | 'dead' | 'push'
}

/**
 * Makes visible again, or ends, what nobody acknowledged in time. A delivery that is missing from
 * the answer was acknowledged, or fetched again, meanwhile.
 */
export async function expireVisibility(
  pool: Pool,
  expiring: readonly ExpiringVisibility[],
): Promise<ExpiredVisibility[]> {
  if (expiring.length === 0) return []
  const sorted = [...expiring].sort((a, b) => (a.id < b.id ? -1 : 1))
  const { rows } = await withRetries(() =>
    pool.query<ExpiredVisibility & { lane: string | null }>({
      name: 'expire-visibility',
      text: EXPIRE,
      values: [
        sorted.map((one) => one.tenantId),
        sorted.map((one) => one.id),
        sorted.map((one) => one.token),
      ],
    }),
  )
  const ended = rows.filter(({ outcome }) => outcome === 'dead')
  await releaseEnded(
    pool,
    ended.flatMap(({ lane, ...one }) => (lane === null ? [] : [{ ...one, lane }])),
  )
  return rows.map(({ lane: _, ...one }) => one)
}

// `tries` is a guard: a delivery that was fetched again after its visibility timeout is not ended
// by a late statement. A delivery whose event has been edited since it was fetched becomes visible
// once more, however often it has been fetched.
const EXPIRE = `WITH evaluated AS MATERIALIZED (
  SELECT d.tenant_id, d.id, d.tries, CASE
    WHEN n.id IS NULL OR n.deleted_at IS NOT NULL THEN 'gone'
    WHEN NOT (${isPolled('n')}) THEN 'push'
    WHEN d.tries >= ${MAX_TOTAL_ATTEMPTS} THEN 'dead'
    WHEN d.fetched_edition = d.edition AND d.tries - d.tries_before
      >= coalesce(e.max_attempts, (n.config ->> 'maxRetries')::int, ${DEFAULT_ATTEMPTS}) THEN 'dead'
    ELSE 'visible' END AS outcome
  FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) AS i (tenant_id, id, token)
  JOIN due ON ${dueBy('i')} AND ${hasToken('i.token')}
  JOIN deliveries d ON d.tenant_id = i.tenant_id AND d.id = i.id AND ${selectivityHint('i.id')}
  JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
  LEFT JOIN endpoints n ON n.tenant_id = d.tenant_id AND n.id = d.endpoint_id
), moved AS (
  UPDATE deliveries d SET state_before = d.state,
    state = CASE WHEN x.outcome IN ('gone', 'dead') THEN ${STATE_CODE.dead}
      ELSE ${STATE_CODE.queued} END,
    ended_at = CASE WHEN x.outcome IN ('gone', 'dead') THEN now() END,
    dead_reason = CASE x.outcome
      WHEN 'gone' THEN 'endpoint deleted' WHEN 'dead' THEN 'not acknowledged' END
  FROM evaluated x
  WHERE d.tenant_id = x.tenant_id AND d.id = x.id AND d.tries = x.tries
    AND d.state IN (${statesBefore('expire').join(', ')}) AND ${selectivityHint('x.id')}
  RETURNING ${MOVED_COLUMNS}, d.target_id, d.seq, d.lane, x.outcome
), ${countEnded('moved')}, made_visible AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
  SELECT tenant_id, target_id, ${VISIBLE_PRIORITY}, seq, id, event_id
  FROM moved WHERE outcome = 'visible'
  ${KEEP_PARKED}
), gone AS (
  DELETE FROM due USING moved m
  WHERE ${dueBy('m')} AND m.outcome <> 'push'
), pushed AS (
  UPDATE due SET kind = ${KIND.delivery} FROM moved m
  WHERE ${dueBy('m')} AND m.outcome = 'push'
)
SELECT tenant_id AS "tenantId", id, target_id AS "endpointId", lane,
  CASE outcome WHEN 'gone' THEN 'dead' ELSE outcome END AS outcome FROM moved`
