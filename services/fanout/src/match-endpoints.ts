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

/** Compiles when the first event needs it, and once: a regex takes 25 to 200 us, and a tenant may have thousands. */
export type Filter = () => CompiledFilter

/** A tenant's subscriptions, made once for each version of its configuration. */
export interface Subscriptions {
  find(projectId: string, eventType: string): Candidates
  /** Any of its endpoints is FIFO: its events are fanned out in the order of acceptance. */
  hasLanes: boolean
}

/** Types remembered a tenant: beyond it, all are forgotten and found anew. */
const MAX_REMEMBERED = 2_000

/**
 * Matching a type against thousands of patterns takes a millisecond, and the same few types come again and again: so
 * what was found is remembered for as long as this version of the configuration lasts.
 */
export function indexSubscriptions(all: readonly Subscription[]): Subscriptions {
  const found = new Map<string, Candidates>()
  const endpoints = all.map((one) => ({
    ...one,
    filter: toFilter(one.filter),
    lane: one.fifo ? toLane(one.fifoPartitionKey) : null,
  }))
  return {
    hasLanes: all.some(({ fifo }) => fifo),
    find(projectId, eventType) {
      const key = `${projectId} ${eventType}`
      const known = found.get(key)
      if (known !== undefined) return known
      const taking = endpoints.filter(
        (one) => one.projectId === projectId && matchesAny(one.eventTypes, eventType),
      )
      const filters = taking.map((one) => one.filter)
      const lanes = taking.flatMap(({ endpointId, lane }) =>
        lane === null ? [] : [[endpointId, lane] as const],
      )
      const candidates = {
        endpointIds: taking.map((one) => one.endpointId),
        filters: filters.some((filter) => filter !== null) ? filters : null,
        lanes: lanes.length === 0 ? null : new Map(lanes),
      }
      if (found.size >= MAX_REMEMBERED) found.clear()
      found.set(key, candidates)
      return candidates
    },
  }
}

/** A filter without conditions is none. */
function toFilter(conditions: readonly Condition[] | null): Filter | null {
  if (conditions === null || conditions.length === 0) return null
  let compiled: CompiledFilter | undefined
  return () => (compiled ??= compileFilter(conditions))
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
