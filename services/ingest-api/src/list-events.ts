/** GET /events: newest first, by key. */
import type { EventStatus } from '@posthorn/domain/delivery-state'
import type { EventSummary } from '@posthorn/contracts/events'
import type { ApiRequest } from '@posthorn/http/handlers'
import { decodeCursor, type Page, toPage } from '@posthorn/http/page'
import type { Pool } from '@posthorn/store/pool'
import { EVENT_COLUMNS, type EventRow, HAS_STATUS, toSummary } from './event-wire.ts'

interface Query {
  limit: number
  cursor?: string | undefined
  status?: EventStatus | undefined
}

export function createListEvents(deps: { pool: Pool }) {
  return async ({ caller, query }: ApiRequest<undefined, Query>): Promise<Page<EventSummary>> => {
    const after = decodeCursor(query.cursor)
    const values: unknown[] = [caller.tenantId, query.limit + 1]
    const conditions = ['tenant_id = $1']
    // Only the conditions that hold: an `OR $n IS NULL` would keep Postgres from the index's range.
    if (after !== null) conditions.push(`id < $${values.push(after)}`)
    if (caller.projectId !== null) conditions.push(`project_id = $${values.push(caller.projectId)}`)
    if (query.status !== undefined) conditions.push(HAS_STATUS[query.status])
    const { rows } = await deps.pool.query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $2`,
      values,
    )
    return toPage(rows, query.limit, toSummary)
  }
}
