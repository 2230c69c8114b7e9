/**
 * What a service keeps in memory of each tenant: loaded on first use, checked against `tenants.config_version` every
 * second for all tenants in one query, dropped at once when `config.changed` says so. So a change is in force
 * everywhere within 2 seconds with or without the bus.
 */
import { setTimeout } from 'node:timers/promises'
import type { Pool } from './pool.ts'

export interface TenantCache<Value> {
  /** The tenant's value, at most a second old (or of this very version, where one is named). */
  get(tenantId: string, version?: number): Promise<Value>
  /** The value where it is in memory and fresh: no promise on the hot path. */
  peek(tenantId: string): Value | undefined
  invalidate(tenantId: string): void
  /** The value as it is from now on, whatever is in memory: for what a cached one can't tell. */
  reread(tenantId: string): Promise<Value>
  /** Checks all versions; called every second. A failure keeps what there is. */
  refresh(): Promise<void>
}

interface Entry<Value> {
  version: number
  value: Value
  bytes: number
  checkedAt: number
  usedAt: number
  loadedAt: number
}

/** Beyond either the tenants that were used longest ago go. */
const MAX_TENANTS = 10_000
/** The text that they were made from: as objects some three times as much. One tenant has 26 MiB at most. */
const MAX_BYTES = 32 * 1024 * 1024
/** A missed refresh or two may pass; 2 s is the promise. */
const FRESH_MS = 1_800
const IDLE_MS = 60_000
/**
 * A configuration of 16 MiB takes a fifth of a second of a processor to read. So one of that size is read once a second at
 * most however often it changes, a smaller one as much more often.
 */
const MAX_REST_MS = 1_000
const BYTES_PER_REST_MS = 16 * 1024

export function createTenantCache<Value>(
  pool: Pool,
  load: (tenantId: string) => Promise<{ version: number; value: Value; bytes: number }>,
  // Monotonic: by a clock that was set back, what is out of date would be taken for fresh.
  now: () => number = () => performance.now(),
): TenantCache<Value> {
  const entries = new Map<string, Entry<Value>>()
  const loading = new Map<string, Promise<Entry<Value>>>()
  let bytes = 0

  async function get(tenantId: string, version?: number): Promise<Value> {
    const entry = entries.get(tenantId)
    if (entry !== undefined && isGood(entry, version)) {
      entry.usedAt = now()
      return entry.value
    }
    if (entry !== undefined && version !== undefined) await rest(entry)
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
      const entry = { ...loaded, checkedAt, usedAt: now(), loadedAt: now() }
      // An invalidation meanwhile has taken this load out: its result serves who asked, and is not kept.
      if (loading.get(tenantId) === promise) keep(tenantId, entry)
      return entry
    })
    loading.set(tenantId, promise)
    const settled = (): void => {
      if (loading.get(tenantId) === promise) loading.delete(tenantId)
    }
    promise.then(settled, settled)
    return promise
  }

  function keep(tenantId: string, entry: Entry<Value>): void {
    forget(tenantId)
    entries.set(tenantId, entry)
    bytes += entry.bytes
    if (bytes > MAX_BYTES || entries.size > MAX_TENANTS) forgetLeastUsed(tenantId)
  }

  function forget(tenantId: string): void {
    bytes -= entries.get(tenantId)?.bytes ?? 0
    entries.delete(tenantId)
  }

  /** Down to nine tenths, so that it is seldom sorted. What has just been read stays, however large. */
  function forgetLeastUsed(kept: string): void {
    const byUse = [...entries].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [tenantId] of byUse) {
      if (bytes <= MAX_BYTES * 0.9 && entries.size <= MAX_TENANTS * 0.9) return
      if (tenantId !== kept) forget(tenantId)
    }
  }

  /** Until when what has just been read serves on, though it has changed. */
  function restsUntil({ loadedAt, bytes: size }: Entry<Value>): number {
    return loadedAt + Math.min(MAX_REST_MS, size / BYTES_PER_REST_MS)
  }

  /** Whoever needs a later version waits until it may be read again: its tenant's own events, and no others. */
  async function rest(entry: Entry<Value>): Promise<void> {
    const ms = restsUntil(entry) - now()
    if (ms >= 1) await setTimeout(ms)
  }

  function invalidate(tenantId: string): void {
    loading.delete(tenantId)
    const entry = entries.get(tenantId)
    if (entry === undefined) return
    // As old as if it had to be checked when its rest ends.
    if (restsUntil(entry) - now() >= 1)
      entry.checkedAt = Math.min(entry.checkedAt, restsUntil(entry) - FRESH_MS)
    else forget(tenantId)
  }

  function forgetUnused(): void {
    for (const [tenantId, entry] of entries) {
      if (now() - entry.usedAt > IDLE_MS) forget(tenantId)
    }
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
    async reread(tenantId) {
      return (await reload(tenantId)).value
    },
    refresh,
  }
}
