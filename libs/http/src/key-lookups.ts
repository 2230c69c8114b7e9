/**
 * Looks API keys up in the store, many in one query: what is asked while two queries are under way
 * goes together into the next one, and no key is asked for twice at a time. So a flood of made-up
 * keys costs a few queries, and no key waits in line behind it: ten thousand made-up keys are
 * answered within a fraction of a second, and a valid key among them is answered with them.
 *
 * Keys that were valid a second ago go first. Keys without the form of ours, which only the first
 * key of an installation may lack, go last, but have some places in every query.
 */
import { inTurns } from '@posthorn/async/in-turns'
import { unavailable } from './errors.ts'

/** In the order in which they are taken. */
const PRIORITIES = ['known', 'plausible', 'unusual'] as const
export type LookupPriority = (typeof PRIORITIES)[number]

export interface KeyLookupsDeps<Key> {
  /** By digest; digests that nobody has are left out. It makes one query. */
  findKeys(digests: readonly string[]): Promise<Map<string, Key>>
  /** Called when a query begins; the result is told what the query found for each of its keys. */
  begin(): (digest: string, key: Key | null) => void
}

export interface KeyLookups<Key> {
  /** @param fresh the answer must know what happened until now: a query under way will not do */
  ask(digest: string, priority: LookupPriority, fresh: boolean): Promise<Key | null>
  /** From now on nobody joins a query that is under way. */
  forget(): void
}

/** Two, so that the next is under way while an answer is read. The others are for the requests. */
const MAX_QUERIES = 2
/** Some 5 ms of Postgres's time. */
const MAX_KEYS_PER_QUERY = 256
/** Places of each query that are kept for keys of an unusual form. */
const UNUSUAL_KEYS_PER_QUERY = 32
/** 256 requests that are refused take 25 to 45 ms in a process that has just begun. */
const ANSWERED_IN_A_TURN = 32
/** Some 500 bytes each. As many as there are connections: only a stalled store lets it fill. */
const MAX_WAITING = 10_000

type Asked<Key> = PromiseWithResolvers<Key | null>
type WaitingKeys<Key> = Record<LookupPriority, Map<string, Asked<Key>>>

export function createKeyLookups<Key>(deps: KeyLookupsDeps<Key>): KeyLookups<Key> {
  const waiting: WaitingKeys<Key> = { known: new Map(), plausible: new Map(), unusual: new Map() }
  const underWay = new Map<string, Promise<Key | null>>()
  let queries = 0

  function start(): void {
    while (queries < MAX_QUERIES) {
      const batch = takeBatch(waiting, (digest) => underWay.has(digest))
      if (batch.size === 0) return
      queries += 1
      void run(batch).finally(() => {
        queries -= 1
        start()
      })
    }
  }

  async function run(batch: ReadonlyMap<string, Asked<Key>>): Promise<void> {
    const onFound = deps.begin()
    for (const [digest, { promise }] of batch) underWay.set(digest, promise)
    try {
      const found = await deps.findKeys([...batch.keys()])
      for (const digest of batch.keys()) onFound(digest, found.get(digest) ?? null)
      await inTurns(inParts(batch, ([digest, { resolve }]) => resolve(found.get(digest) ?? null)))
    } catch (error) {
      await inTurns(inParts(batch, ([, { reject }]) => reject(error)))
    } finally {
      for (const [digest, { promise }] of batch) {
        if (underWay.get(digest) === promise) underWay.delete(digest)
      }
    }
  }

  return {
    async ask(digest, priority, fresh) {
      for (const each of PRIORITIES) {
        const same = waiting[each].get(digest)
        if (same !== undefined) return await same.promise
      }
      const running = underWay.get(digest)
      if (!fresh && running !== undefined) return await running
      if (waiting[priority].size >= MAX_WAITING)
        throw unavailable('too many API keys are being looked up; try again')
      const asked = Promise.withResolvers<Key | null>()
      waiting[priority].set(digest, asked)
      start()
      return await asked.promise
    },
    forget: () => underWay.clear(),
  }
}

/** Whoever asked goes on as soon as it is answered, in the same turn of the event loop. */
function* inParts<Item>(
  items: Iterable<Item>,
  answer: (item: Item) => void,
): Generator<undefined, void, undefined> {
  let answered = 0
  for (const item of items) {
    if (answered > 0 && answered % ANSWERED_IN_A_TURN === 0) yield
    answer(item)
    answered += 1
  }
}

/**
 * The keys of the next query, by priority; those that are asked for just now stay where they are.
 */
function takeBatch<Key>(
  waiting: WaitingKeys<Key>,
  isUnderWay: (digest: string) => boolean,
): Map<string, Asked<Key>> {
  const batch = new Map<string, Asked<Key>>()
  const reserved = Math.min(UNUSUAL_KEYS_PER_QUERY, waiting.unusual.size)
  for (const priority of PRIORITIES) {
    const max = priority === 'unusual' ? MAX_KEYS_PER_QUERY : MAX_KEYS_PER_QUERY - reserved
    for (const [digest, asked] of waiting[priority]) {
      if (batch.size >= max) break
      if (isUnderWay(digest)) continue
      batch.set(digest, asked)
      waiting[priority].delete(digest)
    }
  }
  return batch
}
