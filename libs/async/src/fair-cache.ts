/**
 * A cache bounded in bytes and fair between owners: when it is full, the owner that takes most
 * gives up what it has not used for longest. So an owner with very many entries pushes out its own,
 * and never those of an owner with few.
 */

export interface FairCache<Value> {
  get(tenantId: string, key: string): Value | undefined
  /** Replaces the value of the same key. A value larger than the whole cache is not kept. */
  set(tenantId: string, key: string, value: Value, bytes: number): void
}

interface Share<Value> {
  /** The longest unused first. */
  entries: Map<string, { value: Value; bytes: number }>
  bytes: number
}

export function createFairCache<Value>(maxBytes: number): FairCache<Value> {
  const shares = new Map<string, Share<Value>>()
  let total = 0

  function remove(tenantId: string, share: Share<Value>, key: string): void {
    const bytes = share.entries.get(key)?.bytes ?? 0
    share.entries.delete(key)
    share.bytes -= bytes
    total -= bytes
    if (share.entries.size === 0) shares.delete(tenantId)
  }

  /** It looks at all owners, which is a thousandth of what making the new value costs. */
  function makeRoom(): void {
    let largest: [string, Share<Value>] | undefined
    for (const entry of shares) {
      if (largest === undefined || entry[1].bytes > largest[1].bytes) largest = entry
    }
    if (largest === undefined) return
    const [oldest] = largest[1].entries.keys()
    if (oldest !== undefined) remove(...largest, oldest)
  }

  return {
    get(tenantId, key) {
      const entries = shares.get(tenantId)?.entries
      const entry = entries?.get(key)
      if (entries === undefined || entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(tenantId, key, value, bytes) {
      const before = shares.get(tenantId)
      if (before?.entries.has(key) === true) remove(tenantId, before, key)
      const share = shares.get(tenantId) ?? { entries: new Map(), bytes: 0 }
      shares.set(tenantId, share)
      share.entries.set(key, { value, bytes })
      share.bytes += bytes
      total += bytes
      while (total > maxBytes && shares.size > 0) makeRoom()
    },
  }
}
