/**
 * What waits in this process, by priority class, drained 6:3:1 while all classes wait; and within a
 * class what belongs to a flood after everything else, or one in ten. A queue that is empty gives
 * its turns to the others, so none starves and none idles.
 */
import type { DueTopicName, PriorityClass } from '@posthorn/contracts/topics'
import { createQueue, type Queue } from '@posthorn/async/queue'

export interface ClassQueues<Item> {
  push(topic: DueTopicName, item: Item): void
  /** Up to `limit` items. */
  take(limit: number): Item[]
  /** Up to `limit` items that belong to no flood. */
  takeSparse(limit: number): Item[]
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
/** In so many turns of a class one goes to its bulk first. */
const BULK_EVERY = 10

interface ClassQueue<Item> {
  sparse: Queue<Item>
  bulk: Queue<Item>
  turn: number
}

export function createClassQueues<Item>(): ClassQueues<Item> {
  const create = (): ClassQueue<Item> => ({ sparse: createQueue(), bulk: createQueue(), turn: 0 })
  const queues = { high: create(), normal: create(), low: create() }
  const byTopic: Record<DueTopicName, Queue<Item>> = {
    'delivery.due.high': queues.high.sparse,
    'delivery.due.normal': queues.normal.sparse,
    'delivery.due.low': queues.low.sparse,
    'delivery.due.high.bulk': queues.high.bulk,
    'delivery.due.normal.bulk': queues.normal.bulk,
    'delivery.due.low.bulk': queues.low.bulk,
  }
  let size = 0
  let turn = 0

  function takeTurns(count: number, from: (queue: ClassQueue<Item>) => Item | undefined): Item[] {
    const taken: Item[] = []
    while (taken.length < count) {
      const item = from(queues[TURNS[turn] as PriorityClass])
      turn = (turn + 1) % TURNS.length
      if (item !== undefined) taken.push(item)
    }
    size -= count
    return taken
  }

  return {
    push(topic, item) {
      byTopic[topic].push(item)
      size += 1
    },
    take: (limit) => takeTurns(Math.min(limit, size), shift),
    takeSparse(limit) {
      const all = Object.values(queues).reduce((sum, { sparse }) => sum + sparse.size(), 0)
      return takeTurns(Math.min(limit, all), ({ sparse }) => sparse.shift())
    },
    size: () => size,
  }
}

function shift<Item>(queue: ClassQueue<Item>): Item | undefined {
  const { sparse, bulk } = queue
  queue.turn = (queue.turn + 1) % BULK_EVERY
  return queue.turn === 0 ? (bulk.shift() ?? sparse.shift()) : (sparse.shift() ?? bulk.shift())
}
