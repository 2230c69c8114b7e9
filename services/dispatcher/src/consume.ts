/**
 * What comes off the three topics, drained 6:3:1 in batches as slots become free, and in turns by target. A message is done
 * once its delivery is taken on, parked or dropped; what is not taken waits on the bus, and is what its lag counts.
 *
 * On the bus all wait in one line. So before this process has as many as it reads, those that will not have their turn
 * within a second are parked: however many wait for some targets, a delivery for another one is read at once.
 */
import type { Received } from '@posthorn/bus/bus'
import type { DeliveryDue, DueBacklog, PriorityClass } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Announced } from './ask-whose.ts'
import { createClassQueues } from './class-queues.ts'
import type { Place } from './fair-queue.ts'

export interface ConsumeDeps {
  admit(batch: readonly Announced[]): Promise<void>
  /** Taken on, to be parked. */
  park(batch: readonly Announced[]): Promise<void>
  /** False: nothing can be parked now. */
  mayPark(): boolean
  backlogAnnounced(message: DueBacklog, done: () => void): void
  /** How many deliveries may be taken on now. */
  room(): number
  now(): number
  log: Pick<Log, 'error'>
}

export interface Consume {
  received(of: PriorityClass, messages: readonly Received<DeliveryDue>[]): void
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
/** Beyond it what will not go within a second is parked: as much again may come before reading stops. */
export const MAX_QUEUED = 4_000
const MAX_PARKED = 500
/** It looks at each target: 0.5 ms for 4,000. */
const AGAIN_MS = 50

export function createConsume(deps: ConsumeDeps): Consume {
  const queues = createClassQueues<Waiting>(deps.now)
  const underWay = new Set<Promise<void>>()
  let admitting = 0
  let parking = false
  let notBefore = 0
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
      const room = Math.min(MAX_BATCH, MAX_ADMITTING - admitting, deps.room() - admitting)
      if (room <= 0) return parkOverdue()
      const batch = queues.take(room)
      admitting += batch.length
      start(batch, deps.admit, () => {
        admitting -= batch.length
      })
    }
  }

  function parkOverdue(): void {
    if (parking || stopped || queues.size() <= MAX_QUEUED || !deps.mayPark()) return
    if (deps.now() < notBefore) return
    const batch = queues.overdue(Math.min(MAX_PARKED, queues.size() - MAX_QUEUED / 2))
    if (batch.length === 0) {
      notBefore = deps.now() + AGAIN_MS
      return
    }
    // Not counted as being admitted: it takes no slot, and what has its turn goes on meanwhile.
    parking = true
    start(batch, deps.park, () => {
      parking = false
    })
  }

  function start(batch: readonly Waiting[], how: ConsumeDeps['admit'], then: () => void): void {
    const admission = admit(batch, how)
      .catch((error: unknown) =>
        deps.log.error('deliveries.not-admitted', { deliveries: batch.length, error }),
      )
      .finally(() => {
        underWay.delete(admission)
        then()
        wake()
      })
    underWay.add(admission)
  }

  async function admit(batch: readonly Waiting[], how: ConsumeDeps['admit']): Promise<void> {
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
      if (deliveries.length > 0) await how(deliveries)
    } finally {
      for (const message of messages) message.done()
    }
  }

  return {
    received(of, messages) {
      const takenAt = deps.now()
      for (const received of messages) {
        queues.push(of, placeOf(received.value), { received, takenAt })
      }
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

function placeOf(message: DeliveryDue): Place {
  const { tenantId } = message
  if (message.kind === 'backlog') return { tenantId, target: 'backlogs' }
  return { tenantId, target: message.endpointId ?? message.destination ?? '' }
}
