/**
 * What a service keeps in memory of each tenant: loaded on first use, checked against `tenants.config_version` every
 * second for all tenants in one query, dropped at once when `config.changed` says so. So a change is in force
 * everywhere within 2 seconds with or without the bus.
 */
import type { Pool } from './pool.ts'

export interface TenantCache<Value> {
  /** The tenant's value, at most a second old (or of this very version, where one is named). */
  get(tenantId: string, version?: number): Promise<Value>
  /** The value where it is in memory and fresh: no promise on the hot path. */
  peek(tenantId: string): Value | undefined
  invalidate(tenantId: string): void
  /** Checks all versions; called every second. A failure keeps what there is. */
  refresh(): Promise<void>
}

interface Entry<Value> {
  version: number
  value: Value
  checkedAt: number
  usedAt: number
}

/** Beyond this the tenants that were used longest ago go. */
const MAX_TENANTS = 10_000
/** A missed refresh or two may pass; 2 s is the promise. */
const FRESH_MS = 1_800
const IDLE_MS = 60_000

export function createTenantCache<Value>(
  pool: Pool,
  load: (tenantId: string) => Promise<{ version: number; value: Value }>,
  now: () => number = Date.now,
): TenantCache<Value> {
  const entries = new Map<string, Entry<Value>>()
  const loading = new Map<string, Promise<Entry<Value>>>()

  async function get(tenantId: string, version?: number): Promise<Value> {
    const entry = entries.get(tenantId)
    if (entry !== undefined && isGood(entry, version)) {
      entry.usedAt = now()
      return entry.value
    }
    const running = loading.get(tenantId)
    const fresh = await (running ?? reload(tenantId))
    // Somebody else's load may have begun before the change that `version` tells of.
    if (running !== undefined && version !== undefined && fresh.version < version) {
      return (await reload(tenantId)).value
    }
    return fresh.value
  }

  function isGood(entry: Entry<Value>, version: number | undefined): boolean {
    if (version !== undefined) return entry.version >= version
    return now() - entry.checkedAt < FRESH_MS
  }

  function reload(tenantId: string): Promise<Entry<Value>> {
    const checkedAt = now()
    const promise = load(tenantId).then((loaded) => {
      const entry = { ...loaded, checkedAt, usedAt: now() }
      // An invalidation meanwhile has taken this load out: its result serves who asked, and is not kept.
      if (loading.get(tenantId) === promise) entries.set(tenantId, entry)
      return entry
    })
    loading.set(tenantId, promise)
    const settled = (): void => {
      if (loading.get(tenantId) === promise) loading.delete(tenantId)
    }
    promise.then(settled, settled)
    return promise
  }

  function invalidate(tenantId: string): void {
    entries.delete(tenantId)
    loading.delete(tenantId)
  }

  function forgetUnused(): void {
    for (const [tenantId, entry] of entries) {
      if (now() - entry.usedAt > IDLE_MS) entries.delete(tenantId)
    }
    if (entries.size <= MAX_TENANTS) return
    const byUse = [...entries].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [tenantId] of byUse.slice(0, entries.size - MAX_TENANTS)) entries.delete(tenantId)
  }

  async function refresh(): Promise<void> {
    forgetUnused()
    if (entries.size === 0) return
    const askedAt = now()
    const { rows } = await pool.query<{ id: string; version: number }>({
      name: 'config-versions',
      text: 'SELECT id, config_version::float8 AS version FROM tenants WHERE id = ANY ($1::uuid[])',
      values: [[...entries.keys()]],
    })
    for (const { id, version } of rows) {
      const entry = entries.get(id)
      if (entry === undefined) continue
      if (entry.version === version) entry.checkedAt = Math.max(entry.checkedAt, askedAt)
      else invalidate(id)
    }
  }

  return {
    get,
    peek(tenantId) {
      const entry = entries.get(tenantId)
      if (entry === undefined || !isGood(entry, undefined)) return undefined
      entry.usedAt = now()
      return entry.value
    },
    invalidate,
    refresh,
  }
}
