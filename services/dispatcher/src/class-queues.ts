/**
 * What waits in this process, by priority class, drained 6:3:1 while all classes wait. A class that is empty gives its
 * turns to the others, so none starves and none idles.
 */
import type { PriorityClass } from '@posthorn/contracts/topics'
import { createQueue } from './queue.ts'

export interface ClassQueues<Item> {
  push(of: PriorityClass, item: Item): void
  /** Up to `limit` items. */
  take(limit: number): Item[]
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

export function createClassQueues<Item>(): ClassQueues<Item> {
  const queues = {
    high: createQueue<Item>(),
    normal: createQueue<Item>(),
    low: createQueue<Item>(),
  }
  let turn = 0

  const size = (): number => queues.high.size() + queues.normal.size() + queues.low.size()

  return {
    push: (of, item) => queues[of].push(item),
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
    size,
  }
}
