/** Whether this process may take on more: by its slots, by what it could not write yet, and by what all of it takes. */
import type { FairScheduler } from './schedule/fair-scheduler.ts'
import type { ParkingWriter } from './backlog/park-deliveries.ts'
import type { Recorder } from './record/record-results.ts'
import type { Windows } from './schedule/windows.ts'
import { MAX_IN_FLIGHT_BYTES } from './in-flight-set.ts'

export interface Fullness {
  recorder: Pick<Recorder, 'full'>
  parking: Pick<ParkingWriter, 'full'>
  works: { bytes(): number }
  windows: Pick<Windows, 'free'>
}

/** False: no new work. What is announced stays on the bus, and what is parked in Postgres. */
export function hasRoomFor({ recorder, parking, works, windows }: Fullness): boolean {
  if (recorder.full() || parking.full()) return false
  return works.bytes() < MAX_IN_FLIGHT_BYTES && windows.free() > 0
}

/** How many more deliveries may be taken on: slots that are free, at the pace of this process. */
export function roomIn(
  windows: Pick<Windows, 'free'>,
  lines: Pick<FairScheduler, 'waitingSoon' | 'roomAtPace'>,
): number {
  const free = windows.free()
  return Math.min(free - lines.waitingSoon(free), lines.roomAtPace())
}
