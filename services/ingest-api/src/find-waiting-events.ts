/**
 * The events of a tenant that still wait for something, found where they wait: in `due`, parked, or
 * in a lane. Found by their state they would have to be picked out of millions that have ended.
 */
import { KIND } from '@posthorn/store/pipeline/sql/lease'
import type { Pool } from '@posthorn/store/pool'

/** @returns the ids, some perhaps several times; null: more than `max` rows wait */
export async function findWaitingEvents(
  pool: Pool,
  tenantId: string,
  max: number,
): Promise<string[] | null> {
  const { rows } = await pool.query<{ id: string; eventId: string | null }>({
    name: 'find-waiting',
    text: WAITING,
    values: [tenantId, max + 1],
  })
  if (rows.length > max) return null
  const eventIds = rows.flatMap(({ eventId }) => eventId ?? [])
  const deliveryIds = rows.flatMap(({ id, eventId }) => (eventId === null ? [id] : []))
  if (deliveryIds.length === 0) return eventIds
  // Without a name the statement is planned with its values, and skips the days of none of them.
  const { rows: deliveries } = await pool.query<{ eventId: string }>(
    `SELECT event_id AS "eventId" FROM deliveries WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
    [tenantId, deliveryIds],
  )
  return [...eventIds, ...deliveries.map(({ eventId }) => eventId)]
}

const WAITING = `(
  SELECT id, CASE WHEN kind = ${KIND.event} THEN id END AS "eventId" FROM due
  WHERE tenant_id = $1 AND kind <> ${KIND.backlog} LIMIT $2
) UNION ALL (
  SELECT delivery_id, event_id FROM parked WHERE tenant_id = $1 LIMIT $2
) UNION ALL (
  SELECT delivery_id, NULL FROM lane_waiting WHERE tenant_id = $1 LIMIT $2
) LIMIT $2`
