/**
 * GET /events: newest first, paged by key. A page is full, or the last one, or what was found
 * within two seconds; its cursor then goes on where the search stopped.
 */
import type { EventListItem, EventListQuery } from '@posthorn/contracts/events'
import { idAt, isUuid } from '@posthorn/domain/ids'
import { badField } from '@posthorn/http/errors'
import type { ApiRequest } from '@posthorn/http/handlers'
import { decodeCursor, encodeCursor, type Page, toPage } from '@posthorn/http/page'
import type { Pool } from '@posthorn/store/pool'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { EVENT_COLUMNS, type ListedEventRow, toSummary } from './event-record.ts'
import { createFindEvents, type EventFilter } from './find-events.ts'
import { withMaxAttempts } from './read-max-attempts.ts'

interface ListedRow extends ListedEventRow {
  lastStatusCode: number | null
  lastError: string | null
  nextAttemptAt: Date | null
}

/**
 * An event that waits for its next attempt shows the earliest time among its first 1,000
 * deliveries.
 */
const MAX_DELIVERIES_LOOKED_AT = 1_000

export function createListEvents({ pool }: { pool: Pool }) {
  const findEvents = createFindEvents({ pool, now: () => performance.now() })
  return async ({
    caller,
    query,
  }: ApiRequest<undefined, EventListQuery>): Promise<Page<EventListItem>> => {
    const found = await findEvents(toFilter(caller, query), query.limit + 1)
    const read = await readRows(pool, caller.tenantId, found.ids)
    const rows = await withMaxAttempts(pool, caller.tenantId, read)
    const page = toPage(rows, query.limit, toItem)
    if (page.pagination.hasMore || found.stoppedAt === null) return page
    return { ...page, pagination: { hasMore: true, cursor: encodeCursor(found.stoppedAt) } }
  }
}

type ListEvents = ReturnType<typeof createListEvents>

/** Projects are the operator's: a sub-account does not see them in the portal. */
export function listForPortal(list: ListEvents) {
  return async (
    request: Parameters<ListEvents>[0],
  ): Promise<Page<Omit<EventListItem, 'projectId'>>> => {
    const { data, pagination } = await list(request)
    return { data: data.map(({ projectId: _, ...shown }) => shown), pagination }
  }
}

function toFilter(
  { tenantId, projectId }: ApiRequest<undefined, EventListQuery>['caller'],
  query: EventListQuery,
): EventFilter {
  const { status, eventType, endpointId, destination, from, to } = query
  if (endpointId !== undefined && !isUuid(endpointId))
    throw badField('endpointId', 'must be a UUID')
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw badField('from', 'must not be after to')
  const after = decodeCursor(query.cursor)
  const end = to === undefined ? undefined : idAt(Date.parse(to))
  return {
    tenantId,
    projectId,
    status,
    eventType,
    endpointId,
    destination,
    fromId: from === undefined ? undefined : idAt(Date.parse(from)),
    beforeId: after === null || (end !== undefined && end < after) ? end : after,
  }
}

async function readRows(
  pool: Pool,
  tenantId: string,
  ids: readonly string[],
): Promise<ListedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<ListedRow>(
    `SELECT ${EVENT_COLUMNS}, last."lastStatusCode", last."lastError",
       CASE WHEN waiting_count > 0 THEN (${NEXT_ATTEMPT_AT}) END AS "nextAttemptAt"
     FROM (SELECT * FROM events WHERE tenant_id = $1 AND id = ANY ($2::uuid[])) e
     LEFT JOIN LATERAL (${LAST_ATTEMPT}) last ON true
     ORDER BY e.id DESC`,
    [tenantId, ids],
  )
  return rows
}

/** Ordered by both columns of its index, so that no planner walks the primary key for it. */
const LAST_ATTEMPT = `SELECT a.status_code AS "lastStatusCode", a.error AS "lastError"
  FROM attempts a
  WHERE a.tenant_id = $1 AND a.event_id = e.id
  ORDER BY a.event_id DESC, a.id DESC LIMIT 1`

const NEXT_ATTEMPT_AT = `SELECT min(due.due_at) FROM (
    SELECT d.id FROM deliveries d WHERE d.tenant_id = $1 AND d.id = e.id
      AND d.state = ${STATE_CODE.waiting}
    UNION ALL (
      SELECT d.id FROM deliveries d WHERE d.tenant_id = $1 AND d.event_id = e.id
        AND d.endpoint_id IS NOT NULL
        AND d.state = ${STATE_CODE.waiting} LIMIT ${MAX_DELIVERIES_LOOKED_AT})
  ) waits JOIN due ON due.tenant_id = $1 AND due.id = waits.id AND NOT due.leased`

function toItem(row: ListedRow): EventListItem {
  return {
    ...toSummary(row),
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  }
}
