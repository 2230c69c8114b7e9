/**
 * Recording the results of attempts: attempt rows, the states of deliveries and events, and what
 * comes next, in one statement. An attempt is recorded once: only while its delivery is open and
 * has exactly one attempt less than the attempt's number.
 *
 * What counts is the event as it was edited last: an attempt that sent an older edition of it
 * leaves a row that says so and changes nothing else. Such a row has the number that was sent with
 * it, which is also that of the attempt that takes its place.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Pool } from '../pool.ts'
import { writeRows } from '../repeat.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { boundsOf } from './sql/partition-bounds.ts'
import { recordStatement, supersedeStatement, type AttemptRecord } from './sql/record.ts'
import { lockHeads, releaseNext } from './lanes.ts'

export type { AttemptRecord } from './sql/record.ts'

export interface RecordedAttempt {
  deliveryId: string
  attemptNumber: number
}

export interface RecordingOutcome {
  /** An attempt that is missing found its delivery already further on, or was superseded. */
  written: RecordedAttempt[]
  /**
   * Ids of deliveries whose event has been edited since the attempt began: they are open, and to be
   * sent again.
   */
  superseded: string[]
  /** Rows that Postgres could not store. */
  refused: { row: AttemptRecord; error: unknown }[]
  /** The next heads of lanes, leased to the caller. */
  released: DueDelivery[]
}

/**
 * Best called for the heads of lanes and for other deliveries apart: heads need a transaction, in
 * which they wait for locks.
 */
export async function recordAttempts(
  pool: Pool,
  attempts: readonly AttemptRecord[],
): Promise<RecordingOutcome> {
  const sorted = [...attempts].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  const heads = sorted.filter(isHead)
  const others = heads.length === 0 ? sorted : sorted.filter((one) => !isHead(one))
  const recorded = await writeRows(others, (rows) => recordIn(pool, rows))
  if (heads.length === 0) return await withSuperseded(pool, sorted, { ...recorded, released: [] })
  const released: DueDelivery[] = []
  const recordedHeads = await writeRows(heads, async (rows) => {
    const one = await inTransaction(pool, (client) => recordHeads(client, rows))
    released.push(...(one?.released ?? []))
    return one?.written ?? []
  })
  return await withSuperseded(pool, sorted, {
    written: [...recorded.written, ...recordedHeads.written],
    refused: [...recorded.refused, ...recordedHeads.refused],
    released,
  })
}

/**
 * Looks among the attempts that were not written, mostly none, for those that sent what has been
 * edited since.
 */
async function withSuperseded(
  pool: Pool,
  attempts: readonly AttemptRecord[],
  recorded: Omit<RecordingOutcome, 'superseded'>,
): Promise<RecordingOutcome> {
  if (recorded.written.length === attempts.length) return { ...recorded, superseded: [] }
  const done = new Set([
    ...recorded.written.map(({ deliveryId }) => deliveryId),
    ...recorded.refused.map(({ row }) => row.deliveryId),
  ])
  const left = attempts.filter(({ deliveryId }) => !done.has(deliveryId))
  const { written, refused } = await writeRows(left, (rows) => supersede(pool, rows))
  return {
    ...recorded,
    refused: [...recorded.refused, ...refused],
    superseded: written.flatMap(({ id, open }) => (open ? [id] : [])),
  }
}

async function supersede(
  client: TransactionClient,
  rows: readonly AttemptRecord[],
): Promise<{ id: string; open: boolean }[]> {
  if (rows.length === 0) return []
  const deliveries = boundsOf(rows.map((row) => row.deliveryId))
  const events = boundsOf(rows.map((row) => row.eventId))
  const result = await client.query<{ id: string; open: boolean }>(
    supersedeStatement(rows, deliveries, events),
  )
  return result.rows
}

type HeadRecord = AttemptRecord & { endpointId: string; head: { lane: string; token: number } }

function isHead(attempt: AttemptRecord): attempt is HeadRecord {
  return (attempt.head ?? null) !== null && attempt.endpointId !== null
}

/**
 * Records heads only under leases that are still owned: when another dispatcher has taken over, its
 * attempt of the same head must end before the next one begins.
 */
async function recordHeads(
  client: TransactionClient,
  rows: readonly HeadRecord[],
): Promise<{ written: RecordedAttempt[]; released: DueDelivery[] }> {
  const heads = rows.map((row) => ({ ...row, ...row.head }))
  const owned = await lockHeads(client, heads)
  const ours = heads.filter(({ deliveryId }) => owned.has(deliveryId))
  if (ours.length === 0) return { written: [], released: [] }
  const written = await recordIn(client, ours)
  const ended = ours.filter(({ next }) => next.state !== 'waiting')
  return { written, released: await releaseNext(client, ended) }
}

async function recordIn(
  client: TransactionClient,
  rows: readonly AttemptRecord[],
): Promise<RecordedAttempt[]> {
  const deliveries = boundsOf(rows.map((row) => row.deliveryId))
  const events = boundsOf(rows.map((row) => row.eventId))
  const result = await client.query<{ id: string; attempts: number }>(
    recordStatement(rows, deliveries, events),
  )
  return result.rows.map((row) => ({ deliveryId: row.id, attemptNumber: row.attempts }))
}
