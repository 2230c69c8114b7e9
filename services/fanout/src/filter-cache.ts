/**
 * Compiled filters of endpoints. They are compiled when an event needs them and cached while they
 * are used. The cache is bounded in bytes, since a tenant may have thousands of filters, and fair
 * between tenants.
 */
import { createFairCache } from '@posthorn/async/fair-cache'
import { type CompiledFilter, type Condition, compileFilter } from '@posthorn/domain/filter'

/** @param key identifies the endpoint and the version of its conditions */
type CompileCached = (
  tenantId: string,
  key: string,
  conditions: readonly Condition[],
) => CompiledFilter

/** A filter of a few conditions takes 2 KB, one with the largest patterns 500 KB. */
const MAX_BYTES = 64 * 1024 * 1024
const UNUSABLE_BYTES = 500

export function createFilterCache(maxBytes: number = MAX_BYTES): CompileCached {
  const kept = createFairCache<CompiledFilter>(maxBytes)
  return (tenantId, key, conditions) => {
    const known = kept.get(tenantId, key)
    if (known !== undefined) return known
    const compiled = compileFilter(conditions)
    kept.set(tenantId, key, compiled, compiled.outcome === 'ok' ? compiled.bytes : UNUSABLE_BYTES)
    return compiled
  }
}
