/**
 * The names of keys in a Redis Cluster. A script may touch keys of one slot only, and a key's slot
 * follows from the part of its name that stands in braces, so what scripts take by the batch is
 * spread over a few such tags: a batch then needs as many scripts as it has tags, and not one for
 * each key. Outside a Cluster names have no tags.
 */

export interface KeyNames {
  /** The name of a key that scripts or commands take by the batch. */
  of(key: string): string
  /**
   * Has `work` done for items whose keys may be touched at once, and answers as if it had been done
   * for all of them in their order.
   */
  inBatches<Item, Answer>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]>
}

export const PLAIN_NAMES: KeyNames = {
  of: (key) => key,
  inBatches: (items, _keyOf, work) => work(items),
}

export const TAGGED_NAMES: KeyNames = { of: tagged, inBatches: inOneSlotEach }

/** Even over a dozen nodes, and few enough that most scripts have several keys. */
const TAGS = 32

function tagged(key: string): string {
  return `{${tagOf(key)}}${key}`
}

async function inOneSlotEach<Item, Answer>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const groups = Map.groupBy(items.keys(), (at) => tagOf(keyOf(items[at] as Item)))
  const answers: Answer[] = []
  await Promise.all(
    [...groups.values()].map(async (places) => {
      const done = await work(places.map((at) => items[at] as Item))
      for (const [index, at] of places.entries()) answers[at] = done[index] as Answer
    }),
  )
  return answers
}

/** The last characters of an id are random, and the first are its time: all of them count. */
function tagOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at += 1) hash = (hash * 31 + key.charCodeAt(at)) | 0
  return (hash >>> 0) % TAGS
}
