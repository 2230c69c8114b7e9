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
  return new ArrayQueue()
}

/** The items of every queue that is empty, as most are. Nothing is put into it. */
const NOTHING: never[] = []

/** A class, for there are two of them for each target: as closures they took 400 bytes more. */
class ArrayQueue<Item> implements BatchQueue<Item> {
  #items: (Item | undefined)[] = NOTHING
  #head = 0

  size(): number {
    return this.#items.length - this.#head
  }

  push(item: Item): void {
    if (this.#items.length === 0) this.#items = [item]
    else this.#items.push(item)
  }

  peek(): Item | undefined {
    return this.#items[this.#head]
  }

  shift(): Item | undefined {
    if (this.#head === this.#items.length) return undefined
    const item = this.#items[this.#head]
    // The queue must not keep in memory what it has given out.
    this.#items[this.#head] = undefined
    this.#head += 1
    this.#compact()
    return item
  }

  take(count: number): Item[] {
    const taken = this.#items.slice(this.#head, this.#head + count)
    this.#items.fill(undefined, this.#head, this.#head + taken.length)
    this.#head += taken.length
    this.#compact()
    return taken as Item[]
  }

  #compact(): void {
    if (this.#head === this.#items.length) {
      this.#items = NOTHING
      this.#head = 0
    } else if (this.#head >= COMPACT_AT && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
  }
}
