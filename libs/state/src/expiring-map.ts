/**
 * A map whose entries expire. It has no timer: each write looks at two older entries and drops
 * those that have expired, so it costs nothing when idle and has at most about twice as many
 * entries as are alive under load.
 *
 * It is bounded: over `maxEntries` the oldest entry goes, alive or not.
 */
export interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, ttlMs: number): void
  delete(key: string): void
  size(): number
}

interface ExpiringEntry<Value> {
  value: Value
  endsAtMs: number
}

const SWEPT_PER_WRITE = 2

export function createExpiringMap<Value>(
  config: { maxEntries: number },
  deps: { nowMs(): number },
): ExpiringMap<Value> {
  const entries = new Map<string, ExpiringEntry<Value>>()
  // A map's iterator goes on while the map changes, and meets what was added meanwhile.
  let sweep = entries.entries()
  // This iterator is kept as well: a new one would pass all entries that have gone, from the start.
  let oldest = entries.keys()

  function sweepSome(now: number) {
    for (let step = 0; step < SWEPT_PER_WRITE; step += 1) {
      const { done, value } = sweep.next()
      if (done) sweep = entries.entries()
      else if (value[1].endsAtMs <= now) entries.delete(value[0])
    }
  }

  function dropOldest() {
    let next = oldest.next()
    if (next.done) {
      oldest = entries.keys()
      next = oldest.next()
    }
    if (next.value !== undefined) entries.delete(next.value)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      return entry && entry.endsAtMs > deps.nowMs() ? entry.value : undefined
    },
    set(key, value, ttlMs) {
      const now = deps.nowMs()
      entries.set(key, { value, endsAtMs: now + ttlMs })
      sweepSome(now)
      if (entries.size <= config.maxEntries) return
      dropOldest()
    },
    delete: (key) => void entries.delete(key),
    size: () => entries.size,
  }
}
