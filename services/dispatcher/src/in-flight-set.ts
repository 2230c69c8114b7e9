/**
 * The deliveries that this process has leased, in whatever phase, and what they take in memory.
 * Each phase has a limit of its own by number; this one is in bytes, over all of them.
 *
 * Payloads that are read for one attempt alone are counted in `schedule/windows.ts`, not here.
 */
import { type LeasedDelivery, payloadBytes } from './delivery.ts'

/**
 * From here on no new delivery is taken: the bus keeps it, and then Postgres. Targets that hang can
 * not reach it alone: they have 24 MiB in flight and 24 waiting, for a second at most. It is 44,000
 * deliveries of 480 bytes.
 */
export const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024
/** The object, its message and ids, as heap snapshots have it. */
const OBJECT_BYTES = 1_024

export interface InFlightSet {
  get(deliveryId: string): LeasedDelivery | undefined
  add(delivery: LeasedDelivery): void
  /** Forgets this very object; another one with its id stays. */
  forget(delivery: LeasedDelivery): void
  values(): Iterable<LeasedDelivery>
  bytes(): number
  /** How many of them are heads of lanes. */
  heads(): number
}

export function createInFlightSet(): InFlightSet {
  const deliveries = new Map<string, LeasedDelivery>()
  let bytes = 0
  const heads = new Set<string>()

  function remove(id: string, delivery: LeasedDelivery): void {
    bytes -= delivery.countedBytes
    heads.delete(id)
    deliveries.delete(id)
  }

  return {
    get: (id) => deliveries.get(id),
    add(delivery) {
      const { deliveryId: id, lane } = delivery.message
      const known = deliveries.get(id)
      if (known !== undefined) remove(id, known)
      delivery.countedBytes = OBJECT_BYTES + payloadBytes(delivery)
      bytes += delivery.countedBytes
      if (lane !== null) heads.add(id)
      deliveries.set(id, delivery)
    },
    forget(delivery) {
      const id = delivery.message.deliveryId
      if (deliveries.get(id) === delivery) remove(id, delivery)
    },
    values: () => deliveries.values(),
    bytes: () => bytes,
    heads: () => heads.size,
  }
}
