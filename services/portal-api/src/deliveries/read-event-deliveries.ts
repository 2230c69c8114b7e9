/**
 * The attempts of an event in the order in which they were made, over all its deliveries, page by
 * page; `count` counts all of them. A page ends at its limit, or earlier when the stored requests
 * and answers become too large.
 */
import { decodeCursor, toPage } from '@posthorn/http/page'
import type { Handlers } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { notFound } from '../refusals.ts'
import { ATTEMPT_COLUMNS, type AttemptRow, toAttempt } from './attempt-record.ts'

/**
 * Enough for 200 attempts with all that is stored of an answer. The first attempt of a page is
 * shown whatever its size.
 */
const MAX_PAGE_BYTES = 4 * 1024 * 1024
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface ReadEventDeliveriesDeps {
  pool: Pool
}

export function createReadEventDeliveries({
  pool,
}: ReadEventDeliveriesDeps): Handlers<'portal-api'>['listEventDeliveries'] {
  return async ({ caller, params, query }) => {
    const { tenantId, projectId } = caller
    const eventId = params['eventId'] ?? ''
    const after = decodeCursor(query.cursor)
    const found = await pool.query({
      name: 'event-of-deliveries',
      text: `SELECT FROM events WHERE tenant_id = $1 AND id = $2
        AND ($3::uuid IS NULL OR project_id = $3)`,
      values: [tenantId, eventId, projectId],
    })
    if (found.rowCount === 0) throw notFound('event')

    const { rows } = await pool.query<AttemptRow & { fits: boolean }>({
      name: 'event-deliveries',
      text: PAGE,
      values: [tenantId, eventId, after ?? FIRST_ID, query.limit + 1],
    })
    const fitting = rows.findIndex(({ fits }) => !fits)
    const limit = fitting === -1 ? query.limit : Math.min(query.limit, fitting)
    const { data, pagination } = toPage(rows, limit, toAttempt)
    const isAll = after === null && !pagination.hasMore
    const count = isAll ? data.length : await countAll(tenantId, eventId)
    return { deliveries: data, count, pagination }
  }

  async function countAll(tenantId: string, eventId: string): Promise<number> {
    const { rows } = await pool.query<{ count: number }>({
      name: 'count-event-deliveries',
      text: 'SELECT count(*)::int AS count FROM attempts WHERE tenant_id = $1 AND event_id = $2',
      values: [tenantId, eventId],
    })
    return rows[0]?.count ?? 0
  }
}

// Materialized, because a planner without statistics that sees the order and the limit may walk the
// primary key. The first attempt that no longer fits is read to learn that there are more, and is
// not shown.
const PAGE = `WITH found AS MATERIALIZED (
  SELECT ${ATTEMPT_COLUMNS} FROM attempts a WHERE a.tenant_id = $1 AND a.event_id = $2 AND a.id > $3
), page AS (
  SELECT * FROM found ORDER BY id LIMIT $4
), sized AS (
  SELECT *, row_number() OVER (ORDER BY id) = 1 OR sum(octet_length(response_body)
    + coalesce(octet_length(request_body), 0)
    + coalesce(octet_length(response_headers), 0)) OVER (ORDER BY id)
    <= ${MAX_PAGE_BYTES} AS fits
  FROM page
), numbered AS (
  SELECT *, count(*) FILTER (WHERE NOT fits) OVER (ORDER BY id) AS beyond FROM sized
)
SELECT * FROM numbered WHERE beyond <= 1 ORDER BY id`
