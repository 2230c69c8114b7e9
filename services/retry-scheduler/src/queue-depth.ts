/** How many rows wait in `due` and `parked`, for the metrics. */
import type { Pool } from '@posthorn/store/pool'

export interface QueueDepth {
  /** Rows whose time has come and that nobody has announced yet. */
  due: number
  /** Announced, backing off, or delayed. */
  scheduled: number
  parked: number
  oldestDueSeconds: number
}

export async function readQueueDepth(pool: Pool): Promise<QueueDepth> {
  const { rows } = await pool.query<QueueDepth>({
    name: 'queue-depth',
    text: `SELECT count(*) FILTER (WHERE due_at <= now())::int AS due,
        count(*) FILTER (WHERE due_at > now())::int AS scheduled,
        (SELECT count(*)::int FROM parked) AS parked,
        greatest(0, extract(epoch FROM now() - min(due_at)))::float8 AS "oldestDueSeconds"
      FROM due`,
  })
  return rows[0] ?? { due: 0, scheduled: 0, parked: 0, oldestDueSeconds: 0 }
}
