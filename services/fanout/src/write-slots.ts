/**
 * Limits how many tenants write in order at once: each takes a connection, and may wait there for
 * another instance. A tenant is busy while it has a slot or waits for one, so none of its other
 * events is picked.
 */
import type { TenantBatch } from './tenant-batch.ts'
import type { TenantQueues } from './tenant-queues.ts'

export interface WriteSlotsDeps {
  queues: Pick<TenantQueues, 'putBack' | 'setBusy' | 'free'>
  /** A tenant is free again. */
  wake(): void
}

export interface WriteSlots {
  /**
   * Returns false when no slot is free: the jobs are then back in the tenant's queue and are picked
   * once it gets a slot.
   */
  acquire(batch: Pick<TenantBatch, 'tenantId' | 'jobs'>): boolean
  release(batch: Pick<TenantBatch, 'tenantId'>): void
}

/** At most this many of the eight connections are used for it. */
const MAX_IN_ORDER = 4

export function createWriteSlots({ queues, wake }: WriteSlotsDeps): WriteSlots {
  let used = 0
  const waiting: string[] = []
  return {
    acquire({ tenantId, jobs }) {
      queues.setBusy(tenantId)
      if (used < MAX_IN_ORDER) {
        used += 1
        return true
      }
      waiting.push(tenantId)
      queues.putBack(tenantId, jobs)
      return false
    },
    release({ tenantId }) {
      used -= 1
      queues.free(tenantId)
      const next = waiting.shift()
      if (next !== undefined) queues.free(next)
      wake()
    },
  }
}
