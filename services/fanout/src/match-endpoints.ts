/**
 * The endpoints that an event may go to: those of its project that subscribe to its type, each with
 * its filter. Paused endpoints are among them: their deliveries are parked.
 */
import { setImmediate } from 'node:timers/promises'
import { type CompiledFilter, type Condition, compileFilter } from '@posthorn/domain/filter'
import { type CompiledPath, compilePath } from '@posthorn/domain/json-path'
import { laneOf, ONLY_LANE } from '@posthorn/domain/lane'
import { matchesAny } from '@posthorn/domain/match-type'
import {
  type ConnectorSubscription,
  type FindConnectors,
  indexConnectors,
} from './match-connectors.ts'

export interface Subscription {
  endpointId: string
  projectId: string
  eventTypes: readonly string[]
  filter: readonly Condition[] | null
  fifo: boolean
  fifoPartitionKey: string | null
}

/** In the order of the endpoints' creation. */
export interface Candidates {
  endpointIds: readonly string[]
  /**
   * The filter of each endpoint, in the order of the ids, null for an endpoint that accepts all
   * events. null as a whole: no endpoint has a filter.
   */
  filters: readonly (Filter | null)[] | null
  /** How FIFO endpoints choose a lane; null: none of the endpoints is FIFO. */
  lanes: ReadonlyMap<string, LaneChoice> | null
}

/** The lane that an event takes, from its parsed payload. Most lanes do not need the payload. */
export type LaneChoice = (payload: () => unknown) => string

/**
 * Compiles the filter when an event needs it: that takes up to 6 ms, and a tenant may have
 * thousands.
 */
export type Filter = () => CompiledFilter

/** A tenant's subscriptions, made once for each version of its configuration. */
export interface Subscriptions {
  /** Runs in steps, because a tenant may have very many patterns. */
  find(projectId: string, eventType: string): Generator<void, Candidates>
  /** The connectors that subscribe to the type. */
  connectors: FindConnectors
  /** The project's endpoints among these, whatever they subscribe to. */
  named(projectId: string, endpointIds: readonly string[]): Candidates
  /**
   * Whether any endpoint is FIFO: the tenant's events are then fanned out in the order of
   * acceptance.
   */
  hasLanes: boolean
}

/**
 * The number of types and endpoints that are memoized for a tenant, at some 20 bytes each. Beyond
 * it the memo is cleared.
 */
const MAX_MEMOIZED = 100_000
/** Indexing so many types takes some 2 ms. */
const TYPES_PER_TURN = 5_000
/**
 * A tenant with no more endpoints and patterns than these has no index, which would take some 700
 * bytes: looking through them takes a microsecond, and 50 where all are long and full of `*`.
 */
const FEW = 16
/** A map is copied as a whole when it grows, which takes 50 ms with half a million keys. */
const KEYS_PER_MAP = 60_000
/** At most 2 us each: 2 ms. */
const PATTERNS_PER_STEP = 1_000

/**
 * Matching a type against thousands of patterns takes a millisecond. So types that are named in
 * full are looked up, and results are memoized while this version of the configuration lasts,
 * because the same few types come again and again.
 */
export async function indexSubscriptions(
  all: readonly Subscription[],
  compile: (conditions: readonly Condition[], endpointId: string) => CompiledFilter = compileFilter,
  connectors: readonly ConnectorSubscription[] = [],
): Promise<Subscriptions> {
  const endpoints = all.map((one, place) => ({
    endpointId: one.endpointId,
    projectId: one.projectId,
    eventTypes: one.eventTypes,
    place,
    filter: toFilter(one, compile),
    lane: one.fifo ? toLane(one.fifoPartitionKey) : null,
  }))
  const index = new SubscriptionIndex(endpoints, indexConnectors(connectors))
  if (hasFew(endpoints)) return index
  let indexed = 0
  for (const one of endpoints) {
    index.add(one)
    indexed += one.eventTypes.length
    if (indexed < TYPES_PER_TURN) continue
    indexed = 0
    await setImmediate()
  }
  return index
}

function hasFew(endpoints: readonly IndexedEndpoint[]): boolean {
  if (endpoints.length > FEW) return false
  return endpoints.reduce((sum, { eventTypes }) => sum + eventTypes.length, 0) <= FEW
}

/** An endpoint as the index knows it; `place` is where it stands in the order of creation. */
interface IndexedEndpoint {
  endpointId: string
  projectId: string
  eventTypes: readonly string[]
  place: number
  filter: Filter | null
  lane: LaneChoice | null
}

interface EndpointsByType {
  /** Endpoints whose types have no `*`, by project and type. A full map is followed by another. */
  named: Map<string, IndexedEndpoint[]>[]
  /** Endpoints with a `*` in any of their patterns, by project. */
  patterned: Map<string, IndexedEndpoint[]>
}

/** A class, because there is one for each tenant: with closures of its own each took 1 KB more. */
class SubscriptionIndex implements Subscriptions {
  readonly hasLanes: boolean
  readonly connectors: FindConnectors
  readonly #endpoints: readonly IndexedEndpoint[]
  /** null: there are few endpoints, and all are looked through. */
  #index: EndpointsByType | null = null
  /** Made with the second type that is asked for: tenants with few endpoints mostly send one. */
  #found: Map<string, Candidates> | null = null
  #memoized = 0
  #lastKey = ''
  #last: Candidates | null = null

  constructor(endpoints: readonly IndexedEndpoint[], connectors: FindConnectors) {
    this.#endpoints = endpoints
    this.connectors = connectors
    this.hasLanes = endpoints.some(({ lane }) => lane !== null)
  }

  add(one: IndexedEndpoint): void {
    this.#index ??= { named: [], patterned: new Map() }
    const { named, patterned } = this.#index
    if (one.eventTypes.some((type) => type.includes('*')))
      return addTo(patterned, one.projectId, one)
    if ((named.at(-1)?.size ?? KEYS_PER_MAP) >= KEYS_PER_MAP) named.push(new Map())
    const last = named.at(-1) as Map<string, IndexedEndpoint[]>
    for (const type of new Set(one.eventTypes)) addTo(last, `${one.projectId} ${type}`, one)
  }

  *find(projectId: string, eventType: string): Generator<void, Candidates> {
    const key = `${projectId} ${eventType}`
    const known = this.#last !== null && key === this.#lastKey ? this.#last : this.#found?.get(key)
    if (known !== undefined) return known
    const taking = this.#index?.named.flatMap((named) => named.get(key) ?? []) ?? []
    let patterns = 0
    for (const one of this.#lookedThrough(projectId)) {
      if (matchesAny(one.eventTypes, eventType)) taking.push(one)
      patterns += one.eventTypes.length
      if (patterns < PATTERNS_PER_STEP) continue
      patterns = 0
      yield
    }
    const candidates = toCandidates(taking.sort((a, b) => a.place - b.place))
    this.#memoize(key, candidates)
    return candidates
  }

  /** The project's endpoints that may want a type without naming it. */
  #lookedThrough(projectId: string): readonly IndexedEndpoint[] {
    if (this.#index !== null) return this.#index.patterned.get(projectId) ?? []
    return this.#endpoints.filter((one) => one.projectId === projectId)
  }

  #memoize(key: string, candidates: Candidates): void {
    const size = 1 + candidates.endpointIds.length
    this.#memoized += size
    if (this.#memoized > MAX_MEMOIZED) {
      this.#found = null
      this.#memoized = size
    } else if (this.#last !== null) {
      this.#found ??= new Map()
      this.#found.set(this.#lastKey, this.#last)
    }
    this.#lastKey = key
    this.#last = candidates
  }

  named(projectId: string, endpointIds: readonly string[]): Candidates {
    const wanted = new Set(endpointIds)
    return toCandidates(
      this.#endpoints.filter((one) => one.projectId === projectId && wanted.has(one.endpointId)),
    )
  }
}

function toCandidates(
  taking: readonly { endpointId: string; filter: Filter | null; lane: LaneChoice | null }[],
): Candidates {
  const filters = taking.map((one) => one.filter)
  const lanes = taking.flatMap(({ endpointId, lane }) =>
    lane === null ? [] : [[endpointId, lane] as const],
  )
  return {
    endpointIds: taking.map((one) => one.endpointId),
    filters: filters.some((filter) => filter !== null) ? filters : null,
    lanes: lanes.length === 0 ? null : new Map(lanes),
  }
}

function addTo<One>(groups: Map<string, One[]>, key: string, one: One): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [one])
  else group.push(one)
}

/** A filter without conditions counts as none. */
function toFilter(
  { filter, endpointId }: Subscription,
  compile: (conditions: readonly Condition[], endpointId: string) => CompiledFilter,
): Filter | null {
  if (filter === null || filter.length === 0) return null
  return () => compile(filter, endpointId)
}

/** A path that does not compile finds nothing: it was checked when it was saved. */
function toLane(partitionKey: string | null): LaneChoice {
  if (partitionKey === null) return () => ONLY_LANE
  let compiled: CompiledPath | undefined
  return (payload) => {
    compiled ??= compilePath(partitionKey)
    return laneOf(compiled.outcome === 'ok' ? compiled.find(payload()) : [])
  }
}
