/**
 * Looks API keys up in the store, many in one query: what is asked while two queries are under way goes together into the
 * next, and one key is never asked for twice at a time. So a flood of made-up keys costs some queries and no place in a line: ten
 * thousand of them are answered in a fraction of a second, and a valid key among them with them.
 *
 * Keys that were valid a second ago go first; those that do not have the form of ours, which only the first key of an
 * installation may be, go last, but never not at all.
 */
import { unavailable } from './errors.ts'

/** In the order in which they are taken. */
const LANES = ['known', 'plausible', 'odd'] as const
export type LookupPriority = (typeof LANES)[number]

export interface KeyLookupsDeps<Key> {
  /** By digest; those that nobody has are left out. One query. */
  findKeys(digests: readonly string[]): Promise<Map<string, Key>>
  /** `beganAt`: what happened after is not in it. Not called for what began before `forget`. */
  onFound(digest: string, key: Key | null, beganAt: number): void
  monotonicMs(): number
}

export interface KeyLookups<Key> {
  /** @param fresh whether what happened until now must be in it: one that is under way will not do */
  ask(digest: string, lane: LookupPriority, fresh: boolean): Promise<Key | null>
  /** What is under way is not to be relied on any more. */
  forget(): void
}

/** Two, so that the next is under way while an answer is read; the pool's other connections are for the requests. */
const MAX_QUERIES = 2
/** Some 5 ms of Postgres's time. */
const MAX_KEYS_OF_QUERY = 256
/** Of a query's keys, those that go last have at least so many places. */
const ODD_KEYS_OF_QUERY = 32
/** Some 500 bytes each. As many as there are connections: only a store that stands still lets it fill. */
const MAX_WAITING = 10_000

interface Asked<Key> {
  promise: Promise<Key | null>
  resolve(key: Key | null): void
  reject(error: unknown): void
}

export function createKeyLookups<Key>(deps: KeyLookupsDeps<Key>): KeyLookups<Key> {
  const waiting: Record<LookupPriority, Map<string, Asked<Key>>> = {
    known: new Map(),
    plausible: new Map(),
    odd: new Map(),
  }
  const underWay = new Map<string, Promise<Key | null>>()
  let queries = 0
  let generation = 0

  function start(): void {
    while (queries < MAX_QUERIES) {
      const batch = takeBatch()
      if (batch.size === 0) return
      queries += 1
      void run(batch).finally(() => {
        queries -= 1
        start()
      })
    }
  }

  function takeBatch(): Map<string, Asked<Key>> {
    const batch = new Map<string, Asked<Key>>()
    const reserved = Math.min(ODD_KEYS_OF_QUERY, waiting.odd.size)
    for (const lane of LANES) {
      const max = lane === 'odd' ? MAX_KEYS_OF_QUERY : MAX_KEYS_OF_QUERY - reserved
      for (const [digest, asked] of waiting[lane]) {
        if (batch.size >= max) break
        if (underWay.has(digest)) continue
        batch.set(digest, asked)
        waiting[lane].delete(digest)
      }
    }
    return batch
  }

  async function run(batch: ReadonlyMap<string, Asked<Key>>): Promise<void> {
    const began = { at: deps.monotonicMs(), generation }
    for (const [digest, { promise }] of batch) underWay.set(digest, promise)
    try {
      const found = await deps.findKeys([...batch.keys()])
      for (const [digest, { resolve }] of batch) {
        const key = found.get(digest) ?? null
        if (began.generation === generation) deps.onFound(digest, key, began.at)
        resolve(key)
      }
    } catch (error) {
      for (const { reject } of batch.values()) reject(error)
    } finally {
      for (const [digest, { promise }] of batch) {
        if (underWay.get(digest) === promise) underWay.delete(digest)
      }
    }
  }

  return {
    async ask(digest, lane, fresh) {
      for (const one of LANES) {
        const same = waiting[one].get(digest)
        if (same !== undefined) return await same.promise
      }
      const running = underWay.get(digest)
      if (!fresh && running !== undefined) return await running
      if (waiting[lane].size >= MAX_WAITING)
        throw unavailable('too many API keys are being looked up; try again')
      const asked = Promise.withResolvers<Key | null>()
      waiting[lane].set(digest, asked)
      start()
      return await asked.promise
    },
    forget() {
      generation += 1
      underWay.clear()
    },
  }
}
