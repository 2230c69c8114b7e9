/**
 * The one writer of results: what tries observed, many in one statement. While Postgres is away it keeps what it has,
 * in order, and goes on when Postgres is back; new work is not taken meanwhile (`full`). What is still here when the
 * process ends is lost, and its deliveries are tried again.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { ErrorCategory } from '@posthorn/domain/classify-attempt'
import { newId } from '@posthorn/domain/ids'
import type { Log } from '@posthorn/runtime/log'
import { createGroupCommit } from '@posthorn/store/group-commit'
import type { LeasedRow } from '@posthorn/store/pipeline/renew-leases'
import type {
  AttemptRecord,
  RecordedAttempt,
  RecordingOutcome,
} from '@posthorn/store/pipeline/record-attempts'
import type { Mutex } from '../mutex.ts'
import type { LeasedDelivery } from '../delivery.ts'

export interface AttemptResult {
  delivery: LeasedDelivery
  attempt: AttemptRecord
  /** null: delivered. */
  category: ErrorCategory | null
  /** The endpoint answered 410. */
  gone: boolean
  /** By its transformation: nothing was sent. */
  dropped: boolean
}

export interface RecorderDeps {
  recordAttempts(rows: AttemptRecord[]): Promise<RecordingOutcome>
  isUnavailable(error: unknown): boolean
  turns: Mutex
  /** Between two tries to reach Postgres; rejects or resolves at once when it is time to give up. */
  pause(): Promise<void>
  /** `recorded` false: the delivery was already further on, or could not be stored at all. */
  onSettled(result: AttemptResult, recorded: boolean): void
  /** The next in the lanes of what has ended, leased to us. */
  onReleased(deliveries: DueDelivery[], askedAt: number): void
  /** For whoever comes next: they are due now. */
  releaseLeases(held: readonly LeasedRow[]): Promise<void>
  /** After each batch. */
  onRoom(): void
  /** Heads of lanes that this process has, in whatever phase. */
  heads(): number
  now(): number
  log: Pick<Log, 'warn' | 'error'>
}

export interface Recorder {
  add(result: AttemptResult): void
  size(): number
  full(): boolean
  /** Resolves when everything is recorded. */
  idle(): Promise<void>
  /** From now on nothing is tried again. */
  giveUp(): void
}

/** Some 10 ms a statement. */
const MAX_BATCH = 200
/**
 * Nobody waits for a result but the next in a lane. Accepted and recorded in statements of 28 an event costs 120 us of
 * Postgres's processor and 65 us of ours, in statements of 100 it costs 68 and 31. A crash repeats 15 ms of results more.
 */
const GATHER = { ms: 15, enough: () => 100 }
/**
 * Of lanes half of those that are here: while they are written the others are sent, and one lane alone waits for nobody.
 * Measured with 30 lanes over the chaos run's proxies: 1.2 to 1.4 ms of processor a delivery, where batches of whoever had
 * come first, 5 on average, cost 1.6.
 */
const GATHER_HEADS_MS = 5
/** From here on no new work: 2,000 results are what a crash repeats at most, next to what is in flight. */
export const MAX_UNRECORDED = 2_000
/**
 * Or so many bytes of answers, each of which may have 16 KiB of body and 4 KiB of headers: 800 of these. What is in flight
 * by then may add 2,048 more, 40 MiB.
 */
export const MAX_UNRECORDED_BYTES = 16 * 1024 * 1024
/** These and every slot: what was in flight still finds room. */
const MAX_QUEUE = 2 * MAX_UNRECORDED + 4_096
/** Failures that Postgres's absence does not explain: 2 s of them, then a row is looked for that is to blame. */
const MAX_STRANGE = 8
const NOT_STORED = 'internal: could not be stored'

export function createRecorder(deps: RecorderDeps): Recorder {
  const { log } = deps
  let gaveUp = false
  let bytes = 0
  const limits = { maxBatch: MAX_BATCH, maxQueue: MAX_QUEUE, writers: 1 }
  const others = createGroupCommit<AttemptResult, void>({ ...limits, gather: GATHER }, writeBatch)
  // By themselves: they may have to wait for locks, and must not take the others with them.
  const heads = createGroupCommit<AttemptResult, void>(
    { ...limits, gather: { ms: GATHER_HEADS_MS, enough: () => deps.heads() / 2 } },
    writeBatch,
  )
  const size = (): number => others.size() + heads.size()

  async function writeBatch(results: readonly AttemptResult[]): Promise<never[]> {
    try {
      await write(results)
    } finally {
      for (const { attempt } of results) bytes -= bytesOf(attempt)
    }
    // Sizes change when this has returned.
    setImmediate(deps.onRoom)
    return []
  }

  async function write(results: readonly AttemptResult[]): Promise<void> {
    const byDelivery = new Map<string, AttemptResult>()
    for (const result of results) {
      // Two tries with one number: the first is what counts, as it would in Postgres.
      if (byDelivery.has(result.attempt.deliveryId)) deps.onSettled(result, false)
      else byDelivery.set(result.attempt.deliveryId, result)
    }
    const rows = [...byDelivery.values()].map((result) => result.attempt)
    const refused = await record(byDelivery, rows)
    if (refused.length === 0) return
    for (const row of await record(byDelivery, refused.map(withoutData))) {
      const result = byDelivery.get(row.deliveryId)
      if (result !== undefined) deps.onSettled(result, false)
    }
  }

  /** @returns the rows that Postgres refused for their data */
  async function record(
    byDelivery: ReadonlyMap<string, AttemptResult>,
    rows: AttemptRecord[],
  ): Promise<AttemptRecord[]> {
    for (let failures = 1; ; failures += 1) {
      try {
        const { askedAt, written, superseded, refused, released } = await deps.turns(async () => {
          const asked = deps.now()
          const recorded = await deps.recordAttempts(rows.map((row) => underLease(row, byDelivery)))
          return { askedAt: asked, ...recorded }
        })
        settle(byDelivery, rows, written, refused)
        if (released.length > 0) deps.onReleased(released, askedAt)
        if (superseded.length > 0) sendAgain(byDelivery, superseded)
        for (const { row, error } of refused) {
          const { deliveryId, attemptNumber } = row
          log.error('attempt.not-stored', { deliveryId, attemptNumber, error })
        }
        return refused.map(({ row }) => row)
      } catch (error) {
        if (gaveUp) return []
        const waiting = size()
        log.warn('attempts.not-recorded', { rows: rows.length, waiting, failures, error })
        if (!deps.isUnavailable(error) && failures >= MAX_STRANGE)
          return await split(byDelivery, rows)
        await deps.pause()
      }
    }
  }

  /** Neither Postgres's absence nor plainly the data of a row: a row may be the cause all the same. */
  async function split(
    byDelivery: ReadonlyMap<string, AttemptResult>,
    rows: AttemptRecord[],
  ): Promise<AttemptRecord[]> {
    if (rows.length === 1) return rows
    const middle = rows.length >> 1
    const left = await record(byDelivery, rows.slice(0, middle))
    return [...left, ...(await record(byDelivery, rows.slice(middle)))]
  }

  function settle(
    byDelivery: ReadonlyMap<string, AttemptResult>,
    rows: readonly AttemptRecord[],
    written: readonly RecordedAttempt[],
    refused: readonly { row: AttemptRecord }[],
  ): void {
    const recorded = new Set(written.map((one) => one.deliveryId))
    const kept = new Set(refused.map(({ row }) => row.deliveryId))
    for (const { deliveryId } of rows) {
      const result = byDelivery.get(deliveryId)
      if (result !== undefined && !kept.has(deliveryId))
        deps.onSettled(result, recorded.has(deliveryId))
    }
  }

  /** Their event was edited while they were sent. If it fails, they are due when their leases end. */
  function sendAgain(byDelivery: ReadonlyMap<string, AttemptResult>, ids: readonly string[]): void {
    const held = ids.flatMap((id) => {
      const work = byDelivery.get(id)?.delivery
      if (work === undefined) return []
      const { tenantId, eventId } = work.message
      return [{ tenantId, id, eventId, token: work.token }]
    })
    deps
      .releaseLeases(held)
      .catch((error: unknown) => log.warn('superseded.not-released', { rows: held.length, error }))
  }

  return {
    add(result) {
      const added = (isHead(result.attempt) ? heads : others).add(result)
      if (added === null) deps.onSettled(result, false)
      else bytes += bytesOf(result.attempt)
    },
    size,
    full: () => size() >= MAX_UNRECORDED || bytes >= MAX_UNRECORDED_BYTES,
    async idle() {
      await Promise.all([others.idle(), heads.idle()])
    },
    giveUp() {
      gaveUp = true
    },
  }
}

function bytesOf({ responseBody, responseHeaders, requestBody }: AttemptRecord): number {
  return responseBody.length + (responseHeaders?.length ?? 0) + (requestBody?.length ?? 0)
}

/** What follows from the try stays; what the receiver sent goes. */
function withoutData(row: AttemptRecord): AttemptRecord {
  const error = row.error === '' ? '' : NOT_STORED
  return { ...row, id: newId(), error, responseBody: '', responseHeaders: null, requestBody: null }
}

function isHead(row: AttemptRecord): boolean {
  return (row.head ?? null) !== null
}

/** It may have been renewed since the try ended. */
function underLease(
  row: AttemptRecord,
  byDelivery: ReadonlyMap<string, AttemptResult>,
): AttemptRecord {
  const { head } = row
  const token = byDelivery.get(row.deliveryId)?.delivery.token
  return head && token !== undefined ? { ...row, head: { ...head, token } } : row
}
