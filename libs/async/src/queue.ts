/** A first-in-first-out queue that gives out runs of items. Its bound is its owner's business. */
export interface MessageQueue<Item> {
  size(): number
  push(item: Item): void
  /** Up to `count` items from the front. */
  take(count: number): Item[]
}

/** Taken items are cut off once they are over half of the array: O(1) per item. */
const COMPACT_AT = 1_024

export function createMessageQueue<Item>(): MessageQueue<Item> {
  let items: Item[] = []
  let head = 0
  return {
    size: () => items.length - head,
    push(item) {
      items.push(item)
    },
    take(count) {
      if (head === 0 && count >= items.length) {
        const all = items
        items = []
        return all
      }
      const taken = items.slice(head, head + count)
      head += taken.length
      if (head === items.length || (head > COMPACT_AT && head * 2 > items.length)) {
        items = items.slice(head)
        head = 0
      }
      return taken
    },
  }
}
