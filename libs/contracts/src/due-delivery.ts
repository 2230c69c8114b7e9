/**
 * Makes the message of a due delivery. Ingest, fan-out and the store all announce deliveries, from
 * what they have in memory or have read, and only this module knows the message's fields.
 */
import { timeOfId } from '@posthorn/domain/ids'
import type { DueDelivery } from './topics.ts'

/** What the message takes from the event. */
export interface EventToDeliver {
  tenantId: string
  id: string
  projectId: string
  eventType: string | null
  /** JSON text. */
  headers: string | null
  maxAttempts: number | null
  priority: number
  traceId: string
  traceparent?: string | null | undefined
}

/** What the message takes from the delivery. */
export interface DeliveryToSend
  extends Pick<
    DueDelivery,
    | 'token'
    | 'deliveryId'
    | 'endpointId'
    | 'lane'
    | 'destination'
    | 'payload'
    | 'seq'
    | 'attempts'
    | 'attemptsBefore'
    | 'edition'
  > {}

export function toDueDelivery(event: EventToDeliver, delivery: DeliveryToSend): DueDelivery {
  const { edition = 0 } = delivery
  const message: DueDelivery = {
    v: 1,
    kind: 'delivery',
    token: delivery.token,
    tenantId: event.tenantId,
    projectId: event.projectId,
    eventId: event.id,
    deliveryId: delivery.deliveryId,
    endpointId: delivery.endpointId,
    lane: delivery.lane,
    destination: delivery.destination,
    eventType: event.eventType,
    payload: delivery.payload,
    headers: event.headers,
    priority: event.priority,
    seq: delivery.seq,
    attempts: delivery.attempts,
    attemptsBefore: delivery.attemptsBefore,
    maxAttempts: event.maxAttempts,
    traceId: event.traceId,
    createdAt: timeOfId(event.id),
  }
  if (edition > 0) message.edition = edition
  if (typeof event.traceparent === 'string') message.traceparent = event.traceparent
  return message
}

/** A delivery that has just been made: no attempt, no edit. */
export const NEVER_SENT = { attempts: 0, attemptsBefore: 0 } as const

/** An event's headers are stored and announced as the JSON text that ingest wrote once. */
export function parseHeaders(text: string | null): Record<string, string> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, string>)
}
