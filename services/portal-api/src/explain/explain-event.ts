/**
 * GET /events/:eventId/explain: where an event went and why not elsewhere, and what each of its deliveries waits for.
 * Why an endpoint did not match is judged by what it was set to at the fan-out; what is waited for, by what is now. Of
 * an event with more than 1,000 deliveries, or a tenant with more endpoints, the first 1,000 are explained.
 */
import { setImmediate } from 'node:timers/promises'
import { DEFAULT_ATTEMPTS } from '@posthorn/contracts/events'
import type {
  EventExplanation,
  ExplainedDelivery,
  ExplainedEndpoint,
  Waiting,
} from '@posthorn/contracts/explain'
import {
  DELIVERY_STATES,
  type DeliveryState,
  eventStatus,
  STATE_CODE,
} from '@posthorn/domain/delivery-state'
import { timeOfId } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import type { StateStore } from '@posthorn/state/state-store'
import type { Pool } from '@posthorn/store/pool'
import { testKey } from '../endpoints/test-endpoint.ts'
import { notFound } from '../refusals.ts'
import { judgeCandidate, type MatchedEvent } from './mismatch.ts'
import {
  type DeliveryRow,
  type EndpointRow,
  type EventFacts,
  readDeliveryRows,
  readEndpointRows,
  readEventFacts,
  readLastErrors,
} from './read-facts.ts'
import { waitsFor } from './waits-for.ts'

/** What filters may hold the event loop for, apart from the one that is being evaluated. */
const MAX_SLICE_MS = 5

export interface ExplainEventDeps {
  pool: Pool
  state: Pick<StateStore, 'readCircuits'>
}

export function createExplainEvent({
  pool,
  state,
}: ExplainEventDeps): Handlers<'portal-api'>['explainEvent'] {
  return async ({ caller, params }) => {
    const event = await readEventFacts(pool, caller, params['eventId'] ?? '')
    if (event === null) throw notFound('event')
    const deliveries = await readDeliveryRows(pool, caller.tenantId, event.id)
    const errors = await readLastErrors(pool, caller.tenantId, event.id)
    const deliveredTo = deliveries.flatMap(({ endpointId }) => endpointId ?? [])
    const endpoints =
      event.eventType === null ? [] : await readEndpointRows(pool, caller, event, deliveredTo)
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    const open = await readOpenCircuits(state, deliveredTo)
    return {
      ...toEvent(event),
      endpoints: await explainEndpoints(event, endpoints, deliveries),
      deliveries: deliveries.map((delivery) =>
        explainDelivery(event, delivery, byId.get(delivery.endpointId ?? ''), errors, open),
      ),
    }
  }
}

async function readOpenCircuits(
  state: Pick<StateStore, 'readCircuits'>,
  endpointIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const views = await state.readCircuits(endpointIds)
  return new Set(endpointIds.filter((_, index) => views[index]?.state !== 'closed'))
}

function toEvent(event: EventFacts): Omit<EventExplanation, 'endpoints' | 'deliveries'> {
  return {
    eventId: event.id,
    eventType: event.eventType,
    destination: event.destination,
    status: eventStatus(event, event.fannedOutAt !== null),
    deadReason: event.deadReason,
    createdAt: new Date(timeOfId(event.id)).toISOString(),
    fannedOutAt: event.fannedOutAt?.toISOString() ?? null,
    waitsFor: fanOutWaitsFor(event),
  }
}

function fanOutWaitsFor({ fannedOutAt, deliverAt, now }: EventFacts): Waiting | null {
  if (fannedOutAt !== null) return null
  const isDelayed = deliverAt !== null && deliverAt > now
  return isDelayed
    ? { reason: 'delay', until: deliverAt.toISOString() }
    : { reason: 'fan_out', until: null }
}

async function explainEndpoints(
  event: EventFacts,
  endpoints: readonly EndpointRow[],
  deliveries: readonly DeliveryRow[],
): Promise<ExplainedEndpoint[]> {
  const deliveryOf = new Map(deliveries.map(({ endpointId, id }) => [endpointId, id]))
  let payload: { value: unknown } | undefined
  const matched: MatchedEvent = {
    projectId: event.projectId,
    eventType: event.eventType ?? '',
    payload: () => (payload ??= { value: JSON.parse(event.payload) }).value,
    // Put aside by fan-out it has no delivery anywhere: what counts is where it would go.
    fannedOutAt: event.dead > 0 && deliveries.length === 0 ? null : event.fannedOutAt,
    endpointIds: event.endpointIds,
    isTest: event.idempotencyKey === testKey(event.id),
  }
  const explained: ExplainedEndpoint[] = []
  let since = performance.now()
  for (const endpoint of endpoints) {
    const { id: endpointId, description, status } = endpoint
    const deliveryId = deliveryOf.get(endpointId) ?? null
    const verdict =
      deliveryId === null ? judgeCandidate(endpoint, matched) : ({ matched: true } as const)
    const { reason, filter } = verdict.matched ? { reason: null, filter: null } : verdict
    const { matched: isMatch } = verdict
    explained.push({
      endpointId,
      description,
      status,
      matched: isMatch,
      reason,
      filter,
      deliveryId,
    })
    if (performance.now() - since < MAX_SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return explained
}

const STATE_OF = new Map<number, DeliveryState>(
  DELIVERY_STATES.map((state) => [STATE_CODE[state], state]),
)

function explainDelivery(
  event: EventFacts,
  row: DeliveryRow,
  endpoint: EndpointRow | undefined,
  errors: ReadonlyMap<string, string>,
  open: ReadonlySet<string>,
): ExplainedDelivery {
  const state = STATE_OF.get(row.state) as DeliveryState
  return {
    id: row.id,
    endpointId: row.endpointId,
    state,
    attempts: row.attempts,
    maxAttempts: event.maxAttempts ?? endpoint?.maxRetries ?? DEFAULT_ATTEMPTS,
    waitsFor: waitsFor({
      state,
      due: row.dueAt === null ? null : { at: row.dueAt, leased: row.leased === true },
      parked: row.parked,
      backlogDueAt: row.backlogDueAt,
      endpoint:
        endpoint === undefined
          ? null
          : {
              status: endpoint.status,
              isPolled: endpoint.deliveryMode === 'poll',
              isFifo: endpoint.fifo === true,
              isOpen: open.has(endpoint.id),
              isLimited: (endpoint.rateLimitPerSec ?? 0) > 0,
            },
      deliverAt: event.deliverAt,
      now: event.now,
    }),
    lastError: lastErrorOf(state, row, errors),
    deadReason: row.deadReason,
  }
}

function lastErrorOf(
  state: DeliveryState,
  { id, fetchError }: DeliveryRow,
  errors: ReadonlyMap<string, string>,
): string | null {
  if (state !== 'delivered' && fetchError !== null) return fetchError
  return errors.get(id) || null
}
