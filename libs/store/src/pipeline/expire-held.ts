/** Ends deliveries that have been parked for longer than anyone should wait: dead, with the reason `expired`. */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { repeating } from '../repeat.ts'
import { countMoved, MOVED } from './counts.ts'
import { few } from './few.ts'
import { type Lane, releaseEnded } from './lanes.ts'

/** @returns how many were unparked; equal to the limit: there may be more */
export async function expireHeld(pool: Pool, maxHoldDays: number, limit: number): Promise<number> {
  const { rows } = await repeating(() =>
    pool.query<{ unparked: number; lanes: Lane[] | null }>({
      name: 'expire-held',
      text: EXPIRE,
      values: [maxHoldDays, limit],
    }),
  )
  await releaseEnded(pool, rows[0]?.lanes ?? [])
  return rows[0]?.unparked ?? 0
}

const EXPIRE = `WITH old AS (
  SELECT tenant_id, target_id, priority, seq, delivery_id FROM parked
  WHERE parked_at < now() - $1 * interval '1 day' LIMIT $2
), gone AS (
  DELETE FROM parked p USING old o
  WHERE p.tenant_id = o.tenant_id AND p.target_id = o.target_id AND p.priority = o.priority AND p.seq = o.seq
    AND p.delivery_id = o.delivery_id AND ${few('o.delivery_id')}
  RETURNING p.tenant_id, p.delivery_id
), moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.dead}, ended_at = now(), dead_reason = 'expired'
  FROM gone g WHERE d.tenant_id = g.tenant_id AND d.id = g.delivery_id AND d.state IN (${statesBefore('cancel').join(', ')})
  RETURNING ${MOVED}, d.endpoint_id, d.lane
), ${countMoved('moved')}
SELECT count(*)::int AS unparked, (
  SELECT json_agg(json_build_object('tenantId', tenant_id, 'endpointId', endpoint_id, 'lane', lane)) FROM moved
  WHERE lane IS NOT NULL
) AS lanes FROM gone`
