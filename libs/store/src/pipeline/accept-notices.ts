/**
 * Notices on their way into the pipeline: accepted like any event by type, and only where an endpoint of the project
 * subscribes to them. A repeated one is a duplicate and comes to nothing.
 */
import type { EventAccepted } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { SERVICE_PREFIX } from '@posthorn/domain/match-type'
import { type DeadEvent, type Notice, noticeKey, wantsNotice } from '@posthorn/domain/notices'
import type { Pool } from '../pool.ts'
import { acceptEvents, type NewEvent } from './accept-events.ts'
import { daysOf } from './days.ts'
import { few } from './few.ts'

/** @returns what is to be announced */
export async function acceptNotices(
  pool: Pool,
  notices: readonly Notice[],
): Promise<EventAccepted[]> {
  const wanted = await withSubscriber(pool, notices)
  if (wanted.length === 0) return []
  const events = wanted.map(toEvent)
  const accepted = await acceptEvents(pool, events)
  return events
    .filter((_, index) => accepted[index]?.outcome === 'accepted')
    .map(({ tenantId, id }) => ({ v: 1, tenantId, eventId: id }))
}

async function withSubscriber(pool: Pool, notices: readonly Notice[]): Promise<Notice[]> {
  if (notices.length === 0) return []
  const { rows } = await pool.query<{ project: string; pattern: string }>({
    name: 'notice-patterns',
    text: `SELECT DISTINCT e.tenant_id || ' ' || e.project_id AS project, p AS pattern
      FROM endpoints e, jsonb_array_elements_text(e.config -> 'eventTypes') p
      WHERE e.tenant_id = ANY ($1::uuid[]) AND e.deleted_at IS NULL AND starts_with(p, '${SERVICE_PREFIX}')`,
    values: [[...new Set(notices.map(({ tenantId }) => tenantId))]],
  })
  const patterns = Map.groupBy(rows, ({ project }) => project)
  return notices.filter(({ tenantId, projectId, type }) => {
    const ofProject = patterns.get(`${tenantId} ${projectId}`) ?? []
    return wantsNotice(
      ofProject.map(({ pattern }) => pattern),
      type,
    )
  })
}

function toEvent(notice: Notice): NewEvent {
  return {
    tenantId: notice.tenantId,
    id: newId(),
    projectId: notice.projectId,
    idempotencyKey: noticeKey(notice),
    destination: null,
    targetId: null,
    eventType: notice.type,
    payload: JSON.stringify(notice.data),
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: newId(),
    delaySeconds: 0,
  }
}

/** Those of some events that are dead, themselves no notices: all their deliveries have ended, one of them dead. */
export async function readDeadEvents(
  pool: Pool,
  events: readonly { tenantId: string; eventId: string }[],
): Promise<DeadEvent[]> {
  if (events.length === 0) return []
  const days = daysOf(events.map((event) => event.eventId))
  const { rows } = await pool.query<DeadEvent>({
    name: `read-dead-events ${days.name}`,
    text: `SELECT e.tenant_id AS "tenantId", e.project_id AS "projectId", e.id AS "eventId",
        e.event_type AS "eventType", e.destination, e.attempts, e.dead_reason AS reason,
        micros(e.ended_at) / 1000 AS "endedAtMs"
      FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      JOIN events e ON e.tenant_id = i.tenant_id AND e.id = i.id AND ${few('i.id')} AND ${days.within('e.id')}
      WHERE e.open_count = 0 AND e.dead_count > 0 AND e.ended_at IS NOT NULL
        AND (e.event_type IS NULL OR NOT starts_with(e.event_type, '${SERVICE_PREFIX}'))`,
    values: [events.map((event) => event.tenantId), events.map((event) => event.eventId)],
  })
  return rows
}
