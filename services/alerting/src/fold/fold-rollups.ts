/**
 * Keeps the rollups up to date, and removes those that are too old. Every instance does both: what
 * one is at work on, the others leave to it.
 */
import { createTicker, type NextRound } from '@posthorn/async/ticker'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import type { Pool } from '@posthorn/store/pool'
import { foldOutbox } from '@posthorn/store/rollups/fold-outbox'
import { removeOldRollups } from '@posthorn/store/rollups/remove-old-rollups'
import { createFoldSchedule, ROWS_PER_FOLD } from './fold-schedule.ts'

export interface FoldDeps {
  pool: Pool
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'count' | 'set'>
  /** Postgres's time in ms. */
  clock: { now(): number }
}

/** For whoever reads rollups: what is older than 5 s is in them then. */
export interface Freshness {
  /**
   * Folds what these tenants have in the outbox, where it may be older than 5 s; at once otherwise.
   * Where it can't be folded the rollups are read as they are.
   */
  catchUp(tenantIds: readonly string[]): Promise<void>
  /** Whether `catchUp` would fold anything. */
  isBehind(): boolean
}

export interface Folding extends Freshness {
  service: Service
}

const HOUR_MS = 3_600_000
/** Between two folds where nothing else is said: the first, and one that failed. */
const FIRST_PAUSE_MS = 1_000
/** What tenants with more have is read as far as it is folded. */
const MAX_FOLDS_AT_ONCE = 5

/** @param rowsPerFold of the outbox */
export function createFolding(deps: FoldDeps, rowsPerFold = ROWS_PER_FOLD): Folding {
  const { pool, log, metrics } = deps
  const schedule = createFoldSchedule(rowsPerFold)
  const catchingUp = new Map<string, Promise<void>>()
  const onError = (what: string) => (error: unknown) => log.warn(`alerting.${what}`, { error })

  async function fold(): Promise<NextRound> {
    const beganAt = performance.now()
    const next = schedule.next(beganAt)
    const folded = await foldOutbox(pool, next.part, next.limit)
    metrics.set('posthorn_rollup_lag_seconds', {}, (folded.oldestMs ?? 0) / 1_000)
    metrics.count('posthorn_rollup_outbox_folded_total', {}, folded.rows)
    const endedAt = performance.now()
    return schedule.folded(next, folded, endedAt - beganAt, endedAt)
  }

  async function foldOf(tenantIds: readonly string[]): Promise<void> {
    try {
      for (let folds = 0; folds < MAX_FOLDS_AT_ONCE; folds += 1) {
        const { rows } = await foldOutbox(pool, { tenantIds }, rowsPerFold)
        metrics.count('posthorn_rollup_outbox_folded_total', {}, rows)
        if (rows < rowsPerFold) return
      }
    } catch (error) {
      log.warn('alerting.fold-failed', { error })
    } finally {
      for (const tenantId of tenantIds) catchingUp.delete(tenantId)
    }
  }

  const folding = createTicker(
    { name: 'fold', everyMs: FIRST_PAUSE_MS, onError: onError('fold-failed') },
    fold,
  )
  const removing = createTicker(
    { name: 'remove-old-rollups', everyMs: HOUR_MS, onError: onError('removal-failed') },
    async () => void (await removeOldRollups(pool, new Date(deps.clock.now()))),
  )
  const isBehind = (): boolean => schedule.isBehind(performance.now())
  return {
    isBehind,
    async catchUp(tenantIds) {
      if (!isBehind()) return
      // Requests of a page come together: they wait for one fold.
      const others = [...new Set(tenantIds)].filter((tenantId) => !catchingUp.has(tenantId))
      if (others.length > 0) {
        const done = foldOf(others)
        for (const tenantId of others) catchingUp.set(tenantId, done)
      }
      await Promise.all(tenantIds.flatMap((tenantId) => catchingUp.get(tenantId) ?? []))
    },
    service: {
      name: 'rollups',
      async start() {
        folding.start()
        removing.start()
      },
      async stop() {
        await Promise.all([folding.stop(), removing.stop()])
      },
    },
  }
}
