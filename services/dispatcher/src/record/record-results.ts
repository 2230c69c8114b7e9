/**
 * The flow of the record: an attempt's result is classified (`classify-result.ts`), reported to its
 * endpoint's circuit, and written with many others in one statement; then the delivery is
 * forgotten, and what follows from its result is done (`report-attempt.ts`, `disable-gone.ts`).
 *
 * This is the one writer of results. While Postgres is away it keeps what it has, in order, and
 * goes on when Postgres is back; nothing new is taken meanwhile (`full`). What is still here when
 * the process ends is lost, and its deliveries are attempted again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import type { Log } from '@posthorn/runtime/log'
import { createGroupCommit } from '@posthorn/async/group-commit'
import type { AttemptRecord, RecordedAttempt } from '@posthorn/store/pipeline/record-attempts'
import { isUnavailable } from '@posthorn/store/pool'
import type { Sending } from '../delivery.ts'
import type { InFlightSet } from '../in-flight-set.ts'
import type { Mutex } from '@posthorn/async/mutex'
import type { Circuits } from '../schedule/circuits.ts'
import type { Observed } from '../send/send-attempt.ts'
import type { Statements } from '../statements.ts'
import { type AttemptResult, classifyResult } from './classify-result.ts'
import type { DisableGone } from './disable-gone.ts'
import type { ReportAttempt } from './report-attempt.ts'

export interface RecorderDeps {
  statements: Pick<Statements, 'recordAttempts' | 'releaseLeases'>
  circuits: Pick<Circuits, 'attemptEnded' | 'releaseProbe'>
  inFlight: Pick<InFlightSet, 'forget' | 'heads'>
  reportAttempt: ReportAttempt
  disableGone: DisableGone
  /** Takes on the next deliveries in the lanes of those that have ended; they are leased to us. */
  admitReleased(deliveries: DueDelivery[], askedAt: number): void
  /** A batch has been written: more may be taken and started. */
  capacityFreed(): void
  mutex: Mutex
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
  random(): number
  log: Pick<Log, 'warn' | 'error'>
}

export interface Recorder {
  record(sending: Sending, observed: Observed): void
  size(): number
  /** @param spare the limit lies so many results higher */
  full(spare?: number): boolean
  /** Resolves when everything is recorded. */
  idle(): Promise<void>
  /** From now on no statement is repeated, and results that come are dropped. */
  giveUp(): void
}

/** Some 10 ms a statement. */
const MAX_BATCH = 200
/**
 * Nobody waits for a result but the next delivery in a lane. Accepted and recorded in statements of
 * 28, an event costs 120 us of Postgres's processor and 65 us of ours, in statements of 100 it
 * costs 68 and 31. A crash repeats 15 ms of results more.
 */
const GATHER = { ms: 15, enough: () => 100 }
/**
 * The heads of lanes are written as soon as half of those that are here have come: while they are
 * written the others are sent, and a lane that is alone waits for nobody. Measured with 30 lanes
 * over the chaos run's proxies: 1.2 to 1.4 ms of processor a delivery, where batches of whatever
 * had come first, 5 on average, cost 1.6.
 */
const GATHER_HEADS_MS = 5
/** From here on nothing new is taken: a crash repeats 2,000 results, next to what is in flight. */
export const MAX_UNRECORDED = 2_000
/**
 * Or so many bytes of responses, each of which may have 16 KiB of body and 4 KiB of headers: 800 of
 * these. What is in flight by then may add 2,048 more, 40 MiB.
 */
export const MAX_UNRECORDED_BYTES = 16 * 1024 * 1024
/** These and every slot: what was in flight still finds a place. */
const MAX_QUEUE = 2 * MAX_UNRECORDED + 4_096
/** Between two attempts to reach Postgres. */
const RETRY_MS = 250
/**
 * Failures that Postgres's absence does not explain are taken for a fault of the batch after 2 s of
 * them: it is halved until the row that causes them is found.
 */
const MAX_UNEXPLAINED = 8
const NOT_STORED = 'internal: could not be stored'

type ByDelivery = ReadonlyMap<string, AttemptResult>

// oxlint-disable-next-line max-lines-per-function -- its queue and its statement change together
export function createRecorder(deps: RecorderDeps): Recorder {
  const { statements, circuits, inFlight, log } = deps
  const gaveUp = new AbortController()
  let bytes = 0
  const limits = { maxBatch: MAX_BATCH, maxQueue: MAX_QUEUE, writers: 1 }
  const others = createGroupCommit<AttemptResult, void>({ ...limits, gather: GATHER }, writeBatch)
  // Heads go by themselves: they may have to wait for locks, and must not delay the others.
  const heads = createGroupCommit<AttemptResult, void>(
    { ...limits, gather: { ms: GATHER_HEADS_MS, enough: () => inFlight.heads() / 2 } },
    writeBatch,
  )
  const size = (): number => others.size() + heads.size()

  function record(sending: Sending, observed: Observed): void {
    const times = { classifiedAt: deps.now(), now: deps.databaseNow(), random: deps.random() }
    const result = classifyResult(sending, observed, times)
    circuits.attemptEnded(result)
    if (gaveUp.signal.aborted) return forget(result)
    const added = (isHead(result.attempt) ? heads : others).add(result)
    if (added === null) settle(result, false)
    else bytes += bytesOf(result.attempt)
  }

  /** @param recorded false: the delivery was further on already, or could not be stored at all */
  function settle(result: AttemptResult, recorded: boolean): void {
    forget(result)
    deps.reportAttempt(result, recorded)
    if (recorded) deps.disableGone(result)
  }

  function forget({ delivery }: AttemptResult): void {
    circuits.releaseProbe(delivery)
    inFlight.forget(delivery)
  }

  async function writeBatch(results: readonly AttemptResult[]): Promise<never[]> {
    try {
      await write(results)
    } finally {
      for (const { attempt } of results) bytes -= bytesOf(attempt)
    }
    // Sizes change when this has returned.
    setImmediate(deps.capacityFreed)
    return []
  }

  async function write(results: readonly AttemptResult[]): Promise<void> {
    const byDelivery = new Map<string, AttemptResult>()
    for (const result of results) {
      // The first of two attempts with one number is what counts, as it would in Postgres.
      if (byDelivery.has(result.attempt.deliveryId)) settle(result, false)
      else byDelivery.set(result.attempt.deliveryId, result)
    }
    const rows = [...byDelivery.values()].map(({ attempt }) => attempt)
    const refused = await writeRows(byDelivery, rows)
    if (refused.length === 0) return
    for (const row of await writeRows(byDelivery, refused.map(withoutData))) {
      const result = byDelivery.get(row.deliveryId)
      if (result !== undefined) settle(result, false)
    }
  }

  /** @returns the rows that Postgres refused for their data */
  async function writeRows(
    byDelivery: ByDelivery,
    rows: AttemptRecord[],
  ): Promise<AttemptRecord[]> {
    for (let failures = 1; ; failures += 1) {
      try {
        const { askedAt, written, superseded, refused, released } = await deps.mutex(async () => {
          const asked = deps.now()
          const current = rows.map((row) => underLease(row, byDelivery))
          return { askedAt: asked, ...(await statements.recordAttempts(current)) }
        })
        settleAll(byDelivery, rows, written, refused)
        if (released.length > 0) deps.admitReleased(released, askedAt)
        if (superseded.length > 0) sendAgain(byDelivery, superseded)
        for (const { row, error } of refused) {
          const { deliveryId, attemptNumber } = row
          log.error('attempt.not-stored', { deliveryId, attemptNumber, error })
        }
        return refused.map(({ row }) => row)
      } catch (error) {
        if (gaveUp.signal.aborted) return []
        log.warn('attempts.not-recorded', { rows: rows.length, waiting: size(), failures, error })
        if (!isUnavailable(error) && failures >= MAX_UNEXPLAINED)
          return await split(byDelivery, rows)
        await pause(RETRY_MS, undefined, { signal: gaveUp.signal }).catch(() => undefined)
      }
    }
  }

  /**
   * What fails is neither Postgres's absence nor plainly the data of a row; a row may be the cause.
   */
  async function split(byDelivery: ByDelivery, rows: AttemptRecord[]): Promise<AttemptRecord[]> {
    if (rows.length === 1) return rows
    const middle = rows.length >> 1
    const left = await writeRows(byDelivery, rows.slice(0, middle))
    return [...left, ...(await writeRows(byDelivery, rows.slice(middle)))]
  }

  function settleAll(
    byDelivery: ByDelivery,
    rows: readonly AttemptRecord[],
    written: readonly RecordedAttempt[],
    refused: readonly { row: AttemptRecord }[],
  ): void {
    const recorded = new Set(written.map((one) => one.deliveryId))
    const kept = new Set(refused.map(({ row }) => row.deliveryId))
    for (const { deliveryId } of rows) {
      const result = byDelivery.get(deliveryId)
      if (result !== undefined && !kept.has(deliveryId)) settle(result, recorded.has(deliveryId))
    }
  }

  /**
   * Their event was edited while they were sent. If this fails, they are due when their leases end.
   */
  function sendAgain(byDelivery: ByDelivery, ids: readonly string[]): void {
    const leased = ids.flatMap((id) => {
      const delivery = byDelivery.get(id)?.delivery
      if (delivery === undefined) return []
      const { tenantId, eventId } = delivery.message
      return [{ tenantId, id, eventId, token: delivery.token }]
    })
    statements
      .releaseLeases(leased)
      .catch((error: unknown) =>
        log.warn('superseded.not-released', { rows: leased.length, error }),
      )
  }

  return {
    record,
    size,
    full: (spare = 0) => size() >= MAX_UNRECORDED + spare || bytes >= MAX_UNRECORDED_BYTES,
    async idle() {
      await Promise.all([others.idle(), heads.idle()])
    },
    giveUp: () => gaveUp.abort(),
  }
}

function bytesOf({ responseBody, responseHeaders, requestBody }: AttemptRecord): number {
  return responseBody.length + (responseHeaders?.length ?? 0) + (requestBody?.length ?? 0)
}

/** What follows from the attempt stays; what the endpoint sent goes. */
function withoutData(row: AttemptRecord): AttemptRecord {
  const error = row.error === '' ? '' : NOT_STORED
  return { ...row, id: newId(), error, responseBody: '', responseHeaders: null, requestBody: null }
}

function isHead(row: AttemptRecord): boolean {
  return (row.head ?? null) !== null
}

/** The lease may have been renewed since the attempt ended. */
function underLease(row: AttemptRecord, byDelivery: ByDelivery): AttemptRecord {
  const { head } = row
  const token = byDelivery.get(row.deliveryId)?.delivery.token
  return head && token !== undefined ? { ...row, head: { ...head, token } } : row
}
