/** Where references to a person are looked for, and what of a row an export shows. */
import { timeOfId } from '@posthorn/domain/ids'
import type { FoundRow, SearchedTable } from './find-references.ts'

export interface EventReference extends FoundRow {
  project_id: string
  event_type: string | null
  attempts: number
  delivered_at: Date | null
  ended_at: Date | null
}

/** Places in `texts`. */
export const EVENT_TEXT = {
  payload: 0,
  headers: 1,
  key: 2,
  destination: 3,
  trace: 4,
  reason: 5,
} as const

export const EVENTS: SearchedTable = {
  name: 'events',
  columns: 'r.project_id, r.event_type, r.attempts, r.delivered_at, r.ended_at',
  texts: [
    'r.payload',
    'r.headers',
    'r.idempotency_key',
    'r.destination',
    'r.trace_id',
    'r.dead_reason',
  ],
}

export interface AttemptReference extends FoundRow {
  event_id: string
  delivery_id: string
  endpoint_id: string | null
  event_type: string | null
  attempt_number: number
  status_code: number
  duration_ms: number
}

export const ATTEMPT_TEXT = {
  responseBody: 0,
  responseHeaders: 1,
  requestBody: 2,
  url: 3,
  error: 4,
} as const

export const ATTEMPTS: SearchedTable = {
  name: 'attempts',
  columns: `r.event_id, r.delivery_id, r.endpoint_id, r.event_type, r.attempt_number,
    r.status_code, r.duration_ms`,
  texts: ['r.response_body', 'r.response_headers', 'r.request_body', 'r.url', 'r.error'],
}

export interface AuditReference extends FoundRow {
  action: string
  resource: string
  actor_type: string
  actor_id: string | null
  ip: string | null
}

export const AUDIT_LOGS: SearchedTable = {
  name: 'audit_logs',
  columns: 'r.action, r.resource, r.actor_type, r.actor_id, r.ip',
  texts: ['r.metadata::text', 'r.actor_name', 'r.resource_id', 'r.user_agent', 'r.request_id'],
}

export const TABLES = [EVENTS, ATTEMPTS, AUDIT_LOGS] as const

/** An event's row of an export, as JSON. Payload and headers are the JSON that was sent. */
export function eventJson(tenantId: string, row: EventReference): string {
  const [payload, headers, key, destination, traceId, reason] = row.texts
  const rest = {
    id: row.id,
    client_id: tenantId,
    project_id: row.project_id,
    event_type: row.event_type,
    destination,
    idempotency_key: key,
    trace_id: traceId,
    attempts: row.attempts,
    created_at: timeTextOf(row.id),
    delivered_at: row.delivered_at,
    ended_at: row.ended_at,
    dead_reason: reason,
  }
  return `${JSON.stringify(rest).slice(0, -1)},"headers":${headers ?? null},"payload":${payload}}`
}

export function attemptJson(tenantId: string, row: AttemptReference): string {
  const [responseBody, responseHeaders, requestBody, url, error] = row.texts
  const rest = {
    id: row.id,
    client_id: tenantId,
    event_id: row.event_id,
    delivery_id: row.delivery_id,
    endpoint_id: row.endpoint_id,
    event_type: row.event_type,
    url,
    attempt_number: row.attempt_number,
    status_code: row.status_code,
    error,
    duration_ms: row.duration_ms,
    attempted_at: timeTextOf(row.id),
    request_body: requestBody,
    response_body: responseBody,
  }
  return `${JSON.stringify(rest).slice(0, -1)},"response_headers":${responseHeaders ?? null}}`
}

export function auditJson(tenantId: string, row: AuditReference): string {
  const [metadata, actorName, resourceId, userAgent, requestId] = row.texts
  const rest = {
    id: row.id,
    client_id: tenantId,
    action: row.action,
    resource: row.resource,
    resource_id: resourceId,
    actor: { type: row.actor_type, id: row.actor_id, name: actorName },
    ip: row.ip,
    user_agent: userAgent,
    request_id: requestId,
    created_at: timeTextOf(row.id),
  }
  return `${JSON.stringify(rest).slice(0, -1)},"metadata":${metadata ?? '{}'}}`
}

function timeTextOf(id: string): string {
  return new Date(timeOfId(id)).toISOString()
}
