/**
 * What platforms publish to verify by: key sets and certificates. What came is kept for an hour, for everybody, and is
 * used beyond that while the platform can't be reached.
 *
 * What is fetched is often named by a request that nobody has verified yet. So each source (inbound endpoint) has a small
 * quota of fetches and keeps its own failures: key ids that somebody makes up at one source cost no other source an
 * answer. A tenant's sources together have a share, too, and a tenant's part of what is kept, and of the fetches that run
 * at once, is bounded: many sources in one hand reach no further than one.
 */
import { createHash } from 'node:crypto'

export interface FetchedKeys {
  /** The text at an address; kept. @throws when it can't be had and none is kept */
  text(url: URL, asking?: FetchOptions): Promise<string>
  /** The text as it is now, for a key id that the kept one lacks; the kept one when this source has looked a minute ago. */
  fresh(url: URL): Promise<string>
}

/** Which source is it asked for. */
export interface SourceRef {
  readonly tenantId: string
  /** Of the inbound endpoint. */
  readonly id: string
}

/** For the few that show their keys to their customers alone. Default: a GET without credentials. */
export interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>
  /** It is a POST then. */
  readonly body?: string
}

/** @throws when it can't be had; where the platform answered so, the error has its `status` */
export type FetchText = (url: URL, asking?: FetchOptions) => Promise<string>

export interface FetchedKeysDeps {
  fetchText: FetchText
  now(): number
}

const KEPT_MS = 60 * 60 * 1000
const LOOK_AGAIN_MS = 60 * 1000
/** What another source has just fetched is as fresh as can be. */
const JUST_FETCHED_MS = 1_000
/** A platform has a handful of certificates: more in a minute are somebody's inventions. */
export const MAX_FETCHES_OF_SOURCE = 20
/** 15 sources whose quota is used up; and what 300 sources with credentials of their own need to begin with. */
export const MAX_FETCHES_OF_TENANT = 300
/** An address of a tenant's own may take the 5 s of a fetch each time. */
const MAX_RUNNING_OF_SOURCE = 4
const MAX_RUNNING_OF_TENANT = 16
/** Of 256 KiB at most: 64 MiB. Beyond it only who has none running may begin one. */
const MAX_RUNNING = 256
/** Of what is kept: key sets are some kilobytes, at most 256 KiB. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024
const MAX_KEPT_BYTES_OF_TENANT = MAX_KEPT_BYTES / 8
/** Of an entry, beside its text. */
const ENTRY_BYTES = 512
/** With their failures some 5 KB each. Who was heard of longest ago goes first. */
const MAX_ASKERS = 4_096

interface Kept {
  readonly text: string
  /** Who fetched it, in whose part of the room it is. */
  readonly tenantId: string
  readonly bytes: number
  fetchedAt: number
}

/** Of a source, or of all sources of a tenant. */
interface Quota {
  /** When it fetched, in the last minute. */
  readonly fetches: number[]
  running: number
}

interface SourceState extends Quota {
  /** When an address was last looked at, and how that failed: at most one entry for each fetch of its quota. */
  readonly looks: Map<string, { readonly at: number; readonly error: unknown }>
}

export function createFetchedKeys({ fetchText, now }: FetchedKeysDeps): {
  of(asker: SourceRef): FetchedKeys
} {
  const kept = createKept()
  const sources = createStates<SourceState>(() => ({ fetches: [], running: 0, looks: new Map() }))
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

  /** Joins a fetch that runs. null: this source, or its tenant, has fetched enough. */
  function begin(
    asker: SourceRef,
    url: URL,
    asking: FetchOptions | undefined,
  ): Promise<string> | null {
    const name = nameOf(url, asking)
    const others = running.get(name)
    if (others !== undefined) return others
    const quotas = [sources.of(asker.id), tenants.of(asker.tenantId)] as const
    if (!mayFetch(...quotas)) return null
    for (const quota of quotas) {
      quota.fetches.push(now())
      quota.running += 1
    }
    const fetching = fetchAndKeep(asker, name, url, asking).finally(() => {
      running.delete(name)
      for (const quota of quotas) quota.running -= 1
    })
    running.set(name, fetching)
    return fetching
  }

  async function fetchAndKeep(
    { tenantId }: SourceRef,
    name: string,
    url: URL,
    asking: FetchOptions | undefined,
  ): Promise<string> {
    const text = await fetchText(url, asking)
    const bytes = text.length + name.length + ENTRY_BYTES
    kept.put(name, { text, tenantId, bytes, fetchedAt: now() })
    return text
  }

  /** Fetched, unless this source has looked a minute ago. What is kept is better than a failure. */
  async function look(asker: SourceRef, url: URL, asking?: FetchOptions): Promise<string> {
    const name = nameOf(url, asking)
    const { looks } = sources.of(asker.id)
    const before = kept.get(name)
    const last = looks.get(name)
    const isRecent = last !== undefined && now() - last.at < LOOK_AGAIN_MS
    const fetching = isRecent ? null : begin(asker, url, asking)
    let error = isRecent ? last.error : undefined
    if (fetching !== null) {
      try {
        const text = await fetching
        keepLook(looks, name, { at: now(), error: undefined })
        return text
      } catch (thrown) {
        error = thrown
        keepLook(looks, name, { at: now(), error })
      }
    }
    if (before !== undefined) return before.text
    throw (error as Error | undefined) ?? new Error(`${url.host} was asked enough for a minute`)
  }

  return {
    of: (asker) => ({
      async text(url, asking) {
        const known = kept.get(nameOf(url, asking))
        if (known !== undefined && now() - known.fetchedAt < KEPT_MS) return known.text
        return await look(asker, url, asking)
      },
      async fresh(url) {
        const known = kept.get(nameOf(url, undefined))
        if (known !== undefined && now() - known.fetchedAt < JUST_FETCHED_MS) return known.text
        return await look(asker, url)
      },
    }),
  }
}

function recent({ fetches }: Quota, now: number): number {
  while (fetches.length > 0 && now - (fetches[0] as number) >= LOOK_AGAIN_MS) fetches.shift()
  return fetches.length
}

function keepLook(
  looks: SourceState['looks'],
  name: string,
  look: { readonly at: number; readonly error: unknown },
): void {
  looks.delete(name)
  looks.set(name, look)
  const [oldest] = looks.keys()
  if (looks.size > MAX_FETCHES_OF_SOURCE && oldest !== undefined) looks.delete(oldest)
}

/** By who asks, made when first asked for. */
function createStates<State>(make: () => State): { of(id: string): State } {
  const states = new Map<string, State>()
  return {
    of(id) {
      const state = states.get(id) ?? make()
      states.delete(id)
      states.set(id, state)
      const [oldest] = states.keys()
      if (states.size > MAX_ASKERS && oldest !== undefined) states.delete(oldest)
      return state
    },
  }
}

/** What was used longest ago goes first, of a tenant that keeps too much before anybody else's. */
function createKept(): { get(name: string): Kept | undefined; put(name: string, one: Kept): void } {
  const entries = new Map<string, Kept>()
  const bytesOf = new Map<string, number>()
  let bytes = 0

  function count({ tenantId }: Kept, change: number): void {
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
        if ((bytesOf.get(one.tenantId) ?? 0) <= MAX_KEPT_BYTES_OF_TENANT) break
        if (tenantId === one.tenantId) drop(oldest)
      }
      for (const oldest of entries.keys()) {
        if (bytes <= MAX_KEPT_BYTES) break
        drop(oldest)
      }
    },
  }
}

/** One customer's wrong credentials are no answer to another's right ones; neither stay in memory longer than need be. */
function nameOf(url: URL, asking: FetchOptions | undefined): string {
  if (asking === undefined) return url.href
  return `${url.href} ${createHash('sha256').update(JSON.stringify(asking)).digest('hex')}`
}
