/**
 * A share of each turn of the event loop for small pieces of work that arrive together: what
 * hundreds of connections bring at once is read in one turn, and would be done in it too.
 */
import { createQueue } from './queue.ts'

/** Does it now when there is time left in this turn, or else in a later one, in the order given. */
export type TurnShare = (work: () => void) => void

/**
 * @param shareMs of each turn, after which work waits for the next; what the work does after it
 *   waited for something counts only as long as other work is being done. @param now ms
 */
export function createTurnShare(shareMs: number, now: () => number): TurnShare {
  const waiting = createQueue<() => void>()
  /** Undefined until there is work in a turn. */
  let endsAt: number | undefined
  /** What one packet brought comes before the promises of the first of it have gone on. */
  let isBegun = false

  function beginTurn(): void {
    endsAt = now() + shareMs
    setImmediate(endTurn)
  }

  function endTurn(): void {
    endsAt = undefined
    if (waiting.size() === 0) return
    beginTurn()
    doNext()
  }

  function doNext(): void {
    if (now() >= (endsAt as number)) return
    waiting.shift()?.()
    // A microtask's tick comes after all microtasks: the work's promises have then gone on.
    if (waiting.size() > 0) queueMicrotask(() => process.nextTick(doNext))
  }

  return (work) => {
    if (endsAt === undefined) beginTurn()
    if (isBegun || waiting.size() > 0 || now() >= (endsAt as number)) {
      waiting.push(work)
      return
    }
    isBegun = true
    queueMicrotask(() => (isBegun = false))
    work()
  }
}
