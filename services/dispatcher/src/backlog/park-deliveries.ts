/**
 * How a delivery leaves without a result: parked at its target, cancelled, or dropped and left to
 * its `due_at`. Parkings and cancellations are written many in one statement. Nothing is lost when
 * that fails: each row has its `due_at`, and comes again.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Ticker } from '@posthorn/async/ticker'
import type { DeliveryToPark, OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import type { Cancellation } from '@posthorn/store/pipeline/cancel-deliveries'
import { isUnavailable } from '@posthorn/store/pool'
import { type Admitted, type Leaving, type Queued, type Sending, toLeaving } from '../delivery.ts'
import type { InFlightSet } from '../in-flight-set.ts'
import type { Mutex } from '@posthorn/async/mutex'
import type { Circuits } from '../schedule/circuits.ts'
import type { Statements } from '../statements.ts'

export interface ParkingWriterDeps {
  inFlight: Pick<InFlightSet, 'forget'>
  circuits: Pick<Circuits, 'releaseProbe'>
  statements: Pick<Statements, 'parkDeliveries' | 'cancelDeliveries'>
  /** Serves backlogs that this process has made by parking, and so owns. */
  serveBacklogs(backlogs: OwnedBacklog[]): void
  /** Takes on the next deliveries in the lanes of cancelled ones; they are leased to us. */
  admitReleased(deliveries: DueDelivery[], askedAt: number): void
  /** A statement has ended: more may be taken. */
  capacityFreed(): void
  /** Calls `tick`. */
  ticker: Pick<Ticker, 'wake'>
  metrics: Pick<Metrics, 'count'>
  mutex: Mutex
  now(): number
  log: Pick<Log, 'warn'>
}

export interface ParkingWriter {
  park(delivery: Admitted | Queued, targetId: string): void
  cancel(delivery: Admitted | Queued | Sending, reason: string): void
  /** Another process has it, or nothing could be sent: its row is left to its `due_at`. */
  drop(delivery: Admitted | Queued | Sending): void
  /** Writes what there is; called every 50 ms. */
  tick(): void
  size(): number
  /** @param spare the limit lies so many deliveries higher */
  full(spare?: number): boolean
  /** Gives out what is not written yet. */
  drain(): Leaving[]
  /** Resolves when no statement is under way. */
  idle(): Promise<void>
}

type LeavingEntry = { delivery: Leaving; targetId: string } | Cancelled
interface Cancelled {
  delivery: Leaving
  reason: string
}

/** 10 to 20 ms a statement. */
const MAX_BATCH = 500
/** Nothing new is taken beyond this: Postgres parks slower than we take. */
const MAX_LEAVING = 4_000
/** As the recorder: a Postgres that refuses at once is not asked twenty times a second. */
const RETRY_MS = 250

// oxlint-disable-next-line max-lines-per-function -- its queue and its statement change together
export function createParkingWriter(deps: ParkingWriterDeps): ParkingWriter {
  const { inFlight, circuits } = deps
  let leaving: LeavingEntry[] = []
  let writing: Promise<void> | undefined
  let notBefore = 0

  function park(delivery: Admitted | Queued, targetId: string): void {
    circuits.releaseProbe(delivery)
    add({ delivery: toLeaving(delivery), targetId })
  }

  function cancel(delivery: Admitted | Queued | Sending, reason: string): void {
    circuits.releaseProbe(delivery)
    add({ delivery: toLeaving(delivery), reason })
  }

  function drop(delivery: Admitted | Queued | Sending): void {
    circuits.releaseProbe(delivery)
    inFlight.forget(delivery)
  }

  function add(entry: LeavingEntry): void {
    leaving.push(entry)
    deps.ticker.wake()
    if (leaving.length >= MAX_BATCH) tick()
  }

  function tick(): void {
    if (writing !== undefined || leaving.length === 0 || deps.now() < notBefore) return
    writing = writeAll().finally(() => {
      writing = undefined
      deps.capacityFreed()
    })
  }

  async function writeAll(): Promise<void> {
    do {
      const batch = leaving.slice(0, MAX_BATCH)
      leaving = leaving.slice(MAX_BATCH)
      try {
        await deps.mutex(() => write(batch))
      } catch (error) {
        deps.log.warn('deliveries.not-parked', { deliveries: batch.length, error })
        // Its rows come again by themselves, so it is not kept beyond what is bounded anyway.
        if (isUnavailable(error) && leaving.length < MAX_LEAVING) {
          leaving = [...batch, ...leaving]
          // The ticker may have gone to sleep while nothing was left but this batch.
          notBefore = deps.now() + RETRY_MS
          deps.ticker.wake()
          return
        }
      }
      for (const { delivery } of batch) inFlight.forget(delivery)
    } while (leaving.length >= MAX_BATCH)
  }

  async function write(batch: readonly LeavingEntry[]): Promise<void> {
    const parkings: DeliveryToPark[] = []
    const cancellations: Cancellation[] = []
    for (const entry of batch) {
      if (entry.delivery.lost) continue
      if ('reason' in entry) cancellations.push(cancellationOf(entry))
      else parkings.push(parkingOf(entry.delivery, entry.targetId))
    }
    if (cancellations.length > 0) {
      const askedAt = deps.now()
      const released = await deps.statements.cancelDeliveries(cancellations)
      if (released.length > 0) deps.admitReleased(released, askedAt)
    }
    if (parkings.length === 0) return
    const made = await deps.statements.parkDeliveries(parkings)
    deps.metrics.count('posthorn_deliveries_parked_total', {}, parkings.length)
    deps.serveBacklogs(made)
  }

  return {
    park,
    cancel,
    drop,
    tick,
    size: () => leaving.length,
    full: (spare = 0) => leaving.length >= MAX_LEAVING + spare,
    drain() {
      const deliveries = leaving.map(({ delivery }) => delivery)
      leaving = []
      return deliveries
    },
    async idle() {
      await writing
    },
  }
}

function parkingOf({ message, token }: Leaving, targetId: string): DeliveryToPark {
  const { tenantId, deliveryId, eventId, endpointId, priority, seq } = message
  return { tenantId, deliveryId, eventId, token, targetId, endpointId, priority, seq }
}

/**
 * For these reasons all that waits in the lane is cancelled too: to announce it one by one would
 * only be to cancel it one by one.
 */
const WITH_LANE = ['endpoint deleted', 'tenant deleted']

function cancellationOf({ delivery: { message, token }, reason }: Cancelled): Cancellation {
  const { tenantId, eventId, deliveryId, endpointId, lane } = message
  if (lane === null || endpointId === null) return { tenantId, eventId, deliveryId, reason }
  const head = { endpointId, lane, token, whole: WITH_LANE.includes(reason) }
  return { tenantId, eventId, deliveryId, reason, head }
}
