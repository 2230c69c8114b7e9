/**
 * The rows of `usage_days`: each process writes its own totals of a day, and once the day is over
 * the row of process '' says what was counted from the events themselves. Where that row is there,
 * it alone counts: what a process writes late is ignored.
 */
import { dayText, monthOf, startOfMonth } from '@posthorn/domain/usage-period'
import type { Pool } from '../pool.ts'
import type { UsageTotal } from './usage-counts.ts'

/** Some 20 ms. */
const ROWS_PER_STATEMENT = 2_000

/** Repeating it is harmless: the rows hold totals, which only grow. */
export async function writeUsage(
  pool: Pool,
  process: string,
  totals: readonly UsageTotal[],
): Promise<void> {
  for (let from = 0; from < totals.length; from += ROWS_PER_STATEMENT) {
    const rows = totals
      .slice(from, from + ROWS_PER_STATEMENT)
      .map(({ tenantId, day, events, attempts }) => ({
        t: tenantId,
        d: dayText(day),
        e: events,
        a: attempts,
      }))
    await pool.query({ name: 'write-usage', text: WRITE, values: [JSON.stringify(rows), process] })
  }
}

const WRITE = `INSERT INTO usage_days AS u (tenant_id, day, process, events, attempts)
SELECT t, d, $2, e, a
FROM json_to_recordset($1::json) AS i (t uuid, d date, e bigint, a bigint) ORDER BY t, d
ON CONFLICT (tenant_id, day, process) DO UPDATE SET
  events = greatest(u.events, excluded.events),
  attempts = greatest(u.attempts, excluded.attempts), updated_at = now()`

/** Whether a row counts. The other is looked for only where a process has left a row. */
export const COUNTS = `(u.process = '' OR NOT EXISTS (
  SELECT FROM usage_days c WHERE c.tenant_id = u.tenant_id AND c.day = u.day AND c.process = ''))`

/** The events of tenants, each in a month. @returns by tenant; absent: none */
export async function readUsed(
  pool: Pool,
  questions: readonly { tenantId: string; month: number }[],
): Promise<Map<string, number>> {
  if (questions.length === 0) return new Map()
  const { rows } = await pool.query<{ tenantId: string; events: number }>({
    name: 'read-used',
    text: `SELECT i.tenant_id AS "tenantId", (
        SELECT coalesce(sum(u.events), 0)::float8 FROM usage_days u
        WHERE u.tenant_id = i.tenant_id AND u.day >= i.first
          AND u.day < (i.first + interval '1 month')::date AND ${COUNTS}
      ) AS events
      FROM unnest($1::uuid[], $2::date[]) AS i (tenant_id, first)`,
    values: [
      questions.map(({ tenantId }) => tenantId),
      questions.map(({ month }) => startOfMonth(month).toISOString().slice(0, 10)),
    ],
  })
  return new Map(rows.map(({ tenantId, events }) => [tenantId, events]))
}

export interface UsageOfMonth {
  /** Months since the beginning of 1970. */
  month: number
  events: number
  attempts: number
}

/** A tenant's months from `first` to `last`, newest first; those without usage have zeros. */
export async function readUsageHistory(
  pool: Pool,
  tenantId: string,
  { first, last }: { first: number; last: number },
): Promise<UsageOfMonth[]> {
  const { rows } = await pool.query<{ start: Date; events: number; attempts: number }>({
    name: 'read-usage-history',
    text: `SELECT date_trunc('month', u.day)::timestamp AT TIME ZONE 'UTC' AS start,
        sum(u.events)::float8 AS events, sum(u.attempts)::float8 AS attempts
      FROM usage_days u
      WHERE u.tenant_id = $1 AND u.day >= $2 AND u.day < $3 AND ${COUNTS} GROUP BY 1`,
    values: [tenantId, startOfMonth(first), startOfMonth(last + 1)].map((value) =>
      value instanceof Date ? value.toISOString().slice(0, 10) : value,
    ),
  })
  const found = new Map(rows.map(({ start, ...usage }) => [monthOf(start.getTime()), usage]))
  return Array.from({ length: last - first + 1 }, (_, ago) => {
    const month = last - ago
    return { month, ...(found.get(month) ?? { events: 0, attempts: 0 }) }
  })
}
