/**
 * Rows of events as the API shows them, and an event's status as a condition in SQL, which follows
 * the same table as `eventStatus`.
 */
import { DEFAULT_ATTEMPTS, type EventSummary } from '@posthorn/contracts/events'
import { type EventStatus, eventStatus } from '@posthorn/domain/delivery-state'
import { timeOfId } from '@posthorn/domain/ids'
import type { Caller } from '@posthorn/http/handlers'

export interface ListedEventRow {
  id: string
  projectId: string
  idempotencyKey: string
  destination: string | null
  eventType: string | null
  maxAttempts: number | null
  priority: number
  traceId: string
  deliverAt: Date | null
  deliveredAt: Date | null
  fannedOut: boolean
  open: number
  delivering: number
  waiting: number
  dead: number
  attempts: number
  deadReason: string | null
}

export const EVENT_COLUMNS = `id, project_id AS "projectId", idempotency_key AS "idempotencyKey",
  destination, event_type AS "eventType", max_attempts AS "maxAttempts", priority,
  trace_id AS "traceId", deliver_at AS "deliverAt", delivered_at AS "deliveredAt",
  fanned_out_at IS NOT NULL AS "fannedOut", open_count AS open, delivering_count AS delivering,
  waiting_count AS waiting, dead_count AS dead, attempts, dead_reason AS "deadReason"`

const IDLE = 'delivering_count = 0 AND waiting_count = 0'
const ENDED = `${IDLE} AND open_count = 0 AND fanned_out_at IS NOT NULL`

export const HAS_STATUS: Record<EventStatus, string> = {
  delivering: 'delivering_count > 0',
  failed: 'delivering_count = 0 AND waiting_count > 0',
  queued: `${IDLE} AND (open_count > 0 OR fanned_out_at IS NULL)`,
  dead: `${ENDED} AND dead_count > 0`,
  delivered: `${ENDED} AND dead_count = 0`,
}

export function toSummary(row: ListedEventRow): EventSummary {
  return {
    id: row.id,
    idempotencyKey: row.idempotencyKey,
    destination: row.destination,
    eventType: row.eventType,
    status: eventStatus(row, row.fannedOut),
    attempts: row.attempts,
    maxAttempts: row.maxAttempts ?? DEFAULT_ATTEMPTS,
    priority: row.priority,
    createdAt: timestampOf(row.id),
    projectId: row.projectId,
    deliverAt: row.deliverAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    deadReason: row.deadReason,
    traceId: row.traceId,
  }
}

/** Projects are the operator's: a sub-account does not see them in the portal. */
export function summaryFor(
  { subAccountSession }: Pick<Caller, 'subAccountSession'>,
  row: ListedEventRow,
): Omit<EventSummary, 'projectId'> {
  const summary = toSummary(row)
  if (subAccountSession === undefined) return summary
  const { projectId: _, ...shown } = summary
  return shown
}

/** The time at which something with this id was made, on Postgres's clock. */
export function timestampOf(id: string): string {
  return new Date(timeOfId(id)).toISOString()
}
