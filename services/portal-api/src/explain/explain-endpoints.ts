/**
 * Why an event went to each endpoint, or why not. A filter may take milliseconds on a large
 * payload, so filters yield to the event loop in between, and their total time and the size of
 * their results are bounded: beyond that no more endpoints are explained. Endpoints with a delivery
 * come first and need no filter, so they are always explained.
 */
import { setImmediate } from 'node:timers/promises'
import type { ExplainedEndpoint } from '@posthorn/contracts/explain'
import { inTurns } from '@posthorn/async/in-turns'
import { parseJsonInSteps } from '@posthorn/domain/parse-json'
import { testKey } from '../endpoints/test-endpoint.ts'
import { evaluateCandidate, type MatchedEvent } from './mismatch.ts'
import type { ExplainedDeliveryRow, ExplainedEndpointRow, EventFacts } from './read-facts.ts'

/**
 * How long filters may run without yielding to the event loop, apart from the filter that is being
 * evaluated.
 */
const MAX_SLICE_MS = 5
/** The time for all filters: over a hundred of the most expensive, or thousands of common ones. */
export const MAX_FILTERS_MS = 500
/**
 * The size of all failed conditions with the values that their paths found, as JSON: a common one
 * has 200 characters.
 */
export const MAX_FILTER_CHARACTERS = 1024 * 1024

export interface ExplainedEndpoints {
  explained: ExplainedEndpoint[]
  /** Whether there are endpoints that are not explained. */
  hasMore: boolean
}

/** @param clock a monotonic time in milliseconds */
export async function explainEndpoints(
  event: EventFacts,
  endpoints: readonly ExplainedEndpointRow[],
  deliveries: readonly Pick<ExplainedDeliveryRow, 'id' | 'endpointId'>[],
  clock: () => number,
): Promise<ExplainedEndpoints> {
  const deliveryOf = new Map(deliveries.map(({ endpointId, id }) => [endpointId, id]))
  const isAsked = endpoints.some(({ id, filter }) => filter !== null && !deliveryOf.has(id))
  const payload = isAsked ? await inTurns(parseJsonInSteps(event.payload)) : null
  const matched = matchedEvent(event, deliveries.length, payload)
  const explained: ExplainedEndpoint[] = []
  let takenMs = 0
  let characters = 0
  let sliceMs = 0
  for (const endpoint of endpoints) {
    const deliveryId = deliveryOf.get(endpoint.id) ?? null
    if (deliveryId !== null) {
      explained.push(toExplained(endpoint, deliveryId, { matched: true }))
      continue
    }
    if (takenMs >= MAX_FILTERS_MS) return { explained, hasMore: true }
    const startedAt = clock()
    const explanation = toExplained(endpoint, null, evaluateCandidate(endpoint, matched))
    characters += explanation.filter === null ? 0 : JSON.stringify(explanation.filter).length
    if (characters > MAX_FILTER_CHARACTERS) return { explained, hasMore: true }
    explained.push(explanation)
    const ms = clock() - startedAt
    takenMs += ms
    sliceMs += ms
    if (sliceMs < MAX_SLICE_MS) continue
    await setImmediate()
    sliceMs = 0
  }
  return { explained, hasMore: false }
}

function matchedEvent(event: EventFacts, deliveries: number, payload: unknown): MatchedEvent {
  return {
    projectId: event.projectId,
    eventType: event.eventType ?? '',
    payload,
    // An event that fan-out gave up has no delivery anywhere, so the answer tells where it would
    // go.
    fannedOutAt: event.dead > 0 && deliveries === 0 ? null : event.fannedOutAt,
    endpointIds: event.endpointIds,
    isTest: event.idempotencyKey === testKey(event.id),
  }
}

function toExplained(
  { id: endpointId, description, url, status }: ExplainedEndpointRow,
  deliveryId: string | null,
  result: ReturnType<typeof evaluateCandidate>,
): ExplainedEndpoint {
  const { reason, filter } = result.matched ? { reason: null, filter: null } : result
  const { matched } = result
  return { endpointId, description, url, status, matched, reason, filter, deliveryId }
}
