/**
 * A tenant's subscriptions with the version of the configuration that they belong to, in one snapshot. Lanes are for what
 * is pushed: polls fetch the oldest first anyway, and several at once.
 */
import type { Pool } from '@posthorn/store/pool'
import type { Subscription } from './match-endpoints.ts'

export async function readSubscriptions(
  pool: Pool,
  tenantId: string,
): Promise<{ version: number; value: Subscription[] }> {
  const { rows } = await pool.query<{ version: number } & Subscription>({
    name: 'read-subscriptions',
    text: `SELECT t.config_version::float8 AS version, e.id AS "endpointId", e.project_id AS "projectId",
        e.config -> 'eventTypes' AS "eventTypes", e.config -> 'filter' AS filter,
        e.delivery_mode <> 'poll' AND coalesce((e.config ->> 'fifo')::boolean, false) AS fifo,
        e.config ->> 'fifoPartitionKey' AS "fifoPartitionKey"
      FROM tenants t LEFT JOIN endpoints e ON e.tenant_id = t.id AND e.deleted_at IS NULL
      WHERE t.id = $1 ORDER BY e.id`,
    values: [tenantId],
  })
  const version = rows[0]?.version ?? 0
  return { version, value: rows.filter((row) => row.endpointId !== null) }
}
