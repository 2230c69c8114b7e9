/** A list that is read page by page: `for await` goes through all records. */

export interface Page<Item> {
  data: Item[]
  pagination: { hasMore: boolean; cursor: string | null }
}

type ReadPage<Item> = (cursor: { cursor?: string }) => Promise<Page<Item>>

export class Paginator<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>

  /** @param read gets no cursor for the first page */
  constructor(read: ReadPage<Item>) {
    this.#read = read
  }

  /** One page: the first, or the one that a cursor leads to. */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#read(cursor === undefined ? {} : { cursor })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    let cursor: string | undefined
    do {
      const { data, pagination } = await this.page(cursor)
      yield* data
      cursor = pagination.hasMore ? (pagination.cursor ?? undefined) : undefined
    } while (cursor !== undefined)
  }

  /** @param max ends with an error beyond it, so that no memory is filled by accident */
  async toArray(max = 10_000): Promise<Item[]> {
    const all: Item[] = []
    for await (const item of this) {
      if (all.length >= max) throw new RangeError(`the list has more than ${max} records`)
      all.push(item)
    }
    return all
  }
}
