/**
 * Postgres's clock as seen from here: ids, leases and tokens all follow it, whatever this machine's clock says.
 *
 * Between two measurements time is this process's monotonic one, so a machine whose clock is set, to whatever time, shifts
 * nothing. What can still shift it is Postgres's own clock, and a machine that was suspended, whose monotonic clock stood
 * still meanwhile; both are seen when the clock is measured, and a machine that was suspended is measured at once.
 *
 * It does not promise that two processes agree: ids of one event's rows may lie days apart.
 */
import { setIdClock } from '@posthorn/domain/ids'
import { idSpan, WHOLE_DAYS } from './partitions.ts'
import type { Pool } from './pool.ts'

export interface DatabaseClock {
  /** Milliseconds since 1970 on Postgres's clock. */
  now(): number
  /** Asks Postgres. A failure keeps what is known. */
  measure(): Promise<void>
  /** Measures when that was long ago, or when this machine's clocks have come apart. Called every second. */
  follow(): Promise<void>
}

export interface ClockStep {
  /** `machine`: this machine's wall clock, on which nothing rests. `postgres`: what ids and leases follow. */
  clock: 'machine' | 'postgres'
  ms: number
}

export interface ClockEvents {
  /** A clock was found to be more than a second away from where it should have been. */
  onStep?(step: ClockStep): void
}

const MEASURE_EVERY_MS = 30_000
/** After a measurement that failed: sooner, for the machine may have been suspended. */
const AGAIN_MS = 5_000
/** What `setIdClock` still keeps in order; slewing and slow answers stay far below it. */
const STEP_MS = 1_000
/** An answer that took longer says too little to correct a time that it agrees with. */
const CLEAR_ANSWER_MS = 500

export async function createDatabaseClock(
  pool: Pick<Pool, 'query'>,
  events: ClockEvents = {},
): Promise<DatabaseClock> {
  /** Postgres's time minus this process's monotonic time. */
  let offsetMs: number | undefined
  let measureAt = 0
  /** This machine's wall clock minus its monotonic one. */
  let wallMs = Date.now() - performance.now()

  const now = (): number => performance.now() + (offsetMs ?? wallMs)

  async function measure(): Promise<void> {
    const before = performance.now()
    measureAt = before + AGAIN_MS
    const { rows } = await pool.query<{ now: number; days: string[] }>(MEASURE)
    const after = performance.now()
    const [row] = rows
    if (row === undefined) return
    const measured = row.now - (before + after) / 2
    const step = offsetMs === undefined ? 0 : measured - offsetMs
    const unsureMs = (after - before) / 2
    if (offsetMs === undefined || Math.abs(step) > unsureMs || unsureMs < CLEAR_ANSWER_MS)
      offsetMs = measured
    measureAt = after + MEASURE_EVERY_MS
    setIdClock(now, idSpan(row.days, row.now))
    if (Math.abs(step) - unsureMs > STEP_MS) events.onStep?.({ clock: 'postgres', ms: step })
  }

  async function follow(): Promise<void> {
    const apart = Date.now() - performance.now() - wallMs
    if (Math.abs(apart) > STEP_MS) {
      wallMs += apart
      events.onStep?.({ clock: 'machine', ms: apart })
    } else if (performance.now() < measureAt) return
    await measure()
  }

  await measure()
  return { now, measure, follow }
}

const MEASURE = `SELECT micros(clock_timestamp()) / 1000 AS now, ARRAY(${WHOLE_DAYS}) AS days`
