/** The tenants' configuration as this process has it, and the ways past what it has. */
import { createTenantCache } from '@posthorn/store/tenant-cache'
import {
  type ReadTenantDeps,
  type TargetStatus,
  readEndpointStatus,
  readTenantConfig,
  type TenantConfig,
} from './tenant-config.ts'

export interface Tenants {
  /** undefined: not in memory or not fresh. */
  peekTenant(tenantId: string): TenantConfig | null | undefined
  getTenant(tenantId: string): Promise<TenantConfig | null>
  /** Read from now on, not before. */
  readTenant(tenantId: string): Promise<TenantConfig | null>
  /** undefined: not known. */
  knownStatus(tenantId: string, endpointId: string): TargetStatus | undefined
  readStatus(tenantId: string, endpointId: string): Promise<TargetStatus>
  invalidate(tenantId: string): void
  /** Called every second. */
  refresh(): Promise<void>
}

export function createTenants(deps: ReadTenantDeps): Tenants {
  const cache = createTenantCache(deps.pool, (tenantId) => readTenantConfig(deps, tenantId))
  return {
    peekTenant: cache.peek,
    getTenant: (tenantId) => cache.get(tenantId),
    readTenant: cache.reread,
    knownStatus(tenantId, endpointId) {
      const tenant = cache.peek(tenantId)
      return tenant === null ? 'deleted' : tenant?.endpoints.get(endpointId)?.status
    },
    readStatus: (tenantId, endpointId) => readEndpointStatus(deps.pool, tenantId, endpointId),
    invalidate: cache.invalidate,
    refresh: cache.refresh,
  }
}
