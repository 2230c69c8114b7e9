/**
 * An event as it is written and, once it is durable, announced. Pure but for the id, which is made
 * here.
 */
import { NEVER_SENT, toDueDelivery } from '@posthorn/contracts/due-delivery'
import {
  type DueDelivery,
  type EventAccepted,
  MAX_INLINE_PAYLOAD_BYTES,
} from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { parseTraceparent } from '@posthorn/domain/trace-context'
import { directTargetId } from '@posthorn/domain/target'
import type { Caller } from '@posthorn/http/handlers'
import type { AcceptOutcome, NewEvent } from '@posthorn/store/pipeline/accept-events'

export interface EventDraft {
  source: 'api' | 'batch'
  idempotencyKey: string
  destination?: string | undefined
  eventType?: string | undefined
  /** The JSON text as it was sent. */
  payload: string
  headers?: Record<string, string> | undefined
  maxAttempts?: number | undefined
  priority: number
  delaySeconds: number
  /** The header of the request, as it came. */
  traceparent: string | undefined
}

/** The event belongs to the request's project, or to the tenant's default one. */
export function newEvent(caller: Caller, traceId: string, draft: EventDraft): NewEvent {
  const { destination = null, headers } = draft
  return {
    tenantId: caller.tenantId,
    id: newId(),
    projectId: caller.homeProjectId,
    source: draft.source,
    idempotencyKey: draft.idempotencyKey,
    destination,
    targetId: destination === null ? null : directTargetId(caller.tenantId, destination),
    eventType: draft.eventType ?? null,
    payload: draft.payload,
    headers: headers === undefined ? null : JSON.stringify(headers),
    maxAttempts: draft.maxAttempts ?? null,
    priority: draft.priority,
    traceId,
    traceparent: parseTraceparent(draft.traceparent),
    delaySeconds: draft.delaySeconds,
  }
}

/**
 * The messages that announce accepted events. Events with a delay are announced later, by the
 * scheduler.
 */
export function toAnnouncements(
  events: readonly NewEvent[],
  outcomes: readonly (AcceptOutcome | { outcome: 'refused' })[],
): { deliveries: DueDelivery[]; events: EventAccepted[] } {
  const deliveries: DueDelivery[] = []
  const byType: EventAccepted[] = []
  events.forEach((event, n) => {
    const accepted = outcomes[n]
    if (accepted?.outcome !== 'accepted' || event.delaySeconds > 0) return
    if (event.destination !== null) deliveries.push(directDelivery(event, accepted))
    else byType.push({ v: 1, tenantId: event.tenantId, eventId: event.id })
  })
  return { deliveries, events: byType }
}

/** A direct event's delivery has the event's own id. */
function directDelivery(event: NewEvent, accepted: { seq: number; token: number }): DueDelivery {
  // A character takes at least a byte, so the bytes of a large payload need not be counted.
  const isInline =
    event.payload.length <= MAX_INLINE_PAYLOAD_BYTES &&
    Buffer.byteLength(event.payload) <= MAX_INLINE_PAYLOAD_BYTES
  return toDueDelivery(event, {
    ...NEVER_SENT,
    token: accepted.token,
    deliveryId: event.id,
    endpointId: null,
    lane: null,
    destination: event.destination,
    payload: isInline ? event.payload : null,
    seq: accepted.seq,
  })
}
