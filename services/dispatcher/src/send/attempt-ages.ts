/**
 * Which attempts in flight have become old enough to be shown as `delivering`, and which to be
 * called slow. Attempts are in their lists in the order of their start, so a look costs what it
 * finds, not what is in flight.
 */
import { LinkedList, type ListEntry } from '@posthorn/async/linked-list'
import { SLOW_MS } from '@posthorn/domain/concurrency-window'

/** Most attempts end sooner, and are spared two writes. A longer one is shown as `delivering`. */
export const LASTING_MS = 300

export interface AttemptAges<Attempt> {
  /** @returns what leaves when the attempt ends */
  started(attempt: Attempt): Pick<ListEntry<Attempt>, 'leave'>
  /** What has passed one of the two ages since the last call. */
  tick(now: number): { lasting: Attempt[]; slow: Attempt[] }
  /** Some may still pass one. */
  some(): boolean
}

export function createAttemptAges<Attempt>(
  startedAt: (attempt: Attempt) => number,
): AttemptAges<Attempt> {
  const young = new LinkedList<Attempt>()
  const lasting = new LinkedList<Attempt>()

  function takeStartedBefore(
    from: LinkedList<Attempt>,
    before: number,
    take: (entry: ListEntry<Attempt>) => void,
  ): Attempt[] {
    const taken: Attempt[] = []
    for (let entry = from.first(); entry !== null; entry = from.first()) {
      if (startedAt(entry.item) > before) break
      take(entry)
      taken.push(entry.item)
    }
    return taken
  }

  return {
    started: (attempt) => young.add(attempt),
    tick(now) {
      const nowLasting = takeStartedBefore(young, now - LASTING_MS, (entry) => lasting.take(entry))
      // `afterAttempt` calls slow what is older than this, not what is just as old.
      const slow = takeStartedBefore(lasting, now - SLOW_MS - 1, (entry) => entry.leave())
      return { lasting: nowLasting, slow }
    },
    some: () => !young.isEmpty() || !lasting.isEmpty(),
  }
}
