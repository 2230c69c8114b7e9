/** Postgres's clock as seen from here: ids, leases and tokens all follow it, whatever this machine's clock says. */
import { setClockOffset } from '@posthorn/domain/ids'
import type { Pool } from './pool.ts'

export interface DatabaseClock {
  /** Milliseconds since 1970 on Postgres's clock. */
  now(): number
  /** Asks again; called every 30 s. A failure keeps the last offset. */
  measure(): Promise<void>
}

export async function createDatabaseClock(pool: Pool): Promise<DatabaseClock> {
  let offsetMs = 0

  async function measure(): Promise<void> {
    const before = Date.now()
    const { rows } = await pool.query<{ now: number }>(
      'SELECT micros(clock_timestamp()) / 1000 AS now',
    )
    const after = Date.now()
    offsetMs = (rows[0]?.now ?? after) - (before + after) / 2
    setClockOffset(offsetMs)
  }

  await measure()
  return { now: () => Date.now() + offsetMs, measure }
}
