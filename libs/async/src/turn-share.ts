/**
 * A share of each turn of the event loop for small pieces of work that arrive together: what
 * hundreds of connections bring at once is read in one turn, and would be done in it too.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Resolves when there is time left in this turn, or else in a later one. */
export type TurnShare = () => Promise<void>

/** @param shareMs of each turn, after which who asks waits for the next. @param now ms */
export function createTurnShare(shareMs: number, now: () => number): TurnShare {
  let endsAt: number | undefined
  /** Requests that one packet brought ask before the first of them has done anything. */
  let isTaken = false
  return async () => {
    for (;;) {
      if (endsAt === undefined) {
        endsAt = now() + shareMs
        setImmediate(() => (endsAt = undefined))
      }
      if (!isTaken && now() < endsAt) break
      await nextTurn()
    }
    isTaken = true
    queueMicrotask(() => (isTaken = false))
  }
}
