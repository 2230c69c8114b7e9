/**
 * Reads a tenant's subscriptions and the version of the configuration that they belong to, in one
 * snapshot; those of its connectors after it, so that they are of this version or a later one. Only
 * pushed deliveries have lanes: polls fetch the oldest first anyway, and several at
 * once.
 */
import type { Pool } from '@posthorn/store/pool'
import { ENTRY_BYTES } from '@posthorn/store/tenant-cache'
import type { ConnectorSubscription } from './match-connectors.ts'
import type { Subscription } from './match-endpoints.ts'

export interface ReadSubscriptions {
  version: number
  endpoints: Subscription[]
  connectors: ConnectorSubscription[]
  bytes: number
}

export async function readSubscriptions(pool: Pool, tenantId: string): Promise<ReadSubscriptions> {
  const { rows } = await pool.query<
    { version: number; bytes: number; hasConnectors: boolean } & Subscription
  >({
    name: 'read-subscriptions',
    text: `SELECT t.config_version::float8 AS version, e.id AS "endpointId",
      e.project_id AS "projectId",
        e.config -> 'eventTypes' AS "eventTypes", e.config -> 'filter' AS filter,
        e.delivery_mode <> 'poll' AND coalesce((e.config ->> 'fifo')::boolean, false) AS fifo,
        e.config ->> 'fifoPartitionKey' AS "fifoPartitionKey", e.config_bytes AS bytes,
        c."hasConnectors"
      FROM tenants t CROSS JOIN LATERAL (
          SELECT EXISTS (SELECT FROM connectors c
            WHERE c.tenant_id = t.id AND c.event_types <> '{}') AS "hasConnectors" OFFSET 0
        ) c
        LEFT JOIN endpoints e ON e.tenant_id = t.id AND e.deleted_at IS NULL
      WHERE t.id = $1 ORDER BY e.id`,
    values: [tenantId],
  })
  const version = rows[0]?.version ?? 0
  const endpoints = rows.filter((row) => row.endpointId !== null)
  const connectors = rows[0]?.hasConnectors === true ? await readConnectors(pool, tenantId) : []
  const ofEndpoints = endpoints.reduce((sum, row) => sum + row.bytes + ENTRY_BYTES, ENTRY_BYTES)
  const ofConnectors = connectors.flatMap(({ eventTypes }) => eventTypes).join('').length
  return { version, endpoints, connectors, bytes: ofEndpoints + ofConnectors }
}

async function readConnectors(pool: Pool, tenantId: string): Promise<ConnectorSubscription[]> {
  const { rows } = await pool.query<ConnectorSubscription>({
    name: 'read-connector-subscriptions',
    text: `SELECT id AS "connectorId", project_id AS "projectId", event_types AS "eventTypes"
      FROM connectors WHERE tenant_id = $1 AND event_types <> '{}' ORDER BY id`,
    values: [tenantId],
  })
  return rows
}
