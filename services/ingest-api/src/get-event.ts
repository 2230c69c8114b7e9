/**
 * GET /events/:eventId: an event with its newest attempts, and its payload as the bytes that were
 * sent.
 */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import { ApiError } from '@posthorn/contracts/errors'
import { type EventDetail, MAX_ATTEMPTS_IN_DETAIL } from '@posthorn/contracts/events'
import { type ApiRequest, type Caller, type RawJson, rawJson } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { EVENT_COLUMNS, type ListedEventRow, summaryFor, timestampOf } from './event-record.ts'
import { withMaxAttempts } from './read-max-attempts.ts'

export interface DetailRow extends ListedEventRow {
  payload: string
  headers: string | null
}

export function createGetEvent(deps: { pool: Pool }) {
  return async ({ caller, params }: ApiRequest<undefined, undefined>): Promise<RawJson> => {
    const row = await readEvent(deps.pool, caller, params.eventId as string)
    return await toDetail(deps.pool, caller, row)
  }
}

/** An event of another tenant or another project counts as not found. */
export async function readEvent(pool: Pool, caller: Caller, eventId: string): Promise<DetailRow> {
  const { rows } = await pool.query<DetailRow>({
    name: 'read-event',
    text: `SELECT ${EVENT_COLUMNS}, payload, headers FROM events WHERE tenant_id = $1 AND id = $2`,
    values: [caller.tenantId, eventId],
  })
  const [row] = rows
  if (row === undefined || (caller.projectId !== null && row.projectId !== caller.projectId)) {
    throw new ApiError('NOT_FOUND', `no event ${eventId}`)
  }
  return row
}

export async function toDetail(pool: Pool, caller: Caller, read: DetailRow): Promise<RawJson> {
  const [row = read] = await withMaxAttempts(pool, caller.tenantId, [read])
  const rest: Omit<EventDetail, 'payload' | 'projectId'> = {
    ...summaryFor(caller, row),
    headers: parseHeaders(row.headers),
    ...(await readAttempts(pool, caller.tenantId, row.id)),
  }
  return rawJson(`${JSON.stringify(rest).slice(0, -1)},"payload":${row.payload}}`)
}

async function readAttempts(
  pool: Pool,
  tenantId: string,
  eventId: string,
): Promise<Pick<EventDetail, 'deliveryAttempts' | 'hasMoreAttempts'>> {
  const { rows } = await pool.query<{ id: string; n: number; status: number; ms: number }>({
    name: 'read-event-attempts',
    // Materialized, because a planner without statistics that sees the order and the limit may walk
    // the primary key.
    text: `WITH found AS MATERIALIZED (
        SELECT id, attempt_number AS n, status_code AS status, duration_ms AS ms FROM attempts
        WHERE tenant_id = $1 AND event_id = $2
      ) SELECT * FROM found ORDER BY id DESC LIMIT ${MAX_ATTEMPTS_IN_DETAIL + 1}`,
    values: [tenantId, eventId],
  })
  const newest = rows.slice(0, MAX_ATTEMPTS_IN_DETAIL).reverse()
  return {
    deliveryAttempts: newest.map(({ id, n, status, ms }) => ({
      id,
      attemptNumber: n,
      statusCode: status,
      durationMs: ms,
      attemptedAt: timestampOf(id),
    })),
    hasMoreAttempts: rows.length > newest.length,
  }
}
