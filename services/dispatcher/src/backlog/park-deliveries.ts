/**
 * What does not go now: parked at its target, or cancelled, many in one statement. Nothing is lost when that fails:
 * each row has its `due_at`, and comes again.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Cancellation } from '@posthorn/store/pipeline/cancel-deliveries'
import type { OwnedBacklog, DeliveryToPark as ParkingRow } from '@posthorn/store/pipeline/backlogs'
import type { Mutex } from '../mutex.ts'
import type { LeasedDelivery, DeliveriesById } from '../delivery.ts'

export interface ParkingDeps {
  inFlight: DeliveriesById
  parkDeliveries(rows: ParkingRow[]): Promise<OwnedBacklog[]>
  cancelDeliveries(rows: Cancellation[]): Promise<DueDelivery[]>
  isUnavailable(error: unknown): boolean
  /** Backlogs that this process has made, and so serves. */
  onBacklogsMade(backlogs: OwnedBacklog[]): void
  /** The next in the lanes of those that were cancelled, leased to us. */
  onReleased(deliveries: DueDelivery[], askedAt: number): void
  /** `tick` has something to do. */
  onLeaving(): void
  /** After each statement. */
  onCapacity(): void
  count(parked: number): void
  turns: Mutex
  now(): number
  log: Pick<Log, 'warn' | 'error'>
}

export interface ParkingWriter {
  park(work: LeasedDelivery, targetId: string): void
  cancel(work: LeasedDelivery, reason: string): void
  /** Writes what there is; called every 50 ms. */
  tick(): void
  size(): number
  full(): boolean
  /** Gives out what is not written yet. */
  drain(): LeasedDelivery[]
  /** Resolves when no statement is under way. */
  idle(): Promise<void>
}

type Leaving = { work: LeasedDelivery; targetId: string } | { work: LeasedDelivery; reason: string }

/** 10 to 20 ms a statement. */
const MAX_BATCH = 500
/** No new work beyond this: Postgres parks slower than we take. */
const MAX_LEAVING = 4_000
/** As the recorder: a Postgres that refuses at once is not asked twenty times a second. */
const AGAIN_MS = 250

export function createParking(deps: ParkingDeps): ParkingWriter {
  let leaving: Leaving[] = []
  let writing: Promise<void> | undefined
  let notBefore = 0

  function add(one: Leaving): void {
    one.work.phase = 'leaving'
    leaving.push(one)
    deps.onLeaving()
    if (leaving.length >= MAX_BATCH) tick()
  }

  function tick(): void {
    if (writing !== undefined || leaving.length === 0 || deps.now() < notBefore) return
    writing = writeAll().finally(() => {
      writing = undefined
      deps.onCapacity()
    })
  }

  async function writeAll(): Promise<void> {
    do {
      const batch = leaving.slice(0, MAX_BATCH)
      leaving = leaving.slice(MAX_BATCH)
      try {
        await deps.turns(() => write(batch))
      } catch (error) {
        deps.log.warn('deliveries.not-parked', { deliveries: batch.length, error })
        // Its rows come again by themselves, so it is not kept beyond what is bounded anyway.
        if (deps.isUnavailable(error) && leaving.length < MAX_LEAVING) {
          leaving = [...batch, ...leaving]
          // Whoever calls `tick` may have gone to sleep while none was left but these.
          notBefore = deps.now() + AGAIN_MS
          deps.onLeaving()
          return
        }
      }
      for (const { work } of batch) deps.inFlight.delete(work.message.deliveryId)
    } while (leaving.length >= MAX_BATCH)
  }

  async function write(batch: readonly Leaving[]): Promise<void> {
    const parkings: ParkingRow[] = []
    const cancellations: Cancellation[] = []
    for (const one of batch) {
      const { tenantId, deliveryId, eventId, endpointId, priority, seq } = one.work.message
      if (one.work.lost) continue
      if ('reason' in one) cancellations.push(cancellationOf(one))
      else {
        const { token } = one.work
        parkings.push({
          tenantId,
          deliveryId,
          eventId,
          token,
          targetId: one.targetId,
          endpointId,
          priority,
          seq,
        })
      }
    }
    if (cancellations.length > 0) {
      const askedAt = deps.now()
      const released = await deps.cancelDeliveries(cancellations)
      if (released.length > 0) deps.onReleased(released, askedAt)
    }
    if (parkings.length === 0) return
    const held = await deps.parkDeliveries(parkings)
    deps.count(parkings.length)
    deps.onBacklogsMade(held)
  }

  return {
    park: (work, targetId) => add({ work, targetId }),
    cancel: (work, reason) => add({ work, reason }),
    tick,
    size: () => leaving.length,
    full: () => leaving.length >= MAX_LEAVING,
    drain() {
      const works = leaving.map(({ work }) => work)
      leaving = []
      return works
    },
    async idle() {
      await writing
    },
  }
}

/** With them goes all that waits for them: to announce it one by one would only be to cancel it one by one. */
const WITH_LANE = ['endpoint deleted', 'tenant deleted']

function cancellationOf({ work, reason }: { work: LeasedDelivery; reason: string }): Cancellation {
  const { tenantId, eventId, deliveryId, endpointId, lane } = work.message
  if (lane === null || endpointId === null) return { tenantId, eventId, deliveryId, reason }
  const head = { endpointId, lane, token: work.token, whole: WITH_LANE.includes(reason) }
  return { tenantId, eventId, deliveryId, reason, head }
}
