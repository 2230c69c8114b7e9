/** The columns of a delivery and of its event, and the message that a dispatcher gets from them. */
import { toDueDelivery } from '@posthorn/contracts/due-delivery'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { MAX_INLINE_PAYLOAD_BYTES } from '@posthorn/contracts/topics'

export interface DeliveryRow {
  tenant_id: string
  event_id: string
  delivery_id: string
  endpoint_id: string | null
  lane: string | null
  priority: number
  seq: number
  attempts: number
  attempts_before: number
  edition: number
  token: number
}

export interface EventRow {
  event_id: string
  project_id: string
  destination: string | null
  event_type: string | null
  /** null: too large to travel. */
  payload: string | null
  headers: string | null
  max_attempts: number | null
  trace_id: string
  traceparent: string | null
}

export type DueDeliveryRow = DeliveryRow & EventRow

/** Columns for a SELECT from deliveries `d`; the caller adds `token`. */
export const DELIVERY_COLUMNS = `d.tenant_id, d.event_id, d.id AS delivery_id, d.endpoint_id,
  d.lane, d.priority, d.seq::float8 AS seq, d.tries AS attempts,
  d.tries_before AS attempts_before, d.edition`

/** Columns for a SELECT from events `e`, beside its id. */
export const EVENT_COLUMNS = `e.project_id, e.destination, e.event_type,
  CASE WHEN octet_length(e.payload) <= ${MAX_INLINE_PAYLOAD_BYTES} THEN e.payload END AS payload,
  e.headers, e.max_attempts, e.trace_id, e.traceparent`

/** Columns for a SELECT from both. */
export const DUE_DELIVERY_COLUMNS = `${DELIVERY_COLUMNS}, ${EVENT_COLUMNS}`

export function rowToDueDelivery(row: DueDeliveryRow): DueDelivery {
  return toDueDelivery(
    {
      tenantId: row.tenant_id,
      id: row.event_id,
      projectId: row.project_id,
      eventType: row.event_type,
      headers: row.headers,
      maxAttempts: row.max_attempts,
      priority: row.priority,
      traceId: row.trace_id,
      traceparent: row.traceparent,
    },
    {
      token: row.token,
      deliveryId: row.delivery_id,
      endpointId: row.endpoint_id,
      lane: row.lane,
      destination: row.destination,
      payload: row.payload,
      seq: row.seq,
      attempts: row.attempts,
      attemptsBefore: row.attempts_before,
      edition: row.edition,
    },
  )
}
