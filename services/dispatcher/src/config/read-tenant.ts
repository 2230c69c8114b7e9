/**
 * Reads a tenant's configuration as attempts need it: its endpoints, and the global secret for all
 * that have none of their own. Deleted endpoints are not in it, nor is one that is newer than it.
 */
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import { operationalEventPatterns } from '@posthorn/domain/operational-events'
import { effectiveRate, type PlanName, planNamed } from '@posthorn/domain/plans'
import { planOf } from '@posthorn/store/caller-tenant'
import type { Pool } from '@posthorn/store/pool'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import { type LoadedTenant, readSmallTenants, readTenantRows } from '@posthorn/store/load-tenants'
import { ENTRY_BYTES } from '@posthorn/store/tenant-cache'
import {
  directTargets,
  type EndpointEntry,
  endpointEntry,
  type EndpointRow,
  openedOnce,
  type ResolvedTarget,
  type TargetStatus,
} from './resolve-target.ts'

export interface TenantConfig {
  /** Whoever finds, by reading again, that an endpoint is gone may note that here. */
  endpoints: Map<string, EndpointEntry>
  /** How many of them are noted as deleted. */
  notedDeleted: number
  direct(destination: string): ResolvedTarget
  /**
   * The operational events that endpoints subscribe to, by project; projects without are absent.
   */
  operationalEventPatterns: ReadonlyMap<string, readonly string[]>
}

interface Row extends EndpointRow {
  tenant: string
  version: number
  plan: string | null
  global_secret: string
  global_previous: string | null
  global_until: number | null
}

/** Most tenants subscribe to no operational event. */
const NO_PATTERNS: ReadonlyMap<string, readonly string[]> = new Map()
const STATUS = `CASE WHEN e.deleted_at IS NOT NULL THEN 'deleted'
  WHEN e.delivery_mode = 'poll' THEN 'polled' ELSE e.status END`
/**
 * The configurations of $1, each with at most $2 endpoints. What is looked up once for each tenant
 * stays so by OFFSET 0, whatever the planner believes of how many there are.
 */
const READ = {
  name: 'read-tenant-config',
  text: `SELECT t.id AS tenant, t.version, p.plan, t.global_secret, t.global_previous,
    t.global_until, e.*
  FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT t.id, t.config_version::float8 AS version, t.signing_secret AS global_secret,
        t.previous_signing_secret AS global_previous,
        micros(t.previous_valid_until) / 1000 AS global_until
      FROM tenants t WHERE t.id = asked.id OFFSET 0
    ) t CROSS JOIN LATERAL (SELECT ${planOf('t.id')} AS plan OFFSET 0) p
    LEFT JOIN LATERAL (
      SELECT e.id, e.project_id, ${STATUS} AS status, e.version AS endpoint_version,
        e.config - '{transformation,filter}'::text[] AS config,
        coalesce(e.config ->> 'transformation', '') <> '' AS transforms, e.config_bytes AS bytes,
        e.signing_secret AS secret, e.previous_signing_secret AS previous,
        micros(e.previous_valid_until) / 1000 AS until, e.mtls_cert, e.mtls_key,
        e.storage_credentials
      FROM endpoints e WHERE e.tenant_id = t.id AND e.deleted_at IS NULL LIMIT $2
    ) e ON true`,
}

export interface ReadTenantDeps {
  pool: Pool
  seal: Pick<Seal, 'open'>
  names: DeliveryHeaderNames
  /** The plan of tenants without a subscription. */
  defaultPlan: PlanName
}

/** `value` null: there is no such tenant. */
export async function readTenantConfig(
  deps: ReadTenantDeps,
  tenantId: string,
): Promise<LoadedTenant<TenantConfig | null>> {
  return toTenantConfig(deps, tenantId, await readTenantRows<Row>(deps.pool, READ, tenantId))
}

/** Those of these tenants that have few endpoints, by tenant. */
export async function readSmallTenantConfigs(
  deps: ReadTenantDeps,
  tenantIds: readonly string[],
): Promise<Map<string, LoadedTenant<TenantConfig | null>>> {
  const make = (tenantId: string, own: readonly Row[]) => toTenantConfig(deps, tenantId, own)
  return await readSmallTenants(deps.pool, READ, tenantIds, make)
}

function toTenantConfig(
  { seal, names, defaultPlan }: ReadTenantDeps,
  tenantId: string,
  rows: readonly Row[],
): LoadedTenant<TenantConfig | null> {
  const [first] = rows
  if (first === undefined) return { version: 0, value: null, bytes: ENTRY_BYTES }
  const globalSecrets = openedOnce(
    seal,
    (column) => sealedAt(`tenants.${column}`, tenantId),
    first.global_secret,
    first.global_previous,
    first.global_until,
  )
  const plan = planNamed(first.plan, defaultPlan)
  const endpoints = new Map<string, EndpointEntry>()
  let patterns: Map<string, string[]> | undefined
  let bytes = ENTRY_BYTES
  for (const row of rows) {
    if (row.id === null) continue
    bytes += row.bytes + ENTRY_BYTES
    row.config.rateLimitPerSec = effectiveRate(row.config.rateLimitPerSec, plan)
    const asked = operationalEventPatterns(row.config.eventTypes)
    if (asked.length > 0) {
      patterns ??= new Map()
      patterns.set(row.project_id, [...(patterns.get(row.project_id) ?? []), ...asked])
    }
    endpoints.set(row.id, endpointEntry(tenantId, row, seal, names, globalSecrets))
  }
  return {
    version: first.version,
    bytes,
    value: {
      endpoints,
      notedDeleted: 0,
      direct: directTargets(tenantId, names, globalSecrets),
      operationalEventPatterns: patterns ?? NO_PATTERNS,
    },
  }
}

/**
 * The status alone, past every cache: whether a backlog may go is asked rarely, and a refusal that
 * is out of date would keep the backlog waiting for 30 s.
 */
export async function readEndpointStatus(
  pool: Pool,
  tenantId: string,
  endpointId: string,
): Promise<TargetStatus> {
  const { rows } = await pool.query<{ status: TargetStatus }>({
    name: 'read-endpoint-status',
    text: `SELECT ${STATUS} AS status FROM endpoints e WHERE e.tenant_id = $1 AND e.id = $2`,
    values: [tenantId, endpointId],
  })
  return rows[0]?.status ?? 'deleted'
}
