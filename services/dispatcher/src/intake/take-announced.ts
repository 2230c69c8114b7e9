/**
 * What comes off the topics, drained by priority in batches as slots become free. A message is done once its delivery
 * is taken on, parked or dropped; what is not taken waits on the bus, and is what its lag counts.
 */
import type { Received } from '@posthorn/bus/bus'
import type { DeliveryDue, DueBacklog, DueTopicName } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Announced } from './resolve-ownership.ts'
import { createClassQueues } from './class-queues.ts'

export interface ConsumeDeps {
  admit(batch: readonly Announced[]): Promise<void>
  backlogAnnounced(message: DueBacklog, done: () => void): void
  /** How many deliveries may be taken on now. */
  capacity(): number
  now(): number
  log: Pick<Log, 'error'>
}

export interface Consume {
  received(of: DueTopicName, messages: readonly Received<DeliveryDue>[]): void
  /** There may be room: takes what there is, at the end of this turn of the event loop. */
  wake(): void
  /** Received and not taken. */
  queued(): number
  /** Takes nothing more. What is queued is not done, and comes to somebody else. */
  stop(): void
  /** Resolves when nothing is being admitted. */
  idle(): Promise<void>
}

interface Waiting {
  received: Received<DeliveryDue>
  takenAt: number
}

const MAX_BATCH = 256
/** Under way at once: a claim in Redis is a round trip. */
const MAX_ADMITTING = 4 * MAX_BATCH

export function createConsume(deps: ConsumeDeps): Consume {
  const queues = createClassQueues<Waiting>()
  const underWay = new Set<Promise<void>>()
  let admitting = 0
  let scheduled = false
  let stopped = false

  function wake(): void {
    if (scheduled || stopped || queues.size() === 0) return
    scheduled = true
    setImmediate(take)
  }

  function take(): void {
    scheduled = false
    while (!stopped && queues.size() > 0) {
      const room = Math.min(MAX_BATCH, MAX_ADMITTING - admitting, deps.capacity() - admitting)
      if (room <= 0) return
      const batch = queues.take(room)
      admitting += batch.length
      const admission = admit(batch)
        .catch((error: unknown) =>
          deps.log.error('deliveries.not-admitted', { deliveries: batch.length, error }),
        )
        .finally(() => {
          admitting -= batch.length
          underWay.delete(admission)
          wake()
        })
      underWay.add(admission)
    }
  }

  async function admit(batch: readonly Waiting[]): Promise<void> {
    const deliveries: Announced[] = []
    const messages: Received<DeliveryDue>[] = []
    for (const { received, takenAt } of batch) {
      const { value } = received
      if (value.kind === 'backlog') deps.backlogAnnounced(value, received.done)
      else {
        deliveries.push({ message: value, takenAt })
        messages.push(received)
      }
    }
    try {
      if (deliveries.length > 0) await deps.admit(deliveries)
    } finally {
      for (const message of messages) message.done()
    }
  }

  return {
    received(of, messages) {
      const takenAt = deps.now()
      for (const received of messages) queues.push(of, { received, takenAt })
      wake()
    },
    wake,
    queued: queues.size,
    stop() {
      stopped = true
    },
    async idle() {
      await Promise.all(underWay)
    },
  }
}
