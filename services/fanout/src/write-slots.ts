/**
 * Limits how many tenants are written apart from the batches at once: those in order, each of which
 * takes a connection and may wait there for another instance, and floods, whose plans are kept in
 * memory. A tenant is busy while it has a slot or waits for one, so none of its other events is
 * picked.
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

export function createWriteSlots(slots: number, { queues, wake }: WriteSlotsDeps): WriteSlots {
  let used = 0
  const waiting: string[] = []
  return {
    acquire({ tenantId, jobs }) {
      queues.setBusy(tenantId)
      if (used < slots) {
        used += 1
        return true
      }
      waiting.push(tenantId)
      queues.putBack(tenantId, jobs)
      return false
    },
    release({ tenantId }) {
      used -= 1
      const next = waiting.shift()
      // It comes first in the next batch, before whoever has just had the slot.
      if (next !== undefined) queues.free(next)
      queues.free(tenantId)
      wake()
    },
  }
}
