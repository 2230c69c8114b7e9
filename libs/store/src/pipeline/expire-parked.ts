/**
 * Ends deliveries that have been held for longer than anyone should wait: dead, with the reason `expired`. Held is what is
 * parked, and in a FIFO lane also what waits behind its head. The time counts from when a delivery first could not go: who
 * has waited in a lane does not begin anew as its head.
 */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { inTransaction } from '../transaction.ts'
import { countMoved, MOVED_COLUMNS } from './counts.ts'
import { selectivityHint } from './selectivity-hint.ts'
import {
  FIND_EXPIRED_LANES,
  type Lane,
  lockLanes,
  releaseEnded,
  takeExpiredBehind,
} from './lanes.ts'

/** @returns how many were held no more; at least the limit: there may be more */
export async function expireParked(
  pool: Pool,
  maxHoldDays: number,
  limit: number,
): Promise<number> {
  // Before the heads: the next to be released should be one that may still go.
  const behind = await expireBehind(pool, maxHoldDays, limit)
  const { rows } = await withRetries(() =>
    pool.query<{ unparked: number; lanes: Lane[] | null }>({
      name: 'expire-held',
      text: EXPIRE,
      values: [maxHoldDays, limit],
    }),
  )
  await releaseEnded(pool, rows[0]?.lanes ?? [])
  return behind + (rows[0]?.unparked ?? 0)
}

async function expireBehind(pool: Pool, maxHoldDays: number, limit: number): Promise<number> {
  const { rows: lanes } = await withRetries(() =>
    pool.query<Lane>({
      name: 'find-held-lanes',
      text: FIND_EXPIRED_LANES,
      values: [maxHoldDays, limit],
    }),
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

/** Of the deliveries of the CTE `gone`: `tenant_id, delivery_id`. */
const ENDED = `moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.dead}, ended_at = now(), dead_reason = 'expired'
  FROM gone g WHERE d.tenant_id = g.tenant_id AND d.id = g.delivery_id AND d.state IN (${statesBefore('cancel').join(', ')})
    AND ${selectivityHint('g.delivery_id')}
  RETURNING ${MOVED_COLUMNS}, d.endpoint_id, d.lane
), ${countMoved('moved')}`

const EXPIRE_BEHIND = `WITH ${takeExpiredBehind('$4', '$5')}, ${ENDED}
SELECT count(*)::int AS gone FROM gone`

// A head may have been parked only now, after it had waited behind others.
const EXPIRE = `WITH old AS (
  (SELECT tenant_id, target_id, priority, seq, delivery_id FROM parked
    WHERE parked_at < now() - $1 * interval '1 day' LIMIT $2)
  UNION
  (SELECT p.tenant_id, p.target_id, p.priority, p.seq, p.delivery_id FROM lanes l
    JOIN deliveries d ON d.tenant_id = l.tenant_id AND d.id = l.head
    JOIN parked p ON p.tenant_id = d.tenant_id AND p.target_id = d.target_id AND p.seq = d.seq AND p.delivery_id = d.id
    WHERE l.head_since < now() - $1 * interval '1 day' LIMIT $2)
), gone AS (
  DELETE FROM parked p USING old o
  WHERE p.tenant_id = o.tenant_id AND p.target_id = o.target_id AND p.priority = o.priority AND p.seq = o.seq
    AND p.delivery_id = o.delivery_id AND ${selectivityHint('o.delivery_id')}
  RETURNING p.tenant_id, p.delivery_id
), ${ENDED}
SELECT count(*)::int AS unparked, (
  SELECT json_agg(json_build_object('tenantId', tenant_id, 'endpointId', endpoint_id, 'lane', lane)) FROM moved
  WHERE lane IS NOT NULL
) AS lanes FROM gone`
