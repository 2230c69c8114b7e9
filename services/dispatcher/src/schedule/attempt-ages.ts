/**
 * Which tries in flight have become old enough to be shown as `delivering`, and which to be called slow. Tries are in
 * their sets in the order of their start, so a look costs what it finds, not what is in flight.
 */
import { SLOW_MS } from '@posthorn/domain/concurrency-window'

/**
 * Most tries end sooner, and are spared two writes. A person who looks sees a longer one as `delivering`.
 */
export const LASTING_MS = 300

export interface AttemptAges<Try> {
  started(one: Try): void
  ended(one: Try): void
  /** What has passed one of the two ages since the last call. */
  tick(now: number): { lasting: Try[]; slow: Try[] }
  /** Some may still pass one. */
  some(): boolean
}

export function createAttemptAges<Try>(startedAt: (one: Try) => number): AttemptAges<Try> {
  const young = new Set<Try>()
  const middling = new Set<Try>()

  function leave(from: Set<Try>, before: number): Try[] {
    const left: Try[] = []
    for (const one of from) {
      if (startedAt(one) > before) break
      from.delete(one)
      left.push(one)
    }
    return left
  }

  return {
    started: (one) => void young.add(one),
    ended(one) {
      if (!young.delete(one)) middling.delete(one)
    },
    tick(now) {
      const lasting = leave(young, now - LASTING_MS)
      for (const one of lasting) middling.add(one)
      // `afterTry` calls slow what is older than this, not what is just as old.
      const slow = leave(middling, now - SLOW_MS - 1)
      return { lasting, slow }
    },
    some: () => young.size + middling.size > 0,
  }
}
