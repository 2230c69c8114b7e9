/**
 * Reads a page of a log that has a partition for each day, newest first. A year of partitions takes
 * Postgres 50 to 100 ms to plan for and 6 ms to read, so the last week is asked first, in a
 * statement whose bounds the planner sees: 2 ms. Only what is left of the page is looked for in all
 * days, by a statement that is prepared and planned once for each connection: left to itself,
 * Postgres plans such a statement anew five times, and one that looks for several events always.
 */
import { idAt, timeOfId } from '@posthorn/domain/ids'
import type { Pool } from '@posthorn/store/pool'
import { inTransaction } from '@posthorn/store/transaction'

export interface IdRange {
  /** Inclusive. */
  fromId: string
  /** Exclusive. */
  beforeId: string
}

export interface LogStatement {
  /** Tells statements apart whose text differs. */
  name: string
  values: readonly unknown[]
  /** The statement, with expressions of SQL for its bounds and its limit. */
  text(fromId: string, beforeId: string, limit: string): string
}

const DAY_MS = 86_400_000
const RECENT_DAYS = 8

/**
 * @param now epoch ms
 * @param oldestMs nothing is older than this
 */
export async function readNewest<Row extends { id: string }>(
  pool: Pool,
  statement: LogStatement,
  range: IdRange,
  { limit, now, oldestMs }: { limit: number; now: number; oldestMs: number },
): Promise<Row[]> {
  const end = Math.min(timeOfId(range.beforeId), now + DAY_MS)
  const recent = later(range.fromId, idAt((Math.floor(end / DAY_MS) - RECENT_DAYS) * DAY_MS))
  const { rows } = await pool.query<Row>(
    statement.text(`'${recent}'`, `'${range.beforeId}'`, String(limit)),
    [...statement.values],
  )
  const fromId = later(range.fromId, idAt(oldestMs - DAY_MS))
  if (rows.length >= limit || recent <= fromId) return rows
  const older = await readPlanned<Row>(pool, statement, [fromId, recent, limit - rows.length])
  return [...rows, ...older]
}

async function readPlanned<Row extends { id: string }>(
  pool: Pool,
  { name, text, values }: LogStatement,
  bounds: readonly [string, string, number],
): Promise<Row[]> {
  const count = values.length
  const read = await inTransaction(pool, async (client) => {
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan')
    return await client.query<Row>({
      name,
      text: text(`$${count + 1}`, `$${count + 2}`, `$${count + 3}`),
      values: [...values, ...bounds],
    })
  })
  return read?.rows ?? []
}

function later(one: string, other: string): string {
  return one > other ? one : other
}
