/** Rows of a delivery and its event, read together, as the message that a dispatcher works from. */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { MAX_INLINE_PAYLOAD_BYTES } from '@posthorn/contracts/topics'
import { timeOfId } from '@posthorn/domain/ids'

export interface WorkRow {
  tenant_id: string
  project_id: string
  event_id: string
  delivery_id: string
  endpoint_id: string | null
  lane: string | null
  destination: string | null
  event_type: string | null
  /** null: too large to travel. */
  payload: string | null
  headers: string | null
  priority: number
  seq: number
  tries: number
  tries_before: number
  max_attempts: number | null
  trace_id: string
  token: number
}

/** Columns for a SELECT from deliveries `d` and events `e`; the caller adds `token`. */
export const WORK_COLUMNS = `d.tenant_id, e.project_id, d.event_id, d.id AS delivery_id, d.endpoint_id, d.lane,
  e.destination, e.event_type, CASE WHEN octet_length(e.payload) <= ${MAX_INLINE_PAYLOAD_BYTES} THEN e.payload END AS payload,
  e.headers, d.priority, d.seq::float8 AS seq, d.tries, d.tries_before, e.max_attempts, e.trace_id`

export function toDueDelivery(row: WorkRow): DueDelivery {
  return {
    v: 1,
    kind: 'delivery',
    token: row.token,
    tenantId: row.tenant_id,
    projectId: row.project_id,
    eventId: row.event_id,
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    lane: row.lane,
    destination: row.destination,
    eventType: row.event_type,
    payload: row.payload,
    headers: row.headers === null ? null : (JSON.parse(row.headers) as Record<string, string>),
    priority: row.priority,
    seq: row.seq,
    tries: row.tries,
    triesBefore: row.tries_before,
    maxAttempts: row.max_attempts,
    traceId: row.trace_id,
    createdAt: timeOfId(row.event_id),
  }
}
