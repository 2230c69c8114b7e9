/**
 * A first-in-first-out queue that gives out single items or runs of them, at a cost that does not
 * depend on its length. It has no bound of its own: its owner looks at `size` before it pushes.
 */
export interface Queue<Item> {
  size(): number
  push(item: Item): void
  peek(): Item | undefined
  shift(): Item | undefined
}

export interface BatchQueue<Item> extends Queue<Item> {
  /** Up to `count` items from the front. */
  take(count: number): Item[]
}

/** Items that were taken are cut off once they are over half of the array: O(1) for each item. */
const COMPACT_AT = 256

export function createQueue<Item>(): BatchQueue<Item> {
  let items: (Item | undefined)[] = []
  let head = 0

  function compact(): void {
    if (head === items.length) {
      items = []
      head = 0
    } else if (head >= COMPACT_AT && head * 2 > items.length) {
      items = items.slice(head)
      head = 0
    }
  }

  return {
    size: () => items.length - head,
    push(item) {
      items.push(item)
    },
    peek: () => items[head],
    shift() {
      if (head === items.length) return undefined
      const item = items[head]
      // The queue must not keep in memory what it has given out.
      items[head] = undefined
      head += 1
      compact()
      return item
    },
    take(count) {
      const taken = items.slice(head, head + count)
      items.fill(undefined, head, head + taken.length)
      head += taken.length
      compact()
      return taken as Item[]
    },
  }
}
