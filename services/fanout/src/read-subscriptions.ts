/**
 * Reads a tenant's subscriptions and the version of the configuration that they belong to, in one
 * snapshot. Only pushed deliveries have lanes: polls fetch the oldest first anyway, and several at
 * once.
 */
import type { Pool } from '@posthorn/store/pool'
import type { Subscription } from './match-endpoints.ts'

/** The memory that an entry takes beside its configuration. */
const ENTRY_BYTES = 1_024

export async function readSubscriptions(
  pool: Pool,
  tenantId: string,
): Promise<{ version: number; value: Subscription[]; bytes: number }> {
  const { rows } = await pool.query<{ version: number; bytes: number } & Subscription>({
    name: 'read-subscriptions',
    text: `SELECT t.config_version::float8 AS version, e.id AS "endpointId",
      e.project_id AS "projectId",
        e.config -> 'eventTypes' AS "eventTypes", e.config -> 'filter' AS filter,
        e.delivery_mode <> 'poll' AND coalesce((e.config ->> 'fifo')::boolean, false) AS fifo,
        e.config ->> 'fifoPartitionKey' AS "fifoPartitionKey", e.config_bytes AS bytes
      FROM tenants t LEFT JOIN endpoints e ON e.tenant_id = t.id AND e.deleted_at IS NULL
      WHERE t.id = $1 ORDER BY e.id`,
    values: [tenantId],
  })
  const version = rows[0]?.version ?? 0
  const value = rows.filter((row) => row.endpointId !== null)
  const bytes = value.reduce((sum, row) => sum + row.bytes + ENTRY_BYTES, ENTRY_BYTES)
  return { version, value, bytes }
}
