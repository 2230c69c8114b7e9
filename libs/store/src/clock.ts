/**
 * Postgres's clock as seen from this process: ids, leases and tokens all follow it, whatever this
 * machine's clock says.
 *
 * Between two measurements time follows this process's monotonic clock, so that setting the
 * machine's clock, to whatever time, shifts nothing. What can still shift it is Postgres's own
 * clock, and a suspension of the machine, during which its monotonic clock stood still. Both are
 * noticed when the clock is measured, and after a suspension it is measured at once.
 *
 * Two processes need not agree: the ids of one event's rows may lie days apart.
 */
import { setIdClock } from '@posthorn/domain/ids'
import { idSpan, WHOLE_DAYS } from './partitions.ts'
import type { Pool } from './pool.ts'

export interface DatabaseClock {
  /** Milliseconds since 1970 on Postgres's clock. */
  now(): number
  /** Asks Postgres. A failure keeps what is known. */
  measure(): Promise<void>
  /**
   * Measures when the last measurement is old, or when this machine's clocks have come apart.
   * Called every second.
   */
  follow(): Promise<void>
}

export interface ClockStep {
  /** `machine`: this machine's wall clock, which nothing follows. `postgres`: ids and leases do. */
  clock: 'machine' | 'postgres'
  ms: number
}

export interface ClockEvents {
  /** A clock was found to be more than a second away from where it should have been. */
  onStep?(step: ClockStep): void
}

const MEASURE_EVERY_MS = 30_000
/** Sooner after a measurement that failed, for the machine may have been suspended. */
const AGAIN_MS = 5_000
/** A step that `setIdClock` still keeps in order; slewing and slow answers stay far below it. */
const STEP_MS = 1_000
/** An answer that took longer is too vague to correct a time that it agrees with. */
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
