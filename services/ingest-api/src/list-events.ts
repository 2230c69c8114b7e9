/**
 * GET /events: newest first, by key. Whatever the filter, a page looks at 4,000 events at most: where these hold fewer than
 * the page could show, it is short, possibly empty, and its cursor goes on behind them. Events that are dead or failed have an
 * index; what still waits is found where it waits, as long as a tenant has little of it.
 */
import type { EventStatus } from '@posthorn/domain/delivery-state'
import type { EventSummary } from '@posthorn/contracts/events'
import type { ApiRequest } from '@posthorn/http/handlers'
import { decodeCursor, encodeCursor, type Page, toPage } from '@posthorn/http/page'
import type { Pool } from '@posthorn/store/pool'
import { findWaitingEvents } from '@posthorn/store/find-waiting-events'
import { EVENT_COLUMNS, type EventRow, HAS_STATUS, toSummary } from './event-wire.ts'

interface Query {
  limit: number
  cursor?: string | undefined
  status?: EventStatus | undefined
}

/** At 2 us an event, and again as much to find where the next page begins. */
const MAX_LOOKED_AT = 4_000
/** At 10 us each, which is two look-ups by key. */
const MAX_WAITING = 1_000

/** What the partial indexes of `events` hold: beside the condition of the status, so that they are used for it. */
const INDEXED: Partial<Record<EventStatus, string>> = {
  dead: 'dead_count > 0',
  failed: 'waiting_count > 0',
}

export function createListEvents({ pool }: { pool: Pool }) {
  return async ({ caller, query }: ApiRequest<undefined, Query>): Promise<Page<EventSummary>> => {
    const after = decodeCursor(query.cursor)
    const values: unknown[] = [caller.tenantId]
    const where = ['tenant_id = $1']
    // Only the conditions that hold: an `OR $n IS NULL` would keep Postgres from the index's range.
    if (after !== null) where.push(`id < $${values.push(after)}`)
    const waiting = await findAllWaiting(pool, caller.tenantId, query.status)
    if (waiting !== null) where.push(`id = ANY ($${values.push(waiting)}::uuid[])`)
    else if (query.status !== undefined) where.push(INDEXED[query.status] ?? 'true')
    const lookedFor = [...values]
    const conditions: string[] = []
    if (caller.projectId !== null) conditions.push(`project_id = $${values.push(caller.projectId)}`)
    if (query.status !== undefined) conditions.push(HAS_STATUS[query.status])

    const { rows } = await pool.query<EventRow>(
      `SELECT ${EVENT_COLUMNS}
       FROM (SELECT * FROM events WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT ${MAX_LOOKED_AT}) looked_at
       WHERE ${conditions.join(' AND ') || 'true'} ORDER BY id DESC LIMIT ${query.limit + 1}`,
      values,
    )
    const page = toPage(rows, query.limit, toSummary)
    if (page.pagination.hasMore || waiting !== null || conditions.length === 0) return page
    const last = await lastLookedAt(pool, where, lookedFor)
    return last === null
      ? page
      : { ...page, pagination: { hasMore: true, cursor: encodeCursor(last) } }
  }
}

/** null: by status they are found in another way. */
async function findAllWaiting(
  pool: Pool,
  tenantId: string,
  status: EventStatus | undefined,
): Promise<string[] | null> {
  if (status !== 'queued' && status !== 'delivering') return null
  return await findWaitingEvents(pool, tenantId, MAX_WAITING)
}

/** null: the page has seen all that there are. */
async function lastLookedAt(
  pool: Pool,
  where: readonly string[],
  values: unknown[],
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM events WHERE ${where.join(' AND ')} ORDER BY id DESC OFFSET ${MAX_LOOKED_AT - 1} LIMIT 1`,
    values,
  )
  return rows[0]?.id ?? null
}
