/**
 * Reads a tenant's subscriptions and the version of the configuration that they belong to, in one
 * snapshot; those of its connectors after it, so that they are of this version or a later one. Only
 * pushed deliveries have lanes: polls fetch the oldest first anyway, and several at
 * once.
 */
import { readSmallTenants, readTenantRows } from '@posthorn/store/load-tenants'
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

interface Row extends Subscription {
  tenant: string
  version: number
  bytes: number
  hasConnectors: boolean
}

/**
 * The subscriptions of $1, of at most $2 endpoints each. What is looked up once for each tenant
 * stays so by OFFSET 0, whatever the planner believes of how many there are.
 */
const READ = {
  name: 'read-subscriptions',
  text: `SELECT t.id AS tenant, t.version, c."hasConnectors", e.*
  FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT t.id, t.config_version::float8 AS version FROM tenants t WHERE t.id = asked.id OFFSET 0
    ) t CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM connectors c
        WHERE c.tenant_id = t.id AND c.event_types <> '{}') AS "hasConnectors" OFFSET 0
    ) c LEFT JOIN LATERAL (
      SELECT e.id AS "endpointId", e.project_id AS "projectId",
        e.config -> 'eventTypes' AS "eventTypes", e.config -> 'filter' AS filter,
        e.delivery_mode <> 'poll' AND coalesce((e.config ->> 'fifo')::boolean, false) AS fifo,
        e.config ->> 'fifoPartitionKey' AS "fifoPartitionKey", e.config_bytes AS bytes
      FROM endpoints e WHERE e.tenant_id = t.id AND e.deleted_at IS NULL ORDER BY e.id LIMIT $2
    ) e ON true
  ORDER BY t.id, e."endpointId"`,
}

export async function readSubscriptions(pool: Pool, tenantId: string): Promise<ReadSubscriptions> {
  const rows = await readTenantRows<Row>(pool, READ, tenantId)
  const connectors = rows[0]?.hasConnectors === true ? await readConnectors(pool, tenantId) : []
  return toSubscriptions(rows, connectors)
}

/** Those of these tenants that have few endpoints and no connectors, by tenant. */
export async function readSmallSubscriptions(
  pool: Pool,
  tenantIds: readonly string[],
): Promise<Map<string, ReadSubscriptions>> {
  return await readSmallTenants(pool, READ, tenantIds, (_, own: readonly Row[]) =>
    own[0]?.hasConnectors === true ? undefined : toSubscriptions(own, []),
  )
}

function toSubscriptions(
  rows: readonly Row[],
  connectors: ConnectorSubscription[],
): ReadSubscriptions {
  const version = rows[0]?.version ?? 0
  const endpoints = rows.filter((row) => row.endpointId !== null)
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
