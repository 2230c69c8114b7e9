/**
 * What waits to be taken on, in a queue per target: tenants take turns, and the targets of each. Every second turn is for a
 * target that had nothing waiting, if there is one: so whoever comes is next, for however many others deliveries wait.
 * Each step is O(1), but `overdue`, which looks at each target once.
 */
import { createQueue, type Queue } from './queue.ts'

export interface Place {
  tenantId: string
  /** Unique among the tenant's. */
  target: string
}

export interface FairQueue<Item> {
  push(place: Place, item: Item): void
  shift(): Item | undefined
  size(): number
  /**
   * Takes out what will not have its turn within a second, as its target has gone so far; the newest first.
   * @param most how many
   */
  overdue(most: number): Item[]
}

interface TargetQueue<Item> {
  items: Queue<Item>
  /** Items that had their turn since then. */
  taken: number
  since: number
}

interface TenantQueue<Item> {
  targets: Map<string, TargetQueue<Item>>
  /** Targets that have not had a turn since they had nothing waiting. */
  fresh: Queue<string>
  turns: Queue<string>
  freshLast: boolean
}

const SECOND_MS = 1_000

export function createFairQueue<Item>(now: () => number): FairQueue<Item> {
  const tenants = new Map<string, TenantQueue<Item>>()
  const turns = createQueue<string>()
  let size = 0

  function tenantOf(tenantId: string): TenantQueue<Item> {
    let tenant = tenants.get(tenantId)
    if (tenant === undefined) {
      tenant = {
        targets: new Map(),
        fresh: createQueue(),
        turns: createQueue(),
        freshLast: false,
      }
      tenants.set(tenantId, tenant)
      turns.push(tenantId)
    }
    return tenant
  }

  function nextName(tenant: TenantQueue<Item>): string | undefined {
    tenant.freshLast = !tenant.freshLast
    return tenant.freshLast
      ? (tenant.fresh.shift() ?? tenant.turns.shift())
      : (tenant.turns.shift() ?? tenant.fresh.shift())
  }

  function shiftOf(tenant: TenantQueue<Item>): Item | undefined {
    const { targets } = tenant
    for (let name = nextName(tenant); name !== undefined; name = nextName(tenant)) {
      const target = targets.get(name)
      const item = target?.items.shift()
      if (target === undefined || target.items.size() === 0) targets.delete(name)
      else tenant.turns.push(name)
      if (target === undefined || item === undefined) continue
      target.taken += 1
      return item
    }
    return undefined
  }

  function overdueOf(target: TargetQueue<Item>, most: number): Item[] {
    const elapsed = now() - target.since
    // Nothing is known of its pace yet.
    if (elapsed < SECOND_MS) return []
    const soon = Math.ceil((target.taken * SECOND_MS) / elapsed)
    const items: Item[] = []
    while (items.length < most && target.items.size() > Math.max(1, soon)) {
      items.push(target.items.pop() as Item)
    }
    // The newer half of what is known counts twice as much.
    if (elapsed > 2 * SECOND_MS) {
      target.since += elapsed / 2
      target.taken /= 2
    }
    return items
  }

  return {
    push({ tenantId, target: name }, item) {
      const tenant = tenantOf(tenantId)
      let target = tenant.targets.get(name)
      if (target === undefined) {
        target = { items: createQueue(), taken: 0, since: now() }
        tenant.targets.set(name, target)
        tenant.fresh.push(name)
      }
      target.items.push(item)
      size += 1
    },
    shift() {
      for (let id = turns.shift(); id !== undefined; id = turns.shift()) {
        const tenant = tenants.get(id)
        const item = tenant && shiftOf(tenant)
        if (tenant === undefined || tenant.targets.size === 0) tenants.delete(id)
        else turns.push(id)
        if (item === undefined) continue
        size -= 1
        return item
      }
      return undefined
    },
    size: () => size,
    overdue(most) {
      const items: Item[] = []
      for (const { targets } of tenants.values()) {
        for (const target of targets.values()) {
          if (items.length >= most) break
          items.push(...overdueOf(target, most - items.length))
        }
      }
      size -= items.length
      return items
    },
  }
}
