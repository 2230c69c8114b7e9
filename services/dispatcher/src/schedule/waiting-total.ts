/** What waits in all target queues together; what was fetched from backlogs does not count. */
import { payloadBytes, type LeasedDelivery, type Queued } from '../delivery.ts'
import { isQuick, type TargetQueue } from './target-queue.ts'

export interface WaitingTotal {
  /** The queues that have some waiting, and some that had. */
  readonly queues: Set<TargetQueue>
  size(): number
  /** Each queue may have as many as are left: two that are flooded have a third each. */
  isFull(queue: TargetQueue, more: LeasedDelivery): boolean
  add(queue: TargetQueue, delivery: Queued): void
  remove(delivery: Queued): void
  clear(): void
  /** How many will start soon, up to `most`: they are as good as in flight. */
  startingSoon(most: number): number
}

/** Some 24 MiB of small payloads and their objects, or of large payloads alone. */
const MAX_WAITING = 20_000
const MAX_WAITING_BYTES = 24 * 1024 * 1024
/**
 * So many of one queue keep deliveries of other targets on the bus: a share of the slots, so that
 * 32 queues make us stop and two that are flooded do not.
 */
const MAX_SOON = 64

export function createWaitingTotal(): WaitingTotal {
  const queues = new Set<TargetQueue>()
  let count = 0
  let bytes = 0
  return {
    queues,
    size: () => count,
    isFull: (queue, more) =>
      queue.waiting.size() >= MAX_WAITING - count ||
      bytes + queue.bytes + payloadBytes(more) > MAX_WAITING_BYTES,
    add(queue, delivery) {
      count += 1
      bytes += payloadBytes(delivery)
      queues.add(queue)
    },
    remove(delivery) {
      count -= 1
      // A newer message of another size may have come for it since.
      bytes = count === 0 ? 0 : bytes - payloadBytes(delivery)
    },
    clear() {
      count = 0
      bytes = 0
      queues.clear()
    },
    startingSoon(most) {
      let soon = 0
      for (const queue of queues) {
        if (soon >= most) break
        if (isQuick(queue) && queue.rate === null) soon += Math.min(queue.waiting.size(), MAX_SOON)
      }
      return soon
    },
  }
}
