/**
 * Ends deliveries that have been parked for longer than `MAX_HOLD_DAYS`: dead, with the reason
 * `expired`. In a FIFO lane this goes for what waits behind the head as well. The time counts from
 * when a delivery first could not go: one that has waited in a lane does not begin anew as its
 * head.
 */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { inTransaction } from '../transaction.ts'
import { type Lane, lockLanes, releaseEnded } from './lanes.ts'
import { byKey } from './sql/by-key.ts'
import { countEnded, MOVED_COLUMNS } from './sql/count-moved.ts'
import { sameLane, takeExpiredBehind } from './sql/lanes.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'

/** @returns how many were taken from where they waited; at least the limit: there may be more */
export async function expireParked(
  pool: Pool,
  maxHoldDays: number,
  limit: number,
): Promise<number> {
  // Before the heads, so that the next one to be released is one that may still go.
  const behind = await expireBehind(pool, maxHoldDays, limit)
  const { rows } = await withRetries(() =>
    pool.query<{ unparked: number; lanes: Lane[] | null }>(EXPIRE, [maxHoldDays, limit]),
  )
  await releaseEnded(pool, rows[0]?.lanes ?? [])
  return behind + (rows[0]?.unparked ?? 0)
}

async function expireBehind(pool: Pool, maxHoldDays: number, limit: number): Promise<number> {
  const { rows: lanes } = await withRetries(() =>
    pool.query<Lane>(FIND_EXPIRED_LANES, [maxHoldDays, limit]),
  )
  if (lanes.length === 0) return 0
  const gone = await withRetries(() =>
    inTransaction(pool, async (client) => {
      await lockLanes(client, lanes)
      const { rows } = await client.query<{ gone: number }>({
        name: 'expire-behind',
        text: EXPIRE_BEHIND,
        values: [
          lanes.map(({ tenantId }) => tenantId),
          lanes.map(({ endpointId }) => endpointId),
          lanes.map(({ lane }) => lane),
          maxHoldDays,
          Math.max(1, Math.floor(limit / lanes.length)),
        ],
      })
      return rows[0]?.gone ?? 0
    }),
  )
  return gone ?? 0
}

/**
 * Lanes in which a delivery has waited behind the head for so many days. The one that came first to
 * a lane has waited for longest.
 */
const FIND_EXPIRED_LANES = `SELECT l.tenant_id AS "tenantId", l.endpoint_id AS "endpointId", l.lane
  FROM lanes l CROSS JOIN LATERAL (
    SELECT waits_since FROM lane_waiting w WHERE ${sameLane('w', 'l')} ORDER BY position LIMIT 1
  ) w WHERE w.waits_since < now() - $1 * interval '1 day' LIMIT $2`

/** Ends the deliveries that the CTE `gone` returned, as `tenant_id, delivery_id`. */
const END_GONE = `moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.dead}, ended_at = now(),
    dead_reason = 'expired'
  FROM gone g
  WHERE d.tenant_id = g.tenant_id AND d.id = g.delivery_id AND ${selectivityHint('g.delivery_id')}
    AND d.state IN (${statesBefore('cancel').join(', ')})
  RETURNING ${MOVED_COLUMNS}, d.lane
), ${countEnded('moved')}`

const EXPIRE_BEHIND = `WITH ${takeExpiredBehind('$4', '$5')}, ${END_GONE}
SELECT count(*)::int AS gone FROM gone`

// A head may have been parked only now, after it had waited behind others.
const EXPIRE = `WITH expired AS (
  (SELECT tenant_id, target_id, priority, seq, delivery_id FROM parked
    WHERE parked_at < now() - $1 * interval '1 day' LIMIT $2)
  UNION
  (SELECT p.tenant_id, p.target_id, p.priority, p.seq, p.delivery_id FROM lanes l
    JOIN deliveries d ON d.tenant_id = l.tenant_id AND d.id = l.head
    JOIN parked p ON p.tenant_id = d.tenant_id AND p.target_id = d.target_id AND p.seq = d.seq
      AND p.delivery_id = d.id
    WHERE l.head_since < now() - $1 * interval '1 day' LIMIT $2)
), gone AS (
  DELETE FROM parked p USING expired x
  WHERE ${byKey('p', {
    tenant_id: 'x.tenant_id',
    target_id: 'x.target_id',
    priority: 'x.priority',
    seq: 'x.seq',
    delivery_id: 'x.delivery_id',
  })} AND ${selectivityHint('x.delivery_id')}
  RETURNING p.tenant_id, p.delivery_id
), ${END_GONE}
SELECT count(*)::int AS unparked, (
  SELECT json_agg(
    json_build_object('tenantId', tenant_id, 'endpointId', endpoint_id, 'lane', lane)
  ) FROM moved WHERE lane IS NOT NULL
) AS lanes FROM gone`
