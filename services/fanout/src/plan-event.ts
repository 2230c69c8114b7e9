/**
 * What an event is fanned out to: the endpoints under the tenant's configuration whose filters
 * accept it, each with its lane. The payload is parsed once, and only if a filter or a lane asks
 * for it.
 *
 * It runs in steps, so that an event with many endpoints or expensive filters can be interrupted
 * and resumed later.
 */
import { lazily } from '@posthorn/async/lazily'
import { newId } from '@posthorn/domain/ids'
import { parseJson, parseJsonInSteps, SMALL_CHARACTERS } from '@posthorn/domain/parse-json'
import type { FannedOut, WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import { applyFilters, type OnFilterFault } from './apply-filters.ts'
import type { Subscriptions } from './match-endpoints.ts'

export interface Plan {
  event: WaitingEvent
  out: FannedOut
  /** How many endpoints had a filter that rejected it. */
  filteredOut: number
}

/**
 * How many characters may be read between two steps: a lane's value may be the whole payload, which
 * is then serialised and hashed.
 */
const CHARACTERS_PER_STEP = 32 * 1024

export function* planEvent(
  event: WaitingEvent,
  subscriptions: Subscriptions,
  onFault: OnFilterFault,
): Generator<void, Plan> {
  const { tenantId, id: eventId } = event
  const candidates =
    event.endpointIds === null
      ? yield* subscriptions.find(event.projectId, event.eventType)
      : subscriptions.named(event.projectId, event.endpointIds)
  const isAsked = candidates.filters !== null || candidates.lanes !== null
  const payload = yield* payloadOf(event.payload, isAsked)
  const endpointIds = yield* applyFilters(candidates, payload, onFault)
  const deliveries: FannedOut['deliveries'] = []
  let characters = 0
  for (const endpointId of endpointIds) {
    const laneOf = candidates.lanes?.get(endpointId)
    deliveries.push({ deliveryId: newId(), endpointId, lane: laneOf?.(payload) ?? null })
    if (laneOf === undefined) continue
    characters += event.payload.length
    if (characters < CHARACTERS_PER_STEP) continue
    characters = 0
    yield
  }
  const filteredOut = candidates.endpointIds.length - endpointIds.length
  const connectors = yield* told(event, subscriptions)
  return { event, out: { tenantId, eventId, deliveries, ...connectors }, filteredOut }
}

/** A small one is parsed when it is first asked for, a large one before, so that it is in steps. */
function* payloadOf(
  text: string,
  isAsked: boolean,
): Generator<undefined, () => unknown, undefined> {
  if (!isAsked || text.length <= SMALL_CHARACTERS) return lazily(() => parseJson(text))
  const value = yield* parseJsonInSteps(text)
  return () => value
}

/** An event that goes to named endpoints alone is told to no connector. */
function* told(
  { endpointIds, projectId, eventType }: WaitingEvent,
  subscriptions: Subscriptions,
): Generator<void, Pick<FannedOut, 'connectors'>> {
  const ids = endpointIds === null ? yield* subscriptions.connectors(projectId, eventType) : null
  if (ids === null) return {}
  return { connectors: ids.map((connectorId) => ({ notificationId: newId(), connectorId })) }
}
