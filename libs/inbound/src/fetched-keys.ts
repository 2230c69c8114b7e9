/**
 * The key sets and certificates that platforms publish. What was fetched is kept for an hour, for
 * all tenants, and is used for longer while the platform can't be reached.
 *
 * The address is often named by a request that nobody has verified yet. So each source (inbound
 * endpoint) has a small quota of fetches and keeps its own failures: key ids that somebody makes up
 * at one source cost no other source an answer. All sources of a tenant together have a quota, too,
 * and a tenant's part of the cache and of the fetches in flight is bounded: many sources of one
 * tenant reach no further than one.
 */
import { createHash } from 'node:crypto'

export interface FetchedKeys {
  /**
   * The text at an address, from the cache if it is there.
   *
   * @throws when it can't be fetched and is not in the cache
   */
  text(url: URL, options?: FetchOptions): Promise<string>
  /**
   * The text as it is now, for a key id that the cached text lacks. The cached text when this
   * source has fetched within the last minute.
   */
  fresh(url: URL): Promise<string>
}

/** The source that a key is fetched for. */
export interface SourceRef {
  readonly tenantId: string
  /** The inbound endpoint's id. */
  readonly id: string
}

/**
 * Credentials for platforms that show their keys to their customers only. Default: a GET without
 * credentials.
 */
export interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>
  /** With a body the request is a POST. */
  readonly body?: string
}

/**
 * @throws when it can't be fetched; where the platform answered with a status, the error has it as
 * `status`
 */
export type FetchText = (url: URL, options?: FetchOptions) => Promise<string>

export interface FetchedKeysDeps {
  fetchText: FetchText
  now(): number
}

const CACHED_MS = 60 * 60 * 1000
const QUOTA_MS = 60 * 1000
/** What another source has fetched within this time counts as fresh. */
const JUST_FETCHED_MS = 1_000
/**
 * A platform has a handful of certificates: a request that names more in a minute has made them up.
 */
export const MAX_FETCHES_OF_SOURCE = 20
/**
 * Enough for 15 sources that have used up their quota, and for the first fetches of 300 sources
 * with credentials of their own.
 */
export const MAX_FETCHES_OF_TENANT = 300
/** A fetch from an address that a tenant has chosen may take its whole 5 s each time. */
const MAX_RUNNING_OF_SOURCE = 4
const MAX_RUNNING_OF_TENANT = 16
/**
 * Each is at most 256 KiB, so together 64 MiB. Beyond this number only a tenant without a fetch in
 * flight may begin one.
 */
const MAX_RUNNING = 256
/** The bound on the cache: key sets are some kilobytes, at most 256 KiB. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024
const MAX_CACHED_BYTES_OF_TENANT = MAX_CACHED_BYTES / 8
/** What an entry takes beside its text. */
const ENTRY_BYTES = 512
/**
 * With their failures they take some 5 KB each. The one that asked longest ago is dropped first.
 */
const MAX_STATES = 4_096

interface CachedText {
  readonly text: string
  /** The tenant whose source fetched it, and whose part of the cache it takes. */
  readonly tenantId: string
  readonly bytes: number
  fetchedAt: number
}

/** The quota of a source, or of all sources of a tenant. */
interface Quota {
  /** The times of its fetches within the last minute. */
  readonly fetches: number[]
  running: number
}

interface States<State> {
  of(id: string): State
}

interface Cache {
  get(name: string): CachedText | undefined
  put(name: string, one: CachedText): void
}

interface SourceState extends Quota {
  /**
   * When an address was last fetched, and how that failed: at most one entry for each fetch of the
   * quota.
   */
  readonly lastFetches: Map<string, { readonly at: number; readonly error: unknown }>
}

export function createFetchedKeys(deps: FetchedKeysDeps): {
  of(source: SourceRef): FetchedKeys
} {
  const { now } = deps
  const cache = createCache()
  const sources = createStates<SourceState>(() => ({
    fetches: [],
    running: 0,
    lastFetches: new Map(),
  }))
  const begin = createBeginFetch(deps, cache, sources)

  /**
   * Fetches, unless this source has fetched it within the last minute. A cached text is better than
   * a failure.
   */
  async function fetchOrCached(
    source: SourceRef,
    url: URL,
    options?: FetchOptions,
  ): Promise<string> {
    const name = nameOf(url, options)
    const { lastFetches } = sources.of(source.id)
    const before = cache.get(name)
    const last = lastFetches.get(name)
    const isRecent = last !== undefined && now() - last.at < QUOTA_MS
    const fetching = isRecent ? null : begin(source, url, options)
    let error = isRecent ? last.error : undefined
    if (fetching !== null) {
      try {
        const text = await fetching
        rememberFetch(lastFetches, name, { at: now(), error: undefined })
        return text
      } catch (thrown) {
        error = thrown
        rememberFetch(lastFetches, name, { at: now(), error })
      }
    }
    if (before !== undefined) return before.text
    throw (error as Error | undefined) ?? new Error(`${url.host} was asked enough for a minute`)
  }

  return {
    of: (source) => ({
      async text(url, options) {
        const known = cache.get(nameOf(url, options))
        if (known !== undefined && now() - known.fetchedAt < CACHED_MS) return known.text
        return await fetchOrCached(source, url, options)
      },
      async fresh(url) {
        const known = cache.get(nameOf(url, undefined))
        if (known !== undefined && now() - known.fetchedAt < JUST_FETCHED_MS) return known.text
        return await fetchOrCached(source, url)
      },
    }),
  }
}

/** @returns null when this source, or its tenant, has fetched enough */
type BeginFetch = (
  source: SourceRef,
  url: URL,
  options: FetchOptions | undefined,
) => Promise<string> | null

/** Joins a fetch in flight, or begins one within the quotas, whose text goes into the cache. */
function createBeginFetch(
  { fetchText, now }: FetchedKeysDeps,
  cache: Cache,
  sources: States<SourceState>,
): BeginFetch {
  const tenants = createStates<Quota>(() => ({ fetches: [], running: 0 }))
  const running = new Map<string, Promise<string>>()

  function mayFetch(source: Quota, tenant: Quota): boolean {
    return (
      source.running < MAX_RUNNING_OF_SOURCE &&
      tenant.running < MAX_RUNNING_OF_TENANT &&
      (running.size < MAX_RUNNING || tenant.running === 0) &&
      recent(source, now()) < MAX_FETCHES_OF_SOURCE &&
      recent(tenant, now()) < MAX_FETCHES_OF_TENANT
    )
  }

  async function fetchAndCache(
    tenantId: string,
    url: URL,
    options: FetchOptions | undefined,
  ): Promise<string> {
    const name = nameOf(url, options)
    const text = await fetchText(url, options)
    const bytes = text.length + name.length + ENTRY_BYTES
    cache.put(name, { text, tenantId, bytes, fetchedAt: now() })
    return text
  }

  return ({ id, tenantId }, url, options) => {
    const name = nameOf(url, options)
    const inFlight = running.get(name)
    if (inFlight !== undefined) return inFlight
    const quotas = [sources.of(id), tenants.of(tenantId)] as const
    if (!mayFetch(...quotas)) return null
    for (const quota of quotas) {
      quota.fetches.push(now())
      quota.running += 1
    }
    const fetching = fetchAndCache(tenantId, url, options).finally(() => {
      running.delete(name)
      for (const quota of quotas) quota.running -= 1
    })
    running.set(name, fetching)
    return fetching
  }
}

function recent({ fetches }: Quota, now: number): number {
  while (fetches.length > 0 && now - (fetches[0] as number) >= QUOTA_MS) fetches.shift()
  return fetches.length
}

function rememberFetch(
  lastFetches: SourceState['lastFetches'],
  name: string,
  look: { readonly at: number; readonly error: unknown },
): void {
  lastFetches.delete(name)
  lastFetches.set(name, look)
  const [oldest] = lastFetches.keys()
  if (lastFetches.size > MAX_FETCHES_OF_SOURCE && oldest !== undefined) lastFetches.delete(oldest)
}

/** States by the id of a source or a tenant, made when they are first asked for. */
function createStates<State>(make: () => State): States<State> {
  const states = new Map<string, State>()
  return {
    of(id) {
      const state = states.get(id) ?? make()
      states.delete(id)
      states.set(id, state)
      const [oldest] = states.keys()
      if (states.size > MAX_STATES && oldest !== undefined) states.delete(oldest)
      return state
    },
  }
}

/**
 * The cache drops what was used longest ago first; of a tenant that keeps too much before anybody
 * else's.
 */
function createCache(): Cache {
  const entries = new Map<string, CachedText>()
  const bytesOf = new Map<string, number>()
  let bytes = 0

  function count({ tenantId }: CachedText, change: number): void {
    bytes += change
    const left = (bytesOf.get(tenantId) ?? 0) + change
    if (left > 0) bytesOf.set(tenantId, left)
    else bytesOf.delete(tenantId)
  }

  function drop(name: string): void {
    const entry = entries.get(name)
    if (entry === undefined) return
    entries.delete(name)
    count(entry, -entry.bytes)
  }

  return {
    get(name) {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      entries.delete(name)
      entries.set(name, entry)
      return entry
    },
    put(name, one) {
      drop(name)
      entries.set(name, one)
      count(one, one.bytes)
      for (const [oldest, { tenantId }] of entries) {
        if ((bytesOf.get(one.tenantId) ?? 0) <= MAX_CACHED_BYTES_OF_TENANT) break
        if (tenantId === one.tenantId) drop(oldest)
      }
      for (const oldest of entries.keys()) {
        if (bytes <= MAX_CACHED_BYTES) break
        drop(oldest)
      }
    },
  }
}

/**
 * The key of an entry: an answer to one customer's wrong credentials must not be given for
 * another's right ones. The credentials are hashed, so that they do not stay in memory.
 */
function nameOf(url: URL, options: FetchOptions | undefined): string {
  if (options === undefined) return url.href
  return `${url.href} ${createHash('sha256').update(JSON.stringify(options)).digest('hex')}`
}
