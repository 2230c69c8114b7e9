/**
 * Keeps the rollups up to date, and removes those that are too old. Every instance does both: what
 * one is at work on, the others leave to it.
 */
import { createTicker, type NextRound } from '@posthorn/async/ticker'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import type { Pool } from '@posthorn/store/pool'
import { type Folded, foldOutbox } from '@posthorn/store/rollups/fold-outbox'
import { removeOldRollups } from '@posthorn/store/rollups/remove-old-rollups'

export interface FoldDeps {
  pool: Pool
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'count' | 'set'>
  /** Postgres's time in ms. */
  now(): number
}

/** A second of 4,000 attempts is some 100 rows of the outbox, with up to 8 KB each. */
const ROWS_PER_FOLD = 1_000
/**
 * A fold costs by the rollups that it touches, not by what it adds to them. So the pause grows with
 * what the last fold took: at most a twentieth of the time is spent on folding, and a fold that is
 * cheap comes once a second.
 */
const PAUSES_PER_FOLD = 19
const MIN_PAUSE_MS = 1_000
/** With what a fold takes, rollups are 5 s old at most. */
const MAX_PAUSE_MS = 4_500
/**
 * While there is more, a quarter of the time is spent on it. One fold after the other took Postgres
 * and the event loop for most of a second, and everybody's deliveries waited meanwhile: measured
 * with 500 events a second over 10,000 tenants.
 */
const PAUSES_WHILE_MORE = 3
/** What has waited for longer is folded without a pause. */
const LATE_MS = 3_000
const HOUR_MS = 3_600_000

export function createFolding(deps: FoldDeps): Service {
  const { pool, log } = deps
  const onError = (what: string) => (error: unknown) => log.warn(`alerting.${what}`, { error })
  const folding = createTicker(
    { name: 'fold', everyMs: MIN_PAUSE_MS, onError: onError('fold-failed') },
    () => fold(deps),
  )
  const removing = createTicker(
    { name: 'remove-old-rollups', everyMs: HOUR_MS, onError: onError('removal-failed') },
    async () => void (await removeOldRollups(pool, new Date(deps.now()))),
  )
  return {
    name: 'rollups',
    async start() {
      folding.start()
      removing.start()
    },
    async stop() {
      await Promise.all([folding.stop(), removing.stop()])
    },
  }
}

async function fold({ pool, metrics }: FoldDeps): Promise<NextRound> {
  const beganAt = performance.now()
  const folded = await foldOutbox(pool, ROWS_PER_FOLD)
  metrics.set('posthorn_rollup_lag_seconds', {}, (folded.oldestMs ?? 0) / 1_000)
  metrics.count('posthorn_rollup_outbox_folded_total', {}, folded.rows)
  return decideNextFold(folded, performance.now() - beganAt)
}

/** @returns the pause in ms; true: none */
export function decideNextFold({ rows, oldestMs }: Folded, tookMs: number): true | number {
  if (rows < ROWS_PER_FOLD)
    return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, tookMs * PAUSES_PER_FOLD))
  return (oldestMs ?? 0) > LATE_MS ? true : tookMs * PAUSES_WHILE_MORE
}
