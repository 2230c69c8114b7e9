/**
 * How fast the target queues go, and whether this process itself is what is slow. When its event
 * loop has no time left, a queue that fills up says nothing about its endpoint; and parked, a
 * delivery costs three times the work of the very processor that is short. So deliveries are then
 * taken off the bus only as fast as they go: what waits here is a quarter of a second's work.
 *
 * A queue counts with no more than goes there in that time, so that a slow one holds up nobody.
 */
import { isQuick, type TargetQueue } from './target-queue.ts'

export interface ThrottleDeps {
  /** The part of its time that the event loop was busy since the last call, in [0, 1]. */
  utilization(): number
  now(): number
}

export interface Throttle {
  ended(queue: TargetQueue): void
  forget(queue: TargetQueue): void
  /** Called every 50 ms; false: nothing has ended, so there is nothing to look at. */
  tick(): boolean
  /**
   * How many more deliveries may be taken on, where these queues have some waiting; Infinity while
   * there is time for more.
   */
  capacity(withWaiting: Iterable<TargetQueue>): number
}

const ROUND_MS = 250
/** The rest is for turns of the event loop in which nothing happens to be ready. */
const BUSY = 0.9
/** Before a throughput is known: a batch. */
const MIN_CAPACITY = 256
/** What a queue that has just begun counts with. */
const MIN_SHARE = 16

export function createThrottle({ utilization, now }: ThrottleDeps): Throttle {
  const moving = new Set<TargetQueue>()
  let since = now()
  let all = 0
  let busy = false

  return {
    ended(queue) {
      queue.endedInRound += 1
      moving.add(queue)
    },
    forget: (queue) => void moving.delete(queue),
    tick() {
      const lasted = now() - since
      if (lasted < ROUND_MS) return true
      since += lasted
      busy = utilization() > BUSY
      all = 0
      for (const queue of moving) {
        queue.throughput = Math.ceil((queue.endedInRound * ROUND_MS) / lasted)
        queue.endedInRound = 0
        all += queue.throughput
        if (queue.throughput === 0) moving.delete(queue)
      }
      return moving.size > 0
    },
    capacity(withWaiting) {
      if (!busy) return Infinity
      let capacity = Math.max(MIN_CAPACITY, all)
      for (const queue of withWaiting) {
        if (!isQuick(queue) || queue.rate !== null) continue
        capacity -= Math.min(queue.waiting.size(), Math.max(MIN_SHARE, queue.throughput))
        if (capacity <= 0) return 0
      }
      return capacity
    },
  }
}

/** The part of its time that the event loop was busy since the last call. */
export function createUtilization(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const before = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, before).utilization
  }
}
