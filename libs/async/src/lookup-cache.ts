/**
 * What look-ups found, kept for a short time by key. Keys that nobody has are kept apart from the
 * others, so that a flood of invented ones drives out nothing that is in use.
 *
 * A look-up takes time, and what it finds may be out of date when it ends: what began before an
 * invalidation is not kept. The cache looks nothing up itself; `single-flight.ts` goes with it.
 */
import { setNewest } from './bounded-map.ts'

export interface LookupCache<Value> {
  /** What is kept and fresh. null: nobody has this key; undefined: it is not known. */
  peek(key: string): Value | null | undefined
  /** Whether somebody had this key when it was last looked up, though that may be long ago. */
  wasFound(key: string): boolean
  /** To be called when a look-up begins. Its result keeps what that look-up found. */
  begin(): (key: string, value: Value | null) => void
  /** Drops the values that match, and the results of look-ups that have begun by now. */
  invalidate(matches: (value: Value) => boolean): void
  /** Drops what is known about keys that nobody had. */
  forgetMissing(): void
}

export interface LookupCacheConfig {
  /** How long a value counts from the beginning of its look-up. It may be another each time. */
  freshMs: number | (() => number)
  /** As `freshMs`, for keys that nobody had; the same when it is left out. */
  missingFreshMs?: number
  /** Beyond these the entries that were looked up longest ago go. */
  maxFound: number
  maxMissing: number
}

interface CachedLookup<Value> {
  value: Value
  readAt: number
}

/** @param now monotonic, in ms */
export function createLookupCache<Value>(
  config: LookupCacheConfig,
  now: () => number,
): LookupCache<Value> {
  const found = new Map<string, CachedLookup<Value>>()
  const missing = new Map<string, CachedLookup<null>>()
  /** Grows with every invalidation. */
  let generation = 0
  const { freshMs } = config
  const foundFreshMs = typeof freshMs === 'function' ? freshMs : (): number => freshMs
  const missingFreshMs = (): number => config.missingFreshMs ?? foundFreshMs()

  return {
    peek(key) {
      const entry = found.get(key) ?? missing.get(key)
      if (entry === undefined) return undefined
      const countsMs = entry.value === null ? missingFreshMs() : foundFreshMs()
      return now() - entry.readAt < countsMs ? entry.value : undefined
    },
    wasFound: (key) => found.has(key),
    begin() {
      const began = generation
      const readAt = now()
      return (key, value) => {
        if (began !== generation) return
        found.delete(key)
        missing.delete(key)
        if (value === null) setNewest(missing, key, { value, readAt }, config.maxMissing)
        else setNewest(found, key, { value, readAt }, config.maxFound)
      }
    },
    invalidate(matches) {
      generation += 1
      for (const [key, { value }] of found) if (matches(value)) found.delete(key)
    },
    forgetMissing: () => missing.clear(),
  }
}
