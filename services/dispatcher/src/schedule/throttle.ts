/**
 * How fast lines go, and whether this process itself is what is slow. When its event loop has no time left, a line that
 * fills up says nothing of its receiver; and parked, a delivery costs three times the work, of the very processor that is
 * short. So work is then taken off the bus only as fast as it goes: what waits here is a quarter of a second's.
 *
 * A line counts with no more than goes there in that time, so that a slow one holds up nobody.
 */
import { isQuick, type TargetQueue } from './target-queue.ts'

export interface ThrottleDeps {
  /** Of the event loop since the last call, in [0, 1]. */
  utilization(): number
  now(): number
}

export interface Throttle {
  ended(line: TargetQueue): void
  forget(line: TargetQueue): void
  /** Called every 50 ms; false: nothing has gone, nothing to look at. */
  tick(): boolean
  /** How many more may be taken on, of which these lines have some waiting; Infinity while there is time for more. */
  capacity(withWaiting: Iterable<TargetQueue>): number
}

const ROUND_MS = 250
/** The rest is for turns in which nothing happens to be ready. */
const BUSY = 0.9
/** Before there is a pace: a batch. */
const MIN_ROOM = 256
/** Of a line that has just begun. */
const MIN_SHARE = 16

export function createThrottle({ utilization, now }: ThrottleDeps): Throttle {
  const moving = new Set<TargetQueue>()
  let since = now()
  let all = 0
  let busy = false

  return {
    ended(line) {
      line.endedInRound += 1
      moving.add(line)
    },
    forget: (line) => void moving.delete(line),
    tick() {
      const lasted = now() - since
      if (lasted < ROUND_MS) return true
      since += lasted
      busy = utilization() > BUSY
      all = 0
      for (const line of moving) {
        line.throughput = Math.ceil((line.endedInRound * ROUND_MS) / lasted)
        line.endedInRound = 0
        all += line.throughput
        if (line.throughput === 0) moving.delete(line)
      }
      return moving.size > 0
    },
    capacity(withWaiting) {
      if (!busy) return Infinity
      let room = Math.max(MIN_ROOM, all)
      for (const line of withWaiting) {
        if (!isQuick(line) || line.rate !== null) continue
        room -= Math.min(line.waiting.size(), Math.max(MIN_SHARE, line.throughput))
        if (room <= 0) return 0
      }
      return room
    },
  }
}
