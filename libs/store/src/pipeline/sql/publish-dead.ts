/**
 * The operational event that tells of an event which ended dead, as a part of the statement that
 * ended it.
 */
import { SERVICE_PREFIX } from '@posthorn/domain/match-type'
import type { OperationalEventType } from '@posthorn/domain/operational-events'

/** Whether an endpoint of the alias `n` subscribes to any operational event. */
export const SUBSCRIBES = `jsonb_path_exists(
    n.config, '$.eventTypes[*] ? (@ starts with "${SERVICE_PREFIX}")')`

/** Whether a connector under the alias `c` subscribes to any operational event. */
const CONNECTOR_SUBSCRIBES = `EXISTS (
    SELECT FROM unnest(c.event_types) p WHERE starts_with(p, '${SERVICE_PREFIX}'))`

/**
 * Whether an endpoint of the row's project subscribes to any operational event, as the index
 * `endpoints_operational` knows, or else a connector of the project or the workspace. These are
 * scalar subqueries, so that they are asked row by row, by the index, and only for rows that pass
 * the other conditions.
 */
export function hasSubscriber(row: string): string {
  return `coalesce((SELECT true FROM endpoints n
    WHERE n.tenant_id = ${row}.tenant_id AND n.project_id = ${row}.project_id
      AND n.deleted_at IS NULL AND ${SUBSCRIBES} LIMIT 1),
    (SELECT true FROM connectors c
    WHERE c.tenant_id = ${row}.tenant_id AND coalesce(c.project_id = ${row}.project_id, true)
      AND ${CONNECTOR_SUBSCRIBES} LIMIT 1), false)`
}

export const DEAD: OperationalEventType = 'service.event.dead'

/**
 * A CTE that writes the operational events of events which have just ended dead. Every statement
 * that can end an event uses it, most of them through `countMoved`.
 *
 * @param ended names the CTE of the UPDATE that ended them; it returns `is_dead` and `DEAD_COLUMNS`
 */
export function publishDead(ended: string): string {
  return `published AS (
  INSERT INTO operational_events (tenant_id, project_id, event_type, fact, payload)
  SELECT x.tenant_id, x.project_id, '${DEAD}', x.id, (SELECT row_to_json(f)::text FROM (
    SELECT x.id AS "eventId", x.project_id AS "projectId", x.event_type AS "eventType",
      x.destination, x.attempts, x.dead_reason AS reason,
      to_char(x.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at) f)
  FROM ${ended} x
  WHERE x.is_dead AND ${hasSubscriber('x')}
    AND (x.event_type IS NULL OR NOT starts_with(x.event_type, '${SERVICE_PREFIX}'))
)`
}

/** For the RETURNING of an UPDATE of `events e`. */
export const DEAD_COLUMNS = `e.tenant_id, e.project_id, e.id, e.event_type, e.destination,
    e.attempts, e.dead_reason, e.ended_at`
