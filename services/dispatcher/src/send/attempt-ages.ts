/**
 * Which attempts in flight have become old enough to be shown as `delivering`, and which to be
 * called slow. Attempts are in their lists in the order of their start, so a look costs what it
 * finds, not what is in flight.
 */
import {
  addLast,
  createLinkedList,
  leaveList,
  type LinkedList,
  type ListEntry,
  moveLast,
} from '@posthorn/async/linked-list'
import { SLOW_MS } from '@posthorn/domain/concurrency-window'

/** Most attempts end sooner, and are spared two writes. A longer one is shown as `delivering`. */
export const LASTING_MS = 300

export interface AttemptAges<Attempt> {
  /** @returns its place, for `ended` */
  started(attempt: Attempt): ListEntry<Attempt>
  ended(place: ListEntry<Attempt>): void
  /** What has passed one of the two ages since the last call. */
  tick(now: number): { lasting: Attempt[]; slow: Attempt[] }
  /** Some may still pass one. */
  some(): boolean
}

export function createAttemptAges<Attempt>(
  startedAt: (attempt: Attempt) => number,
): AttemptAges<Attempt> {
  const young = createLinkedList<Attempt>()
  const lasting = createLinkedList<Attempt>()

  function takeStartedBefore(
    from: LinkedList<Attempt>,
    before: number,
    take: (entry: ListEntry<Attempt>) => void,
  ): Attempt[] {
    const taken: Attempt[] = []
    for (let { first } = from; first !== null; first = from.first) {
      if (startedAt(first.item) > before) break
      take(first)
      taken.push(first.item)
    }
    return taken
  }

  return {
    started: (attempt) => addLast(young, attempt),
    ended: leaveList,
    tick(now) {
      const nowLasting = takeStartedBefore(young, now - LASTING_MS, (entry) =>
        moveLast(lasting, entry),
      )
      // `afterAttempt` calls slow what is older than this, not what is just as old.
      const slow = takeStartedBefore(lasting, now - SLOW_MS - 1, leaveList)
      return { lasting: nowLasting, slow }
    },
    some: () => young.first !== null || lasting.first !== null,
  }
}
