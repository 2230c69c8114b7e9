/**
 * Items by priority, 1 first; within one, first in, first out. Each is O(1): there are ten
 * priorities.
 */
import { createQueue, type Queue } from '@posthorn/async/queue'

export interface PriorityQueue<Item> extends Queue<Item> {
  /** The oldest of each priority that has any. */
  heads(): Item[]
}

const LOWEST = 10

export function createPriorityQueue<Item>(priorityOf: (item: Item) => number): PriorityQueue<Item> {
  const queues = Array.from({ length: LOWEST + 1 }, () => createQueue<Item>())
  let size = 0
  const first = (): Queue<Item> | undefined => queues.find((queue) => queue.size() > 0)
  return {
    size: () => size,
    push(item) {
      queues[Math.min(LOWEST, Math.max(0, priorityOf(item)))]?.push(item)
      size += 1
    },
    peek: () => first()?.peek(),
    shift() {
      const item = first()?.shift()
      if (item !== undefined) size -= 1
      return item
    },
    heads: () => queues.flatMap((queue) => queue.peek() ?? []),
  }
}
