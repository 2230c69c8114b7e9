/**
 * The deliveries that this process has taken on, and what they take in memory, in whatever phase: waiting, fetched ahead,
 * in flight, unrecorded, leaving. Each phase has its own limit by number; this is the one in bytes over all of them.
 *
 * Payloads that are read for a try alone are not counted here but in `windows.ts`.
 */
import { bytesOf, type LeasedDelivery, type DeliveriesById } from './delivery.ts'

/**
 * No new work from here on; the bus keeps it, and then Postgres. What hangs can not reach it alone: 24 MiB in flight and 24
 * waiting, for a second at most. 44,000 deliveries of 480 bytes.
 */
export const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024
/** The object, its message and ids: as heap snapshots have it. */
const OBJECT_BYTES = 1_024

export interface InFlightSet extends DeliveriesById {
  bytes(): number
  /** Of lanes. */
  heads(): number
}

export function createInFlightSet(): InFlightSet {
  const works = new Map<string, LeasedDelivery>()
  let bytes = 0
  const heads = new Set<string>()

  function forget(id: string): boolean {
    bytes -= works.get(id)?.countedBytes ?? 0
    heads.delete(id)
    return works.delete(id)
  }

  return {
    get: (id) => works.get(id),
    set(id, work) {
      forget(id)
      work.countedBytes = OBJECT_BYTES + bytesOf(work)
      bytes += work.countedBytes
      if (work.message.lane !== null) heads.add(id)
      return works.set(id, work)
    },
    delete: forget,
    values: () => works.values(),
    bytes: () => bytes,
    heads: () => heads.size,
  }
}
