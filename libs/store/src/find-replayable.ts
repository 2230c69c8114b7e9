/**
 * An endpoint's deliveries that can be replayed, the oldest first: the dead by their index, those that wait for their next
 * try where they wait. Of these no more than the tenant's 1,000 first waiting are looked at; what lies behind them is
 * tried again by itself.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { KIND } from './pipeline/lease.ts'
import type { Pool } from './pool.ts'

const MAX_LOOKED_AT = 1_000

export interface Replayable {
  id: string
  eventId: string
}

export async function findReplayable(
  pool: Pool,
  tenantId: string,
  endpointId: string,
  limit: number,
): Promise<Replayable[]> {
  const { rows: waiting } = await pool.query<{ id: string }>({
    name: 'find-waiting-of-target',
    text: WAITING,
    values: [tenantId, endpointId],
  })
  // Without a name: planned with its values, it passes over the days of none of them.
  const { rows } = await pool.query<Replayable>(REPLAYABLE, [
    tenantId,
    endpointId,
    waiting.map(({ id }) => id),
    limit,
  ])
  return rows
}

const WAITING = `SELECT id FROM (
    SELECT id, target_id FROM due WHERE tenant_id = $1 AND kind = ${KIND.delivery} ORDER BY id LIMIT ${MAX_LOOKED_AT}
  ) looked_at WHERE target_id = $2
  UNION ALL (
    SELECT delivery_id FROM parked WHERE tenant_id = $1 AND target_id = $2 ORDER BY priority, seq LIMIT ${MAX_LOOKED_AT}
  )`

const REPLAYABLE = `(
  SELECT id, event_id AS "eventId" FROM deliveries
  WHERE tenant_id = $1 AND endpoint_id = $2 AND dead_reason IS NOT NULL AND state = ${STATE_CODE.dead}
  ORDER BY id LIMIT $4
) UNION ALL (
  SELECT id, event_id FROM deliveries
  WHERE tenant_id = $1 AND id = ANY ($3::uuid[]) AND endpoint_id = $2 AND state = ${STATE_CODE.waiting}
  ORDER BY id LIMIT $4
) ORDER BY id LIMIT $4`
