/**
 * The tenants' configuration as this process has it in memory, at most two seconds old, and the
 * ways past what it has. The rooms ask here what a delivery's target is (`peekTenant`, then
 * `decide-admission.ts`); `read-tenant.ts` reads a tenant, `resolve-target.ts` makes its targets.
 */
import { createTenantCache } from '@posthorn/store/tenant-cache'
import {
  type ReadTenantDeps,
  readEndpointStatus,
  readSmallTenantConfigs,
  readTenantConfig,
  type TenantConfig,
} from './read-tenant.ts'
import type { ResolvedTarget, TargetStatus } from './resolve-target.ts'

export interface Configuration {
  /** null: there is no such tenant. undefined: it is not in memory, or not fresh. */
  peekTenant(tenantId: string): TenantConfig | null | undefined
  getTenant(tenantId: string): Promise<TenantConfig | null>
  /** The tenant as it is from now on, whatever is in memory. */
  readTenant(tenantId: string): Promise<TenantConfig | null>
  /** As `peekTenant`, for one endpoint. */
  peekTarget(tenantId: string, endpointId: string): ResolvedTarget | null | undefined
  getTarget(tenantId: string, endpointId: string): Promise<ResolvedTarget | null | undefined>
  /** undefined: not known. */
  knownStatus(tenantId: string, endpointId: string): TargetStatus | undefined
  /** From Postgres itself. */
  readStatus(tenantId: string, endpointId: string): Promise<TargetStatus>
  invalidate(tenantId: string): void
  /** Called every second. */
  refresh(): Promise<void>
}

export function createConfiguration(deps: ReadTenantDeps): Configuration {
  const cache = createTenantCache(deps.pool, {
    load: (tenantId) => readTenantConfig(deps, tenantId),
    loadSmall: (tenantIds) => readSmallTenantConfigs(deps, tenantIds),
  })
  return {
    peekTenant: cache.peek,
    getTenant: (tenantId) => cache.get(tenantId),
    readTenant: cache.reread,
    peekTarget(tenantId, endpointId) {
      const tenant = cache.peek(tenantId)
      return tenant === null ? null : tenant?.endpoints.get(endpointId)?.target
    },
    getTarget: async (tenantId, endpointId) =>
      (await cache.get(tenantId))?.endpoints.get(endpointId)?.target,
    knownStatus(tenantId, endpointId) {
      const tenant = cache.peek(tenantId)
      return tenant === null ? 'deleted' : tenant?.endpoints.get(endpointId)?.status
    },
    readStatus: (tenantId, endpointId) => readEndpointStatus(deps.pool, tenantId, endpointId),
    invalidate: cache.invalidate,
    refresh: cache.refresh,
  }
}
