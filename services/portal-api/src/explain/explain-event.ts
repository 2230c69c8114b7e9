/**
 * GET /events/:eventId/explain: where an event went and why not elsewhere, and what each of its
 * deliveries waits for. Endpoints are compared with the event by their configuration at the
 * fan-out; what a delivery waits for is told by the current state.
 *
 * An explanation is bounded: 1,000 deliveries, 1,000 endpoints, and fewer where their filters are
 * large or expensive; `hasMoreDeliveries` and `hasMoreEndpoints` tell. The last errors are those
 * among the event's newest 10,000 attempts. A tenant's explanations run one after another, so that
 * many concurrent requests take no more of the event loop, of memory and of connections than one
 * does.
 */
import { DEFAULT_ATTEMPTS } from '@posthorn/contracts/events'
import type { EventExplanation, ExplainedDelivery, Waiting } from '@posthorn/contracts/explain'
import {
  DELIVERY_STATES,
  type DeliveryState,
  eventStatus,
  STATE_CODE,
} from '@posthorn/domain/delivery-state'
import { timeOfId } from '@posthorn/domain/ids'
import { effectiveRate } from '@posthorn/domain/plans'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { StateStore } from '@posthorn/state/state-store'
import type { Pool } from '@posthorn/store/pool'
import { notFound } from '../refusals.ts'
import { explainEndpoints } from './explain-endpoints.ts'
import { createOneByOne } from './one-by-one.ts'
import {
  type ExplainedDeliveryRow,
  type ExplainedEndpointRow,
  type EventFacts,
  readDeliveryRows,
  readEndpointRows,
  readEventFacts,
  readLastErrors,
} from './read-facts.ts'
import { waitsFor } from './waits-for.ts'

export interface ExplainEventDeps {
  pool: Pool
  state: Pick<StateStore, 'readCircuits'>
  /** A monotonic time in milliseconds. */
  clock: () => number
}

/** Requests of one tenant. Each takes some ten milliseconds, or a second with expensive filters. */
const MAX_WAITING = 100

export function createExplainEvent({
  pool,
  state,
  clock,
}: ExplainEventDeps): Handlers<'portal-api'>['explainEvent'] {
  const oneByOne = createOneByOne(MAX_WAITING)
  return ({ caller, params }) =>
    oneByOne(caller.tenantId, () => explain(caller, params['eventId'] ?? ''))

  async function explain(caller: Caller, eventId: string): Promise<EventExplanation> {
    const event = await readEventFacts(pool, caller, eventId)
    if (event === null) throw notFound('event')
    const found = await readDeliveryRows(pool, caller.tenantId, event.id)
    const { rows: deliveries } = found
    const errors = await readLastErrors(pool, caller.tenantId, event.id, deliveries)
    const deliveredTo = deliveries.flatMap(({ endpointId }) => endpointId ?? [])
    const endpoints =
      event.eventType === null
        ? { rows: [], hasMore: false }
        : await readEndpointRows(pool, caller, event, deliveredTo)
    const { explained, hasMore } = await explainEndpoints(event, endpoints.rows, deliveries, clock)
    const byId = new Map(
      endpoints.rows.map((endpoint) => {
        const rateLimitPerSec = effectiveRate(endpoint.rateLimitPerSec ?? 0, caller.plan)
        return [endpoint.id, { ...endpoint, rateLimitPerSec }]
      }),
    )
    const open = await readOpenCircuits(state, deliveredTo)
    return {
      ...toEvent(event),
      endpoints: explained,
      hasMoreEndpoints: endpoints.hasMore || hasMore,
      deliveries: deliveries.map((delivery) =>
        explainDelivery(event, delivery, byId.get(delivery.endpointId ?? ''), errors, open),
      ),
      hasMoreDeliveries: found.hasMore,
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

type EventHead = Omit<
  EventExplanation,
  'endpoints' | 'hasMoreEndpoints' | 'deliveries' | 'hasMoreDeliveries'
>

function toEvent(event: EventFacts): EventHead {
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

const STATE_OF = new Map<number, DeliveryState>(
  DELIVERY_STATES.map((state) => [STATE_CODE[state], state]),
)

function explainDelivery(
  event: EventFacts,
  row: ExplainedDeliveryRow,
  endpoint: ExplainedEndpointRow | undefined,
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
  { id, fetchError }: ExplainedDeliveryRow,
  errors: ReadonlyMap<string, string>,
): string | null {
  if (state !== 'delivered' && fetchError !== null) return fetchError
  return errors.get(id) || null
}
