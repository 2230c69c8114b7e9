/** Reads the facts for an explanation, in four bounded queries by key. */
import { timeOfId } from '@posthorn/domain/ids'
import type { Condition } from '@posthorn/domain/filter'
import type { Caller } from '@posthorn/http/handlers'
import { byKey } from '@posthorn/store/pipeline/sql/by-key'
import type { Pool } from '@posthorn/store/pool'

export interface EventFacts {
  id: string
  projectId: string
  idempotencyKey: string
  eventType: string | null
  endpointIds: string[] | null
  destination: string | null
  payload: string
  maxAttempts: number | null
  deliverAt: Date | null
  fannedOutAt: Date | null
  deadReason: string | null
  open: number
  delivering: number
  waiting: number
  dead: number
  /** Postgres's time. */
  now: Date
}

export interface ExplainedDeliveryRow {
  id: string
  endpointId: string | null
  state: number
  attempts: number
  deadReason: string | null
  /** Why the last poll that fetched it did not get it. */
  fetchError: string | null
  dueAt: Date | null
  leased: boolean | null
  parked: boolean
  backlogDueAt: Date | null
}

export interface ExplainedEndpointRow {
  id: string
  projectId: string
  description: string | null
  url: string
  status: 'active' | 'paused' | 'disabled' | 'deleted'
  maxRetries: number | null
  deliveryMode: string | null
  fifo: boolean | null
  rateLimitPerSec: number | null
  /** Event types and filter as they were at the fan-out. */
  eventTypes: string[]
  filter: Condition[] | null
  createdAt: Date
  deletedAt: Date | null
}

/** More endpoints than all but the largest plan allow. Those with a delivery come first. */
const MAX_ENDPOINTS = 1_000
const MAX_DELIVERIES = 1_000
/**
 * The size of filters and event types as text: a common endpoint has 300 characters. The first
 * endpoint is read whatever its size.
 */
const MAX_CONFIG_BYTES = 2 * 1024 * 1024

export interface Rows<Row> {
  rows: Row[]
  /** Whether there were more, which are left out. */
  hasMore: boolean
}

export async function readEventFacts(
  pool: Pool,
  caller: Caller,
  eventId: string,
): Promise<EventFacts | null> {
  const { rows } = await pool.query<EventFacts>({
    name: 'explain-event',
    text: `SELECT id, project_id AS "projectId", idempotency_key AS "idempotencyKey",
        event_type AS "eventType", endpoint_ids AS "endpointIds", destination, payload,
        max_attempts AS "maxAttempts", deliver_at AS "deliverAt", fanned_out_at AS "fannedOutAt",
        dead_reason AS "deadReason", open_count AS open, delivering_count AS delivering,
        waiting_count AS waiting, dead_count AS dead, now() AS now
      FROM events WHERE tenant_id = $1 AND id = $2 AND ($3::uuid IS NULL OR project_id = $3)`,
    values: [caller.tenantId, eventId, caller.projectId],
  })
  return rows[0] ?? null
}

// A delivery that is parked for polls has priority 0. A direct event's delivery has the event's own
// id.
const DELIVERIES = `SELECT d.id, d.endpoint_id AS "endpointId", d.state,
    d.tries - d.tries_before AS attempts, d.dead_reason AS "deadReason",
    d.fetch_error AS "fetchError", w.due_at AS "dueAt", w.leased, b.due_at AS "backlogDueAt",
    EXISTS (SELECT FROM parked p WHERE p.tenant_id = $1 AND p.target_id = d.target_id
      AND p.priority IN (d.priority, 0) AND p.seq = d.seq AND p.delivery_id = d.id) AS parked
  FROM (
    SELECT * FROM deliveries WHERE tenant_id = $1 AND id = $2 AND endpoint_id IS NULL
    UNION ALL
    (SELECT * FROM deliveries WHERE tenant_id = $1 AND event_id = $2 AND endpoint_id IS NOT NULL
      LIMIT ${MAX_DELIVERIES + 1})
  ) d
  LEFT JOIN due w ON ${byKey('w', { tenant_id: 'd.tenant_id', id: 'd.id' })}
  LEFT JOIN due b ON ${byKey('b', { tenant_id: 'd.tenant_id', id: 'd.target_id' })}
  ORDER BY d.id`

export async function readDeliveryRows(
  pool: Pool,
  tenantId: string,
  eventId: string,
): Promise<Rows<ExplainedDeliveryRow>> {
  const { rows } = await pool.query<ExplainedDeliveryRow>({
    name: 'explain-deliveries',
    text: DELIVERIES,
    values: [tenantId, eventId],
  })
  return { rows: rows.slice(0, MAX_DELIVERIES), hasMore: rows.length > MAX_DELIVERIES }
}

/** Attempts of one event that are read, the newest first. One delivery alone may have 30,000. */
export const MAX_ATTEMPTS_READ = 10_000

// Written as a range the event is no constant to the planner: then only `attempts_of_event` gives
// this order, and no plan walks the primary key, which holds all of the tenant's attempts.
const LAST_ERRORS = `WITH newest AS MATERIALIZED (
  SELECT id, delivery_id, error FROM attempts
  WHERE tenant_id = $1 AND event_id >= $2 AND event_id <= $2
  ORDER BY event_id DESC, id DESC LIMIT ${MAX_ATTEMPTS_READ}
)
SELECT DISTINCT ON (delivery_id) delivery_id AS id, error FROM newest
WHERE delivery_id = ANY ($3::uuid[]) ORDER BY delivery_id, newest.id DESC`

/**
 * What went wrong with the last attempt of each of these deliveries, by its id; '' when it
 * succeeded. A delivery whose last attempt is not among the event's newest is left out.
 */
export async function readLastErrors(
  pool: Pool,
  tenantId: string,
  eventId: string,
  deliveries: readonly Pick<ExplainedDeliveryRow, 'id'>[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; error: string }>({
    name: 'explain-errors',
    text: LAST_ERRORS,
    values: [tenantId, eventId, deliveries.map(({ id }) => id)],
  })
  return new Map(rows.map(({ id, error }) => [id, error]))
}

// Event types and filter are those of the version at the fan-out, the rest is current. Two large
// things are not read: transformations, and the filters of endpoints with a delivery, which need no
// reason. An endpoint that was deleted before the event came is left out.
const ENDPOINTS = `WITH found AS MATERIALIZED (
  SELECT n.id, n.id = ANY ($2::uuid[]) AS delivered, n.project_id AS "projectId",
    n.config ->> 'description' AS description, n.config ->> 'url' AS url,
    CASE WHEN n.deleted_at IS NULL THEN n.status ELSE 'deleted' END AS status,
    (n.config ->> 'maxRetries')::int AS "maxRetries", n.config ->> 'deliveryMode' AS "deliveryMode",
    (n.config ->> 'fifo')::boolean AS fifo,
    (n.config ->> 'rateLimitPerSec')::int AS "rateLimitPerSec",
    CASE WHEN n.id = ANY ($2::uuid[]) THEN '[]' ELSE c.config -> 'eventTypes' END AS "eventTypes",
    CASE WHEN n.id = ANY ($2::uuid[]) THEN NULL
      ELSE nullif(c.config -> 'filter', 'null') END AS filter,
    n.created_at AS "createdAt", n.deleted_at AS "deletedAt"
  FROM endpoints n
  CROSS JOIN LATERAL (SELECT coalesce((
    SELECT v.config FROM endpoint_versions v
    WHERE v.tenant_id = n.tenant_id AND v.endpoint_id = n.id AND v.changed_at <= $4
      ORDER BY v.version DESC LIMIT 1
  ), n.config) AS config) c
  WHERE n.tenant_id = $1 AND (n.id = ANY ($2::uuid[])
    OR ($3::uuid IS NULL OR n.project_id = $3) AND (n.deleted_at IS NULL OR n.deleted_at >= $5))
  ORDER BY delivered DESC, n.id LIMIT ${MAX_ENDPOINTS + 1}
), sized AS (
  SELECT *, row_number() OVER w AS number,
    sum(octet_length("eventTypes"::text) + coalesce(octet_length(filter::text), 0)) OVER w AS bytes
  FROM found WINDOW w AS (ORDER BY delivered DESC, id)
)
SELECT *, (SELECT count(*)::int FROM found) AS total FROM sized
WHERE number = 1 OR number <= ${MAX_ENDPOINTS} AND bytes <= ${MAX_CONFIG_BYTES} ORDER BY number`

/** The endpoints that the caller can see, and those that got a delivery. */
export async function readEndpointRows(
  pool: Pool,
  caller: Caller,
  event: EventFacts,
  deliveredTo: readonly string[],
): Promise<Rows<ExplainedEndpointRow>> {
  const { rows } = await pool.query<ExplainedEndpointRow & { total: number }>({
    name: 'explain-endpoints',
    text: ENDPOINTS,
    values: [
      caller.tenantId,
      deliveredTo,
      caller.projectId,
      event.fannedOutAt ?? event.now,
      new Date(timeOfId(event.id)),
    ],
  })
  return { rows, hasMore: (rows[0]?.total ?? 0) > rows.length }
}
