/**
 * First in, first out, one item at a time and O(1): an array with a head that is cut off now and
 * then.
 */
export interface Queue<Item> {
  size(): number
  push(item: Item): void
  peek(): Item | undefined
  shift(): Item | undefined
}

const COMPACT_AT = 256

export function createQueue<Item>(): Queue<Item> {
  let items: (Item | undefined)[] = []
  let head = 0
  return {
    size: () => items.length - head,
    push(item) {
      items.push(item)
    },
    peek: () => items[head],
    shift() {
      if (head === items.length) return undefined
      const item = items[head]
      items[head] = undefined
      head += 1
      if (head === items.length) {
        items = []
        head = 0
      } else if (head >= COMPACT_AT && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
  }
}
