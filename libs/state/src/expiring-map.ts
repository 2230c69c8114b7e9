/**
 * A map whose entries expire. It has no timer: each write looks at two older entries and drops
 * those that have expired, so it costs nothing when idle and has at most about twice as many
 * entries as are alive under load.
 *
 * It is bounded: over `maxEntries` the oldest entry goes, alive or not.
 *
 * The order of its entries is a list of its own. An iterator of a Map that is kept would do as
 * well, but it keeps every table that the Map has grown out of since it was last asked, with all
 * that was in them: 250 bytes of each entry that ever was.
 */
import { addLast, createLinkedList, leaveList, type ListEntry } from '@posthorn/async/linked-list'

export interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, ttlMs: number): void
  delete(key: string): void
  size(): number
}

interface Expiring<Value> {
  readonly key: string
  value: Value
  endsAtMs: number
}

const SWEPT_PER_WRITE = 2

export function createExpiringMap<Value>(
  config: { maxEntries: number },
  deps: { nowMs(): number },
): ExpiringMap<Value> {
  const byKey = new Map<string, ListEntry<Expiring<Value>>>()
  const byAge = createLinkedList<Expiring<Value>>()
  /** The entry that is looked at next; null: the oldest. */
  let sweep: ListEntry<Expiring<Value>> | null = null

  function sweepSome(now: number): void {
    for (let step = 0; step < SWEPT_PER_WRITE; step += 1) {
      const entry = sweep ?? byAge.first
      if (entry === null) return
      sweep = entry.next
      if (entry.item.endsAtMs <= now) remove(entry)
    }
  }

  function remove(entry: ListEntry<Expiring<Value>>): void {
    if (sweep === entry) sweep = entry.next
    leaveList(entry)
    byKey.delete(entry.item.key)
  }

  return {
    get(key) {
      const item = byKey.get(key)?.item
      return item !== undefined && item.endsAtMs > deps.nowMs() ? item.value : undefined
    },
    set(key, value, ttlMs) {
      const now = deps.nowMs()
      const endsAtMs = now + ttlMs
      const known = byKey.get(key)?.item
      if (known === undefined) byKey.set(key, addLast(byAge, { key, value, endsAtMs }))
      else {
        known.value = value
        known.endsAtMs = endsAtMs
      }
      sweepSome(now)
      if (byKey.size > config.maxEntries && byAge.first !== null) remove(byAge.first)
    },
    delete(key) {
      const entry = byKey.get(key)
      if (entry !== undefined) remove(entry)
    },
    size: () => byKey.size,
  }
}
