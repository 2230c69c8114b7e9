/**
 * Which endpoints an event may go to: those of its project that subscribe to its type, each with its filter if it has
 * one. Paused ones too: they wait.
 */
import { setImmediate } from 'node:timers/promises'
import { type CompiledFilter, type Condition, compileFilter } from '@posthorn/domain/filter'
import { type CompiledPath, compilePath } from '@posthorn/domain/json-path'
import { laneOf, ONLY_LANE } from '@posthorn/domain/lane'
import { matchesAny } from '@posthorn/domain/match-type'

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
  /** In step with the ids, null for an endpoint that takes all. Null as a whole: none of them has a filter. */
  filters: readonly (Filter | null)[] | null
  /** Of FIFO endpoints; null: there is none. */
  lanes: ReadonlyMap<string, LaneChoice> | null
}

/** The lane that an event takes, from its parsed payload, which most need not have. */
export type LaneChoice = (payload: () => unknown) => string

/** Compiles when an event needs it: up to 6 ms, and a tenant may have thousands. */
export type Filter = () => CompiledFilter

/** A tenant's subscriptions, made once for each version of its configuration. */
export interface Subscriptions {
  /** In steps: a tenant may have very many patterns. */
  find(projectId: string, eventType: string): Generator<void, Candidates>
  /** Those of these endpoints that the project has, whatever they subscribe to. */
  named(projectId: string, endpointIds: readonly string[]): Candidates
  /** Any of its endpoints is FIFO: its events are fanned out in the order of acceptance. */
  hasLanes: boolean
}

/** Types and the endpoints that take them, of a tenant, some 20 bytes each: beyond it all are forgotten and found anew. */
const MAX_REMEMBERED = 100_000
/** Some 2 ms of the event loop. */
const TYPES_A_TURN = 5_000
/** At 2 us each at the worst, 2 ms. */
const PATTERNS_A_STEP = 1_000

/**
 * Matching a type against thousands of patterns takes a millisecond: so types that are named whole are looked up, and as
 * the same few come again and again, what was found is remembered for as long as this version of the configuration lasts.
 */
export async function indexSubscriptions(
  all: readonly Subscription[],
  compile: (conditions: readonly Condition[], endpointId: string) => CompiledFilter = compileFilter,
): Promise<Subscriptions> {
  const found = new Map<string, Candidates>()
  let remembered = 0
  const endpoints = all.map((one, place) => ({
    ...one,
    place,
    filter: toFilter(one, compile),
    lane: one.fifo ? toLane(one.fifoPartitionKey) : null,
  }))
  /** By project and type. */
  const named = new Map<string, typeof endpoints>()
  /** Those with a `*` in any of their patterns, by project. */
  const patterned = new Map<string, typeof endpoints>()
  let indexed = 0
  for (const one of endpoints) {
    if (one.eventTypes.some((type) => type.includes('*'))) addTo(patterned, one.projectId, one)
    else for (const type of new Set(one.eventTypes)) addTo(named, `${one.projectId} ${type}`, one)
    indexed += one.eventTypes.length
    if (indexed < TYPES_A_TURN) continue
    indexed = 0
    await setImmediate()
  }
  return {
    hasLanes: all.some(({ fifo }) => fifo),
    *find(projectId, eventType) {
      const key = `${projectId} ${eventType}`
      const known = found.get(key)
      if (known !== undefined) return known
      const taking = [...(named.get(key) ?? [])]
      let patterns = 0
      for (const one of patterned.get(projectId) ?? []) {
        if (matchesAny(one.eventTypes, eventType)) taking.push(one)
        patterns += one.eventTypes.length
        if (patterns < PATTERNS_A_STEP) continue
        patterns = 0
        yield
      }
      const candidates = toCandidates(taking.sort((a, b) => a.place - b.place))
      remembered += 1 + taking.length
      if (remembered > MAX_REMEMBERED) {
        found.clear()
        remembered = 1 + taking.length
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

/** A filter without conditions is none. */
function toFilter(
  { filter, endpointId }: Subscription,
  compile: (conditions: readonly Condition[], endpointId: string) => CompiledFilter,
): Filter | null {
  if (filter === null || filter.length === 0) return null
  return () => compile(filter, endpointId)
}

/** A path that can't be followed finds nothing: it is judged when it is saved. */
function toLane(partitionKey: string | null): LaneChoice {
  if (partitionKey === null) return () => ONLY_LANE
  let compiled: CompiledPath | undefined
  return (payload) => {
    compiled ??= compilePath(partitionKey)
    return laneOf(compiled.outcome === 'ok' ? compiled.find(payload()) : [])
  }
}
