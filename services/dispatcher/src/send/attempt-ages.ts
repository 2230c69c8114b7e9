/**
 * Which attempts in flight have become old enough to be shown as `delivering`, and which to be
 * called slow. Attempts are in their sets in the order of their start, so a look costs what it
 * finds, not what is in flight.
 */
import { SLOW_MS } from '@posthorn/domain/concurrency-window'

/** Most attempts end sooner, and are spared two writes. A longer one is shown as `delivering`. */
export const LASTING_MS = 300

export interface AttemptAges<Attempt> {
  started(attempt: Attempt): void
  ended(attempt: Attempt): void
  /** What has passed one of the two ages since the last call. */
  tick(now: number): { lasting: Attempt[]; slow: Attempt[] }
  /** Some may still pass one. */
  some(): boolean
}

export function createAttemptAges<Attempt>(
  startedAt: (attempt: Attempt) => number,
): AttemptAges<Attempt> {
  const young = new Set<Attempt>()
  const lasting = new Set<Attempt>()

  function takeStartedBefore(from: Set<Attempt>, before: number): Attempt[] {
    const taken: Attempt[] = []
    for (const attempt of from) {
      if (startedAt(attempt) > before) break
      from.delete(attempt)
      taken.push(attempt)
    }
    return taken
  }

  return {
    started: (attempt) => void young.add(attempt),
    ended(attempt) {
      if (!young.delete(attempt)) lasting.delete(attempt)
    },
    tick(now) {
      const nowLasting = takeStartedBefore(young, now - LASTING_MS)
      for (const attempt of nowLasting) lasting.add(attempt)
      // `afterAttempt` calls slow what is older than this, not what is just as old.
      const slow = takeStartedBefore(lasting, now - SLOW_MS - 1)
      return { lasting: nowLasting, slow }
    },
    some: () => young.size + lasting.size > 0,
  }
}
