/** An attempt as the API shows it, where it is called a delivery. */
import type { Attempt } from '@posthorn/contracts/deliveries'
import { timeOfId } from '@posthorn/domain/ids'

export interface AttemptRow {
  id: string
  event_id: string
  delivery_id: string
  endpoint_id: string | null
  endpoint_version: number | null
  event_type: string | null
  url: string
  attempt_number: number
  status_code: number
  error: string
  duration_ms: number
  overhead_us: number
  next_attempt_at: Date | null
  response_body: string
  /** JSON text. */
  response_headers: string | null
  request_body: string | null
}

/** Columns of `attempts a`. */
export const ATTEMPT_COLUMNS = `a.id, a.event_id, a.delivery_id, a.endpoint_id, a.endpoint_version,
  a.event_type, a.url, a.attempt_number, a.status_code, a.error, a.duration_ms, a.overhead_us,
  a.next_attempt_at, a.response_body, a.response_headers, a.request_body`

export function toAttempt(row: AttemptRow): Attempt {
  return {
    id: row.id,
    eventId: row.event_id,
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    endpointVersion: row.endpoint_version,
    eventType: row.event_type,
    url: row.url,
    attemptNumber: row.attempt_number,
    statusCode: row.status_code,
    responseBody: row.response_body,
    responseHeaders: row.response_headers === null ? null : JSON.parse(row.response_headers),
    requestBody: row.request_body,
    error: row.error,
    durationMs: row.duration_ms,
    processingOverheadUs: row.overhead_us,
    attemptedAt: new Date(timeOfId(row.id)).toISOString(),
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  }
}
