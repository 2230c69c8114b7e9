/** Why an event did not go to an endpoint: one function per reason, tried in turn. Pure. */
import type { FilterCondition } from '@posthorn/contracts/endpoints'
import type { Mismatch } from '@posthorn/contracts/explain'
import { type Condition, compileFilter } from '@posthorn/domain/filter'
import { spell } from '@posthorn/domain/json-equality'
import { matchesAny } from '@posthorn/domain/match-type'
import { TooCostly } from '@posthorn/domain/step-budget'

/**
 * An endpoint without a delivery of the event, as it was configured when the event was fanned out.
 */
export interface Candidate {
  id: string
  projectId: string
  eventTypes: readonly string[]
  filter: readonly Condition[] | null
  createdAt: Date
  deletedAt: Date | null
}

export interface MatchedEvent {
  projectId: string
  eventType: string
  /** Parsed; anything where no filter is evaluated. */
  payload: unknown
  /** null: the event is not fanned out yet, so the current configuration counts. */
  fannedOutAt: Date | null
  isTest: boolean
  /**
   * The only endpoints that the event is for, whatever they subscribe to; null: it is for those
   * that subscribe to its type.
   */
  endpointIds: readonly string[] | null
}

export interface FailedFilter {
  condition: FilterCondition
  index: number
  found: unknown[]
  /**
   * The condition was not evaluated to its end. Fan-out counts the same steps and comes to the same
   * result.
   */
  tooCostly: boolean
}

export type MatchResult =
  /**
   * Only for an event that is not fanned out yet: it will go there unless something is changed
   * before.
   */
  { matched: true } | { matched: false; reason: Mismatch; filter: FailedFilter | null }

const MAX_FOUND = 10
const MAX_FOUND_CHARACTERS = 1_000

type MismatchReason = (endpoint: Candidate, event: MatchedEvent) => MatchResult | null

const REASONS: readonly MismatchReason[] = [
  otherProject,
  createdLater,
  wasDeleted,
  testOfAnother,
  otherDestination,
  typeNotSubscribed,
  filterFailed,
]

export function evaluateCandidate(endpoint: Candidate, event: MatchedEvent): MatchResult {
  for (const reason of REASONS) {
    const result = reason(endpoint, event)
    if (result !== null) return result
  }
  return event.fannedOutAt === null ? { matched: true } : mismatch('changed')
}

function mismatch(reason: Mismatch, filter: FailedFilter | null = null): MatchResult {
  return { matched: false, reason, filter }
}

function otherProject(endpoint: Candidate, event: MatchedEvent): MatchResult | null {
  return event.endpointIds !== null || endpoint.projectId === event.projectId
    ? null
    : mismatch('project')
}

function createdLater(endpoint: Candidate, { fannedOutAt }: MatchedEvent): MatchResult | null {
  return fannedOutAt !== null && endpoint.createdAt > fannedOutAt ? mismatch('created_later') : null
}

function wasDeleted({ deletedAt }: Candidate, { fannedOutAt }: MatchedEvent): MatchResult | null {
  const gone = deletedAt !== null && (fannedOutAt === null || deletedAt <= fannedOutAt)
  return gone ? mismatch('deleted') : null
}

function testOfAnother(_endpoint: Candidate, event: MatchedEvent): MatchResult | null {
  return event.isTest ? mismatch('test') : null
}

function otherDestination({ id }: Candidate, { endpointIds }: MatchedEvent): MatchResult | null {
  return endpointIds === null || endpointIds.includes(id) ? null : mismatch('destination')
}

function typeNotSubscribed(endpoint: Candidate, event: MatchedEvent): MatchResult | null {
  if (event.endpointIds !== null) return null
  return matchesAny(endpoint.eventTypes, event.eventType) ? null : mismatch('type')
}

/** As in fan-out, a filter that can't be evaluated keeps no event from its endpoint. */
function filterFailed({ filter }: Candidate, event: MatchedEvent): MatchResult | null {
  if (filter === null || filter.length === 0) return null
  const compiled = compileFilter(filter)
  if (compiled.outcome === 'invalid') return null
  const result = compiled.evaluate(event.payload)
  if (result.matches) return null
  const { condition, index, found, tooCostly } = result.failed
  return mismatch('filter', {
    condition: condition as FilterCondition,
    index,
    found: found.slice(0, MAX_FOUND).map(shortened),
    tooCostly,
  })
}

/**
 * Bounds the answer: many endpoints' paths may find large parts of one payload. What is not looked
 * at, or has too many members to be listed, is shown as `…`.
 */
function shortened(value: unknown): unknown {
  try {
    const text = spell(value, MAX_FOUND_CHARACTERS, { left: Number.POSITIVE_INFINITY })
    return text.length <= MAX_FOUND_CHARACTERS ? value : `${text.slice(0, MAX_FOUND_CHARACTERS)}…`
  } catch (error) {
    if (error instanceof TooCostly) return '…'
    throw error
  }
}
