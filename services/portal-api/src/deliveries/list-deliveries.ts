/**
 * Lists attempts, newest first. Both queries read backwards along an index within the range of ids:
 * the page as far as it reaches, the count to 10,000. Endpoints, event types and failures have
 * indexes of their own; with two filters, the rows that pass the rarer one are read.
 */
import { type DeliveryListQuery, MAX_TOTAL } from '@posthorn/contracts/deliveries'
import { isUuid } from '@posthorn/domain/ids'
import { badField } from '@posthorn/http/errors'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { ATTEMPT_COLUMNS, type AttemptRow, toAttempt } from './attempt-record.ts'
import { toTimeRange } from './time-range.ts'

export interface ListDeliveriesDeps {
  pool: Pool
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

// Failures have an index. Postgres can't tell by itself that a timeout is a failure, so the
// condition says so.
const OUTCOME_CONDITIONS = {
  success: `a.error = ''`,
  timeout: `a.error <> '' AND starts_with(a.error, 'timeout:')`,
  failure: `a.error <> '' AND NOT starts_with(a.error, 'timeout:')`,
}

export function createListDeliveries(
  deps: ListDeliveriesDeps,
): Handlers<'portal-api'>['listDeliveries'] {
  return async ({ caller, query }) => {
    const { limit, offset } = query
    const { conditions, values } = toConditions(caller, query, deps.now())
    const { rows } = await deps.pool.query<AttemptRow>(
      `SELECT ${ATTEMPT_COLUMNS} FROM attempts a WHERE ${conditions} ORDER BY a.id DESC
       LIMIT ${limit + 1} OFFSET ${offset}`,
      values,
    )
    const hasMore = rows.length > limit
    const end = offset + rows.length
    // The total of the last page is known without counting.
    const isLast = !hasMore && (rows.length > 0 || offset === 0)
    const total = isLast ? Math.min(end, MAX_TOTAL) : await count(conditions, values)
    return {
      data: rows.slice(0, limit).map(toAttempt),
      pagination: { limit, offset, total, hasMore },
    }
  }

  async function count(conditions: string, values: unknown[]): Promise<number> {
    const { rows } = await deps.pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM
         (SELECT FROM attempts a WHERE ${conditions}
          ORDER BY a.id DESC LIMIT ${MAX_TOTAL}) counted`,
      values,
    )
    return rows[0]?.total ?? 0
  }
}

function toConditions(
  caller: Caller,
  query: DeliveryListQuery,
  now: number,
): { conditions: string; values: unknown[] } {
  const range = toTimeRange(query, now)
  if (range.outcome === 'invalid') throw badField(range.path, range.message)
  const endpointId = query.endpoint_id
  if (endpointId !== undefined && !isUuid(endpointId))
    throw badField('endpoint_id', 'must be a UUID')

  const values: unknown[] = [caller.tenantId, range.fromId, range.beforeId]
  const conditions = ['a.tenant_id = $1', 'a.id >= $2', 'a.id < $3']
  const equals = {
    project_id: caller.projectId,
    endpoint_id: endpointId,
    event_type: query.event_type,
  }
  for (const [column, value] of Object.entries(equals)) {
    if (value === undefined || value === null) continue
    values.push(value)
    conditions.push(`a.${column} = $${values.length}`)
  }
  if (query.outcome !== undefined) conditions.push(OUTCOME_CONDITIONS[query.outcome])
  return { conditions: conditions.join(' AND '), values }
}
