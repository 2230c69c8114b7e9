/**
 * Which endpoints an event may go to: those of its project that subscribe to its type, each with its filter if it has
 * one. Paused ones too: they wait.
 */
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
  find(projectId: string, eventType: string): Candidates
  /** Those of these endpoints that there are, whatever they subscribe to. */
  named(endpointIds: readonly string[]): Candidates
  /** Any of its endpoints is FIFO: its events are fanned out in the order of acceptance. */
  hasLanes: boolean
}

/** Types remembered a tenant: beyond it, all are forgotten and found anew. */
const MAX_REMEMBERED = 2_000

/**
 * Matching a type against thousands of patterns takes a millisecond: so types that are named whole are looked up, and as
 * the same few come again and again, what was found is remembered for as long as this version of the configuration lasts.
 */
export function indexSubscriptions(
  all: readonly Subscription[],
  compile: (conditions: readonly Condition[], endpointId: string) => CompiledFilter = compileFilter,
): Subscriptions {
  const found = new Map<string, Candidates>()
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
  for (const one of endpoints) {
    if (one.eventTypes.some((type) => type.includes('*'))) addTo(patterned, one.projectId, one)
    else for (const type of new Set(one.eventTypes)) addTo(named, `${one.projectId} ${type}`, one)
  }
  return {
    hasLanes: all.some(({ fifo }) => fifo),
    find(projectId, eventType) {
      const key = `${projectId} ${eventType}`
      const known = found.get(key)
      if (known !== undefined) return known
      const taking = [...(named.get(key) ?? []), ...(patterned.get(projectId) ?? [])]
        .filter((one) => matchesAny(one.eventTypes, eventType))
        .sort((a, b) => a.place - b.place)
      const candidates = toCandidates(taking)
      if (found.size >= MAX_REMEMBERED) found.clear()
      found.set(key, candidates)
      return candidates
    },
    named(endpointIds) {
      const wanted = new Set(endpointIds)
      return toCandidates(endpoints.filter(({ endpointId }) => wanted.has(endpointId)))
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
