/**
 * Many queues in one, served in turn: an owner with much waiting keeps nobody else from the head.
 */
export interface FairQueue<Item> {
  push(owner: string, item: Item): void
  /** For an item that had its turn and could not use it: it goes before the others of its owner. */
  putBack(owner: string, item: Item): void
  shift(): Item | undefined
  size(): number
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** Queues in the order in which they are served. */
  const queues = new Map<string, Item[]>()
  let size = 0

  function queueOf(owner: string): Item[] {
    let queue = queues.get(owner)
    if (queue === undefined) {
      queue = []
      queues.set(owner, queue)
    }
    size += 1
    return queue
  }

  return {
    push(owner, item) {
      queueOf(owner).push(item)
    },
    putBack(owner, item) {
      queueOf(owner).unshift(item)
    },
    shift() {
      for (const [owner, queue] of queues) {
        const item = queue.shift()
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        size -= 1
        return item
      }
      return undefined
    },
    size: () => size,
  }
}
