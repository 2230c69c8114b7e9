/**
 * What a service keeps in memory of each tenant: loaded on first use, dropped when the tenants that
 * have changed are asked for, every second, and at once when `config.changed` says so. So a change
 * is in force everywhere within 2 seconds, with or without the bus.
 */
import { setTimeout } from 'node:timers/promises'
import { createChangedTenants } from './changed-tenants.ts'
import { type LoadedTenant, loadTogether, type TenantLoads } from './load-tenants.ts'
import type { Pool } from './pool.ts'

export interface TenantCache<Value> {
  /** The tenant's value, at most 2 seconds old, or at least of this version where one is named. */
  get(tenantId: string, version?: number): Promise<Value>
  /** The value when it is in memory and fresh: so the hot path needs no promise. */
  peek(tenantId: string): Value | undefined
  invalidate(tenantId: string): void
  /** Reads the value anew, whatever is in memory. */
  reread(tenantId: string): Promise<Value>
  /** Drops what has changed; called every second. A failure keeps what there is. */
  refresh(): Promise<void>
}

interface CachedTenant<Value> {
  version: number
  value: Value
  bytes: number
  usedAt: number
  /** When its load began and ended. */
  readAt: number
  loadedAt: number
  /** It has changed: it is used until then and not later. */
  goodUntil: number
}

/**
 * Beyond either limit some are dropped. As many as an installation's customers may have customers,
 * each in use within a minute.
 */
const MAX_TENANTS = 20_000
/**
 * Counted as the text that the values were made from; as objects they take some three times as
 * much. One tenant has 26 MiB at most.
 */
const MAX_BYTES = 32 * 1024 * 1024
/** What an entry takes beside the text of its configuration, and each endpoint in it: a third. */
export const ENTRY_BYTES = 256
/** The share of the older half that goes first. */
const EVERY = 5
/** One missed refresh is tolerated; the promise is 2 s. */
const FRESH_MS = 1_800
const IDLE_MS = 60_000
/**
 * How often a cache asks that keeps nothing. The next asking answers all that has changed since the
 * last one, and 19,000 tenants at once take 50 ms of the loop.
 */
const EMPTY_ASKS_MS = 10_000
/**
 * A configuration of 16 MiB takes a fifth of a second of a processor to read. So one of that size
 * is read at most once a second however often it changes, and a smaller one proportionally more
 * often.
 */
const MAX_REST_MS = 1_000
const BYTES_PER_REST_MS = 16 * 1024

/** Until then what has been read is used on, though it may have changed. */
function restsUntil({ loadedAt, bytes }: CachedTenant<unknown>): number {
  return loadedAt + Math.min(MAX_REST_MS, bytes / BYTES_PER_REST_MS)
}

/**
 * Whoever needs a later version waits until it may be read again. Only the tenant's own events wait
 * here.
 */
async function rest(entry: CachedTenant<unknown>, now: number): Promise<void> {
  const ms = restsUntil(entry) - now
  if (ms >= 1) await setTimeout(ms)
}

/**
 * Every fifth of those that were used longest ago goes first: where a few more tenants than fit
 * come in turn, whoever was used longest ago is the next to come, and dropping these alone would
 * make every look-up a miss.
 */
function inOrderOfDropping(entries: ReadonlyMap<string, CachedTenant<unknown>>): string[] {
  const byUse = [...entries]
    .sort(([, a], [, b]) => a.usedAt - b.usedAt)
    .map(([tenantId]) => tenantId)
  const newer = byUse.splice(Math.ceil(byUse.length / 2))
  const older = Array.from({ length: EVERY }, (_, start) =>
    byUse.filter((_id, at) => at % EVERY === start),
  )
  return [...older.flat(), ...newer]
}

/** The values in memory, no more than their limits allow. */
function createEntries<Value>() {
  const entries = new Map<string, CachedTenant<Value>>()
  let bytes = 0

  function forget(tenantId: string): void {
    bytes -= entries.get(tenantId)?.bytes ?? 0
    entries.delete(tenantId)
  }

  /** Down to nine tenths, so that sorting is rare. What has just been read stays, however large. */
  function forgetSome(kept: string): void {
    for (const tenantId of inOrderOfDropping(entries)) {
      if (bytes <= MAX_BYTES * 0.9 && entries.size <= MAX_TENANTS * 0.9) return
      if (tenantId !== kept) forget(tenantId)
    }
  }

  return {
    get: (tenantId: string) => entries.get(tenantId),
    isEmpty: () => entries.size === 0,
    keep(tenantId: string, entry: CachedTenant<Value>): void {
      forget(tenantId)
      entries.set(tenantId, entry)
      bytes += entry.bytes
      if (bytes > MAX_BYTES || entries.size > MAX_TENANTS) forgetSome(tenantId)
    },
    forget,
    forgetAll(): void {
      entries.clear()
      bytes = 0
    },
    /** Forgets what was last used before then. */
    forgetUnusedSince(time: number): void {
      for (const [tenantId, entry] of entries) if (entry.usedAt < time) forget(tenantId)
    },
  }
}

/** Loads values, each once at a time, and keeps what no invalidation has overtaken. */
function createLoader<Value>(
  load: (tenantId: string) => Promise<LoadedTenant<Value>>,
  keep: (tenantId: string, entry: CachedTenant<Value>) => void,
  now: () => number,
) {
  const loading = new Map<string, Promise<CachedTenant<Value>>>()

  function reload(tenantId: string): Promise<CachedTenant<Value>> {
    const readAt = now()
    const promise = load(tenantId).then(({ version, value, bytes }) => {
      // Written out: there is one for each tenant, and with a spread each took 64 bytes more.
      const entry = {
        version,
        value,
        bytes,
        readAt,
        usedAt: now(),
        loadedAt: now(),
        goodUntil: Infinity,
      }
      // When an invalidation has removed this load meanwhile, its result is answered and not kept.
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

  return {
    running: (tenantId: string) => loading.get(tenantId),
    isIdle: () => loading.size === 0,
    reload,
    /** The load under way answers who asked, and its result is not kept. */
    overtake: (tenantId: string) => void loading.delete(tenantId),
    overtakeAll: () => loading.clear(),
  }
}

export function createTenantCache<Value>(
  pool: Pool,
  loads: TenantLoads<Value>,
  // Monotonic: with a clock that was set back, what is out of date would be taken for fresh.
  now: () => number = () => performance.now(),
): TenantCache<Value> {
  const entries = createEntries<Value>()
  const load = loadTogether(loads)
  const { running, isIdle, reload, overtake, overtakeAll } = createLoader(load, entries.keep, now)
  const changedTenants = createChangedTenants(pool)
  /** When it was last asked which tenants have changed: what is kept now had not, by then. */
  let checkedAt = -Infinity

  async function get(tenantId: string, version?: number): Promise<Value> {
    const entry = entries.get(tenantId)
    if (entry !== undefined && isGood(entry, version)) {
      entry.usedAt = now()
      return entry.value
    }
    if (entry !== undefined && version !== undefined) await rest(entry, now())
    const underWay = running(tenantId)
    const fresh = await (underWay ?? reload(tenantId))
    // The load that was under way may have begun before the change that `version` stands for.
    if (underWay !== undefined && version !== undefined && fresh.version < version) {
      return (await reload(tenantId)).value
    }
    return fresh.value
  }

  function isGood(entry: CachedTenant<Value>, version: number | undefined): boolean {
    if (version !== undefined) return entry.version >= version
    return now() < Math.min(Math.max(entry.readAt, checkedAt) + FRESH_MS, entry.goodUntil)
  }

  function invalidate(tenantId: string): void {
    overtake(tenantId)
    const entry = entries.get(tenantId)
    if (entry === undefined) return
    const rested = restsUntil(entry)
    if (rested - now() >= 1) entry.goodUntil = Math.min(entry.goodUntil, rested)
    else entries.forget(tenantId)
  }

  async function refresh(): Promise<void> {
    entries.forgetUnusedSince(now() - IDLE_MS)
    // Nothing is kept that could have changed.
    if (entries.isEmpty() && isIdle() && now() - checkedAt < EMPTY_ASKS_MS) return
    const askedAt = now()
    const changed = await changedTenants()
    if (changed === 'unknown') {
      entries.forgetAll()
      overtakeAll()
    } else {
      for (const [tenantId, version] of changed) {
        const entry = entries.get(tenantId)
        // A load that is under way may have begun before the change.
        if (entry === undefined || entry.version < version) invalidate(tenantId)
      }
    }
    checkedAt = askedAt
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
