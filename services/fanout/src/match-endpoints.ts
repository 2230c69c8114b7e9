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
  const found = new Map<string, Candidates>()
  let memoized = 0
  const endpoints = all.map((one, place) => ({
    ...one,
    place,
    filter: toFilter(one, compile),
    lane: one.fifo ? toLane(one.fifoPartitionKey) : null,
  }))
  /** Endpoints whose types have no `*`, by project and type. */
  const named = new Map<string, typeof endpoints>()
  /** Endpoints with a `*` in any of their patterns, by project. */
  const patterned = new Map<string, typeof endpoints>()
  let indexed = 0
  for (const one of endpoints) {
    if (one.eventTypes.some((type) => type.includes('*'))) addTo(patterned, one.projectId, one)
    else for (const type of new Set(one.eventTypes)) addTo(named, `${one.projectId} ${type}`, one)
    indexed += one.eventTypes.length
    if (indexed < TYPES_PER_TURN) continue
    indexed = 0
    await setImmediate()
  }
  return {
    hasLanes: all.some(({ fifo }) => fifo),
    connectors: indexConnectors(connectors),
    *find(projectId, eventType) {
      const key = `${projectId} ${eventType}`
      const known = found.get(key)
      if (known !== undefined) return known
      const taking = [...(named.get(key) ?? [])]
      let patterns = 0
      for (const one of patterned.get(projectId) ?? []) {
        if (matchesAny(one.eventTypes, eventType)) taking.push(one)
        patterns += one.eventTypes.length
        if (patterns < PATTERNS_PER_STEP) continue
        patterns = 0
        yield
      }
      const candidates = toCandidates(taking.sort((a, b) => a.place - b.place))
      memoized += 1 + taking.length
      if (memoized > MAX_MEMOIZED) {
        found.clear()
        memoized = 1 + taking.length
      }
      found.set(key, candidates)
      return candidates
    },
    named(projectId, endpointIds) {
      const wanted = new Set(endpointIds)
      return toCandidates(
        endpoints.filter((one) => one.projectId === projectId && wanted.has(one.endpointId)),
      )
    },
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
