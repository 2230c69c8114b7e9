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

interface Cell {
  /** undefined: it has left. */
  delivery: LeasedDelivery | undefined
}

export function createInFlightSet(): InFlightSet {
  /** Cells, for the reason given in `linked-list.ts`. */
  const cells = new Map<string, Cell>()
  let bytes = 0
  const heads = new Set<string>()

  function remove(id: string, cell: Cell, delivery: LeasedDelivery): void {
    bytes -= delivery.countedBytes
    heads.delete(id)
    cells.delete(id)
    cell.delivery = undefined
  }

  return {
    get: (id) => cells.get(id)?.delivery,
    add(delivery) {
      const { deliveryId: id, lane } = delivery.message
      const known = cells.get(id)
      if (known?.delivery !== undefined) remove(id, known, known.delivery)
      delivery.countedBytes = OBJECT_BYTES + payloadBytes(delivery)
      bytes += delivery.countedBytes
      if (lane !== null) heads.add(id)
      cells.set(id, { delivery })
    },
    forget(delivery) {
      const id = delivery.message.deliveryId
      const known = cells.get(id)
      if (known?.delivery === delivery) remove(id, known, delivery)
    },
    values: () => [...cells.values()].flatMap(({ delivery }) => delivery ?? []),
    bytes: () => bytes,
    heads: () => heads.size,
  }
}
