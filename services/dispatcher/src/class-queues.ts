/**
 * What waits in this process, by priority class, drained 6:3:1 while all classes wait. A class that is empty gives its
 * turns to the others, so none starves and none idles. Within a class targets take turns.
 */
import type { PriorityClass } from '@posthorn/contracts/topics'
import { createFairQueue, type Place } from './fair-queue.ts'

export interface ClassQueues<Item> {
  push(of: PriorityClass, place: Place, item: Item): void
  /** Up to `limit` items. */
  take(limit: number): Item[]
  /** Up to `limit` of those that will not have their turn within a second, of the least urgent class first. */
  overdue(limit: number): Item[]
  size(): number
}

/** 6 high, 3 normal, 1 low, spread so that even a small take serves all. */
const TURNS: readonly PriorityClass[] = [
  'high',
  'normal',
  'high',
  'high',
  'normal',
  'high',
  'low',
  'high',
  'normal',
  'high',
]

export function createClassQueues<Item>(now: () => number): ClassQueues<Item> {
  const queues = {
    high: createFairQueue<Item>(now),
    normal: createFairQueue<Item>(now),
    low: createFairQueue<Item>(now),
  }
  let turn = 0

  const size = (): number => queues.high.size() + queues.normal.size() + queues.low.size()

  return {
    push: (of, place, item) => queues[of].push(place, item),
    take(limit) {
      const count = Math.min(limit, size())
      const taken: Item[] = []
      while (taken.length < count) {
        const item = queues[TURNS[turn] as PriorityClass].shift()
        turn = (turn + 1) % TURNS.length
        if (item !== undefined) taken.push(item)
      }
      return taken
    },
    overdue(limit) {
      const items: Item[] = []
      for (const one of ['low', 'normal', 'high'] as const) {
        items.push(...queues[one].overdue(limit - items.length))
      }
      return items
    },
    size,
  }
}
