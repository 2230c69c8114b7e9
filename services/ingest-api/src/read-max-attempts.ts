/**
 * The maximum of attempts of events by type whose senders set none: the largest maximum among the
 * endpoints that the event went to. Before its fan-out, and without deliveries, the default
 * applies.
 */
import type { Pool } from '@posthorn/store/pool'
import { selectivityHint } from '@posthorn/store/pipeline/sql/selectivity-hint'
import type { ListedEventRow } from './event-record.ts'

/**
 * Deliveries of an event that are read. At 10 us each, a page of 100 events reads 10,000 of them in
 * 100 ms.
 */
const MAX_DELIVERIES = 100

/** The same rows, with `maxAttempts` filled in where it follows from the endpoints. */
export async function withMaxAttempts<Row extends ListedEventRow>(
  pool: Pool,
  tenantId: string,
  events: readonly Row[],
): Promise<Row[]> {
  const undecided = events.filter(
    ({ eventType, maxAttempts, fannedOut }) =>
      eventType !== null && maxAttempts === null && fannedOut,
  )
  if (undecided.length === 0) return [...events]
  const { rows } = await pool.query<{ id: string; limit: number }>({
    name: 'read-limits',
    text: LIMITS,
    values: [tenantId, undecided.map(({ id }) => id)],
  })
  const limits = new Map(rows.map(({ id, limit }) => [id, limit]))
  return events.map((event) => ({
    ...event,
    maxAttempts: event.maxAttempts ?? limits.get(event.id) ?? null,
  }))
}

// Each endpoint's configuration is read once, however many of the events went to it.
const LIMITS = `WITH made AS MATERIALIZED (
  SELECT i.id, d.endpoint_id FROM unnest($2::uuid[]) AS i (id) CROSS JOIN LATERAL (
    SELECT endpoint_id FROM deliveries WHERE tenant_id = $1 AND event_id = i.id
      AND endpoint_id IS NOT NULL
    LIMIT ${MAX_DELIVERIES}
  ) d WHERE ${selectivityHint('i.id')}
), limits AS MATERIALIZED (
  SELECT n.id, (n.config ->> 'maxRetries')::int AS limit
  FROM (SELECT DISTINCT endpoint_id AS id FROM made) m
  JOIN endpoints n ON n.tenant_id = $1 AND n.id = m.id
)
SELECT made.id, max(limits.limit) AS limit FROM made
JOIN limits ON limits.id = made.endpoint_id GROUP BY made.id`
