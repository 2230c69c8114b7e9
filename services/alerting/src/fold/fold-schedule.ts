/**
 * Which part of the outbox is folded next, and after what pause.
 *
 * A fold costs by the rows of the rollups that it writes: some thirteen for an event of a tenant
 * with two endpoints, and no more for a hundred of the same minute. So the outbox is swept in the
 * order of tenants, and what a tenant has is folded together. With few tenants a sweep is one fold,
 * and nothing is older than 5 s. With thousands a sweep takes minutes, and an event costs less than
 * half. Tenants with much are then folded in between, and whoever reads a tenant's rollups has them
 * folded before (`fold-rollups.ts`).
 */
import type { Folded, FoldedPart, OutboxPlace } from '@posthorn/store/rollups/fold-outbox'

/** A second of 4,000 attempts is some 100 rows of the outbox, with up to 8 KB each. */
export const ROWS_PER_FOLD = 1_000
/**
 * A fold that took longer is followed by smaller ones: everybody's deliveries wait for Postgres and
 * the event loop beside it.
 */
const MAX_FOLD_MS = 20
/** With fewer, a fold costs mostly by its transaction. */
const MIN_ROWS_PER_FOLD = 20
/**
 * The pause grows with what the last fold took: at most a fortieth of the time is spent on
 * folding, and a fold that is cheap comes once a second.
 */
const PAUSES_PER_SWEEP = 39
const MIN_PAUSE_MS = 1_000
/** With what a fold takes, rollups are 5 s old at most after a sweep of one fold. */
const MAX_PAUSE_MS = 4_500
const FRESH_MS = 5_000
/**
 * While there is more, a quarter of the time is spent on it. One fold after the other took Postgres
 * and the event loop for most of a second, and everybody's deliveries waited meanwhile: measured
 * with 500 events a second over 10,000 tenants.
 */
const PAUSES_WHILE_MORE = 3
/** What has waited for longer is folded without a pause. */
const LATE_MS = 3_000
/** While there is more of what becomes cheaper by waiting, it gets a twentieth of the time. */
const PAUSES_WHILE_SPARSE = 19
/**
 * A fold is sparse when it writes at least half as many rows of the rollups as it takes of the
 * outbox. It becomes cheaper by waiting: more rows of the outbox then go into the same row.
 */
const WRITTEN_PER_SPARSE_ROW = 0.5
/** Sparse folds keep to the twentieth until then, and to the quarter until twice that. */
const SPARSE_LATE_MS = 120_000
/** Some 1,600 entries in one fold: a tenant that is not left to sweeps that take minutes. */
const BUSY_BYTES = 64 * 1024
const MAX_BUSY = 100

export interface NextFold {
  part: FoldedPart
  /** How many rows of the outbox it may take. */
  limit: number
}

export interface FoldSchedule {
  /** @param now monotonic ms */
  next(now: number): NextFold
  /**
   * What came of it.
   * @returns the pause in ms until the next; true: none
   */
  folded(fold: NextFold, folded: Folded, tookMs: number, now: number): true | number
  /** Whether anything in the outbox may be older than 5 s. */
  isBehind(now: number): boolean
}

export function createFoldSchedule(rowsPerFold = ROWS_PER_FOLD): FoldSchedule {
  let limit = rowsPerFold
  /** Where the sweep is; null: the next fold begins one. */
  let sweep: { startedAt: number; after: OutboxPlace | null; oldestMs: number } | null = null
  let lastOldestMs = 0
  let busy = new Set<string>()
  let busyFoldedAt = -Infinity
  /** However much busy tenants have, every other fold is the sweep's. */
  let isSweepsTurn = false

  function isBehind(now: number): boolean {
    const { startedAt, oldestMs } = sweep ?? { startedAt: now, oldestMs: 0 }
    return Math.max(lastOldestMs, oldestMs, now - startedAt) > FRESH_MS
  }

  function foldedBusy(
    tenantIds: readonly string[],
    { bytes }: Folded,
    isLast: boolean,
    now: number,
  ): void {
    isSweepsTurn = true
    // Several folds may be needed for all of them.
    if (!isLast) return
    busyFoldedAt = now
    for (const tenantId of tenantIds) if (!bytes.has(tenantId)) busy.delete(tenantId)
  }

  function foldedSweep({ bytes, oldestMs, last }: Folded, isLast: boolean): void {
    isSweepsTurn = false
    const current = sweep as NonNullable<typeof sweep>
    current.oldestMs = Math.max(current.oldestMs, oldestMs ?? 0)
    current.after = last
    for (const [tenantId, own] of bytes)
      if (own >= BUSY_BYTES && busy.size < MAX_BUSY) busy.add(tenantId)
    if (!isLast) return
    lastOldestMs = current.oldestMs
    sweep = null
  }

  return {
    isBehind,
    next(now) {
      if (!isBehind(now)) busy = new Set()
      const isBusysTime = busy.size > 0 && now - busyFoldedAt >= MAX_PAUSE_MS
      if (isBusysTime && !isSweepsTurn)
        return { part: { tenantIds: [...busy], passesOver: true }, limit }
      sweep ??= { startedAt: now, after: null, oldestMs: 0 }
      return { part: { after: sweep.after, minAgeMs: now - sweep.startedAt }, limit }
    },
    folded(fold, folded, tookMs, now) {
      const isLast = folded.rows < fold.limit
      if ('tenantIds' in fold.part) foldedBusy(fold.part.tenantIds, folded, isLast, now)
      else foldedSweep(folded, isLast)
      limit = Math.min(rowsPerFold, limitAfter(fold.limit, folded, tookMs))
      if (isLast && !('tenantIds' in fold.part)) return pauseAfterSweep(tookMs)
      return pauseWhileMore(folded, tookMs)
    },
  }
}

/**
 * What one fold says of another's time is not much: it is twice or half as large at most. What a
 * dense one takes is the wait of its eight statements for a busy machine, which fewer rows of the
 * outbox don't make shorter: with 1,000 events a second on a slow machine, folds of 20 took 60 ms
 * each, came up to six times a second, and fell behind by seconds.
 */
function limitAfter(limit: number, folded: Folded, tookMs: number): number {
  const { rows } = folded
  const inTime = Math.floor((rows * MAX_FOLD_MS) / tookMs)
  if (tookMs <= MAX_FOLD_MS) return rows < limit ? limit : Math.min(2 * limit, inTime)
  if (!isSparse(folded)) return 2 * limit
  return Math.max(MIN_ROWS_PER_FOLD, Math.ceil(limit / 2), inTime)
}

function isSparse({ rows, written }: Folded): boolean {
  return written >= rows * WRITTEN_PER_SPARSE_ROW
}

function pauseAfterSweep(tookMs: number): number {
  return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, tookMs * PAUSES_PER_SWEEP))
}

function pauseWhileMore(folded: Folded, tookMs: number): true | number {
  const age = folded.oldestMs ?? 0
  if (!isSparse(folded)) return age > LATE_MS ? true : tookMs * PAUSES_WHILE_MORE
  if (age > 2 * SPARSE_LATE_MS) return true
  return tookMs * (age > SPARSE_LATE_MS ? PAUSES_WHILE_MORE : PAUSES_WHILE_SPARSE)
}
