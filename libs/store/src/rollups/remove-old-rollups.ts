/**
 * Rollups leave by a rule of their own, whatever a tenant's retention: they hold counts and no
 * customer's data. Minutes serve the ends of windows of the last day, hours and days all that
 * analytics may be asked for.
 */
import type { Pool } from '../pool.ts'

/** `read-window.ts` reads minutes for an hour less. */
const KEPT: readonly { table: string; interval: string }[] = [
  { table: 'rollup_moments', interval: '10 minutes' },
  { table: 'rollup_minutes', interval: '26 hours' },
  { table: 'rollup_hours', interval: '401 days' },
  { table: 'rollup_days', interval: '401 days' },
]
/** Some 20 ms. */
const ROWS_PER_STATEMENT = 5_000
/** 26 hours of minutes are 60,000 rows an hour with 1,000 busy endpoints. */
const MAX_STATEMENTS = 200

/** @returns how many rows were removed; what is more than one call removes goes with the next */
export async function removeOldRollups(pool: Pool, now: Date): Promise<number> {
  let removed = 0
  for (const { table, interval } of KEPT) {
    for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
      const { rowCount } = await pool.query({
        name: `remove-${table}`,
        text: removeText(table, interval),
        values: [now, ROWS_PER_STATEMENT],
      })
      removed += rowCount ?? 0
      if ((rowCount ?? 0) < ROWS_PER_STATEMENT) break
    }
  }
  return removed
}

// The rows that another instance is removing, or is adding to, are left to it.
const removeText = (table: string, interval: string): string => `DELETE FROM ${table}
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ${table} WHERE bucket < $1::timestamptz - interval '${interval}'
  ORDER BY bucket LIMIT $2 FOR UPDATE SKIP LOCKED
))`
