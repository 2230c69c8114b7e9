/**
 * The flow of the intake: what comes off the topics waits by priority (`class-queues.ts`) and is
 * taken in batches as slots become free. A batch's deliveries are admitted (`admit.ts`), its
 * backlogs handed to `backlog/serve-backlogs.ts`. A message is done once its delivery is taken on,
 * parked or dropped; what is not taken waits on the bus, and is what its lag counts.
 */
import type { Received } from '@posthorn/bus/bus'
import type { DeliveryDue, DueTopicName } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Backlogs } from '../backlog/serve-backlogs.ts'
import type { FairScheduler } from '../schedule/fair-scheduler.ts'
import type { Admit } from './admit.ts'
import { createClassQueues } from './class-queues.ts'
import type { Announced } from './resolve-ownership.ts'

export interface IntakeDeps {
  admit: Pick<Admit, 'announced'>
  backlogs: Pick<Backlogs, 'announced'>
  scheduler: Pick<FairScheduler, 'capacity' | 'spareCapacity'>
  now(): number
  log: Pick<Log, 'error'>
}

export interface Intake {
  received(topic: DueTopicName, messages: readonly Received<DeliveryDue>[]): void
  /** There may be capacity: takes what there is, at the end of this turn of the event loop. */
  wake(): void
  /** Received and not taken. */
  queued(): number
  /** Takes nothing more. What is queued is not done, and comes to somebody else. */
  stop(): void
  /** Resolves when nothing is being admitted. */
  idle(): Promise<void>
}

interface WaitingMessage {
  received: Received<DeliveryDue>
  takenAt: number
}

const MAX_BATCH = 256
/** Under way at once: a claim in Redis is a round trip. */
const MAX_ADMITTING = 4 * MAX_BATCH

// oxlint-disable-next-line max-lines-per-function -- its queues and counts must change together
export function createIntake(deps: IntakeDeps): Intake {
  const queues = createClassQueues<WaitingMessage>()
  const underWay = new Set<Promise<void>>()
  let admitting = 0
  /** Those of them that were taken though there was no capacity for a flood. */
  let spareAdmitting = 0
  let scheduled = false
  let stopped = false

  function wake(): void {
    if (scheduled || stopped || queues.size() === 0) return
    scheduled = true
    setImmediate(takeBatches)
  }

  function takeBatches(): void {
    scheduled = false
    while (!stopped && queues.size() > 0) {
      const { batch, isSpare } = nextBatch()
      if (batch.length === 0) return
      count(batch, isSpare, 1)
      const admission = takeOn(batch)
        .catch((error: unknown) =>
          deps.log.error('deliveries.not-admitted', { deliveries: batch.length, error }),
        )
        .finally(() => {
          count(batch, isSpare, -1)
          underWay.delete(admission)
          wake()
        })
      underWay.add(admission)
    }
  }

  function count(batch: readonly unknown[], isSpare: boolean, by: 1 | -1): void {
    if (isSpare) spareAdmitting += by * batch.length
    else admitting += by * batch.length
  }

  function nextBatch(): { batch: WaitingMessage[]; isSpare: boolean } {
    const capacity = deps.scheduler.capacity() - admitting - spareAdmitting
    const limit = Math.min(MAX_BATCH, MAX_ADMITTING - admitting, capacity)
    if (limit > 0) return { batch: queues.take(limit), isSpare: false }
    const spare = Math.min(MAX_BATCH, deps.scheduler.spareCapacity() - spareAdmitting)
    return { batch: spare > 0 ? queues.takeSparse(spare) : [], isSpare: true }
  }

  async function takeOn(batch: readonly WaitingMessage[]): Promise<void> {
    const deliveries: Announced[] = []
    const messages: Received<DeliveryDue>[] = []
    for (const { received, takenAt } of batch) {
      const { value } = received
      if (value.kind === 'backlog') deps.backlogs.announced(value, received.done)
      else {
        deliveries.push({ message: value, takenAt })
        messages.push(received)
      }
    }
    try {
      if (deliveries.length > 0) await deps.admit.announced(deliveries)
    } finally {
      for (const message of messages) message.done()
    }
  }

  return {
    received(topic, messages) {
      const takenAt = deps.now()
      for (const received of messages) queues.push(topic, { received, takenAt })
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
