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
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { storable, writeRows } from '../repeat.ts'
import { codeOfAttempt, writeOutboxSql } from '../rollups/entries.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { dueBy } from './sql/by-key.ts'
import { countMoved, MOVED_COLUMNS } from './sql/count-moved.ts'
import { type PartitionBounds, boundsOf } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { lockHeads, releaseNext } from './lanes.ts'

export interface AttemptRecord {
  tenantId: string
  /** UUIDv7 of the attempt's start. */
  id: string
  projectId: string
  eventId: string
  deliveryId: string
  endpointId: string | null
  endpointVersion: number | null
  eventType: string | null
  url: string
  attemptNumber: number
  /** How often the event had been edited when this was sent; absent: never. */
  edition?: number
  statusCode: number
  /** '' on success. */
  error: string
  durationMs: number
  overheadUs: number
  responseBody: string
  /** JSON text. */
  responseHeaders: string | null
  /** null: the event's payload. */
  requestBody: string | null
  next:
    | { state: 'delivered' }
    | { state: 'waiting'; afterMs: number }
    | { state: 'dead'; reason: string }
  /** The lane of a head, and the token of its lease. */
  head?: { lane: string; token: number } | null
}

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
  const result = await client.query<{ id: string; open: boolean }>({
    name: `supersede-attempts ${deliveries.name} ${events.name}`,
    text: supersedeStatement(deliveries, events),
    values: [JSON.stringify(rows.map(toSupersededRow))],
  })
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
  const result = await client.query<{ id: string; attempts: number }>({
    name: `record-attempts ${deliveries.name} ${events.name}`,
    text: recordStatement(deliveries, events),
    values: [JSON.stringify(rows.map(toRow))],
  })
  return result.rows.map((row) => ({ deliveryId: row.id, attemptNumber: row.attempts }))
}

function toRow(attempt: AttemptRecord): object {
  const { next } = attempt
  return {
    t: attempt.tenantId,
    id: attempt.id,
    p: attempt.projectId,
    e: attempt.eventId,
    d: attempt.deliveryId,
    g: attempt.endpointId,
    v: attempt.endpointVersion,
    y: attempt.eventType,
    u: storable(attempt.url),
    n: attempt.attemptNumber,
    ...((attempt.edition ?? 0) > 0 ? { o: attempt.edition } : {}),
    s: attempt.statusCode,
    x: storable(attempt.error),
    ms: attempt.durationMs,
    us: attempt.overheadUs,
    b: storable(attempt.responseBody),
    h: attempt.responseHeaders === null ? null : storable(attempt.responseHeaders),
    q: attempt.requestBody === null ? null : storable(attempt.requestBody),
    z: STATE_CODE[next.state],
    a: next.state === 'waiting' ? next.afterMs : null,
    r: next.state === 'dead' ? next.reason : null,
    w: codeOfAttempt(attempt, next.state === 'dead'),
  }
}

/** It counts as a failure of no endpoint's making, and leaves the delivery as it is. */
function toSupersededRow(attempt: AttemptRecord): object {
  return { ...toRow(attempt), w: codeOfAttempt({ ...attempt, error: SUPERSEDED }, false) }
}

// Results of all kinds may be recorded from the same states: a test of the domain shows that the
// three triggers agree.
const OPEN = statesBefore('succeed').join(', ')
const { waiting, delivered, dead } = STATE_CODE

const INPUT = `input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS i (t uuid, id uuid, p uuid, e uuid, d uuid, g uuid,
    v int, y text, u text, n int, s smallint, x text, ms int, us int, b text, h text, q text,
    z smallint, a float8, r text, o int, w bigint)
  WHERE ${selectivityHint('i.id')}
)`
const INPUT_COLUMNS =
  'i.id AS attempt_id, i.p, i.g, i.v, i.y, i.u, i.s, i.x, i.ms, i.us, i.b, i.h, i.q, i.w'
/** Their codes come with the input, for attempts count at the time at which they began. */
const MOVED_ENTRIES = 'SELECT tenant_id, g AS endpoint_id, p AS project_id, w AS code FROM moved'
const ATTEMPT_COLUMNS = `tenant_id, id, project_id, event_id, delivery_id, endpoint_id,
    endpoint_version, event_type, url, attempt_number, status_code, error, duration_ms, overhead_us,
    next_attempt_at, response_body, response_headers, request_body`
/**
 * `MAX_TOTAL_ATTEMPTS` keeps all numbers below this one. A delivery that had reached it before that
 * limit was introduced ends with its next attempt.
 */
const MAX_SMALLINT = 32_767

// `moved` returns all that an attempt's row needs. Were it joined with the input again, each of two
// records of one attempt would find the delivery that only one of them moved.
function recordStatement(deliveries: PartitionBounds, events: PartitionBounds): string {
  return `WITH ${INPUT}, moved AS (
  UPDATE deliveries d SET state_before = d.state, state = i.z,
    tries = least(i.n, ${MAX_SMALLINT}), dead_reason = i.r,
    ended_at = CASE WHEN i.z IN (${delivered}, ${dead}) THEN now() END
  FROM input i
  WHERE d.tenant_id = i.t AND d.id = i.d AND d.tries = i.n - 1 AND d.edition = coalesce(i.o, 0)
    AND d.state IN (${OPEN}) AND ${deliveries.within('d.id')}
  RETURNING ${MOVED_COLUMNS}, ${INPUT_COLUMNS},
    CASE WHEN i.a IS NOT NULL THEN now() + i.a * interval '1 millisecond' END AS next_at
), attempted AS (
  INSERT INTO attempts (${ATTEMPT_COLUMNS})
  SELECT tenant_id, attempt_id, p, event_id, id, g, v, y, u, attempts, s, x, ms, us, next_at,
    b, h, q
  FROM moved
), ${writeOutboxSql('outbox', MOVED_ENTRIES)}, again AS (
  UPDATE due SET due_at = m.next_at, leased = false FROM moved m
  WHERE m.state = ${waiting} AND ${dueBy('m')}
), ended AS (
  DELETE FROM due USING moved m
  WHERE m.state IN (${delivered}, ${dead}) AND ${dueBy('m')}
), ${countMoved('moved', events)}
SELECT id, attempts FROM moved`
}

const OLD_ENTRIES = `SELECT o.tenant_id, o.g AS endpoint_id, o.p AS project_id, o.w AS code
    FROM old o JOIN attempted a ON a.tenant_id = o.tenant_id AND a.id = o.attempt_id`

/** The error of an attempt that sent what has been edited since begins with this. */
export const SUPERSEDED = 'superseded: '

// The delivery may have ended meanwhile, by an attempt of the edited event. The attempt may be
// recorded again: its row is there then.
function supersedeStatement(deliveries: PartitionBounds, events: PartitionBounds): string {
  return `WITH ${INPUT}, old AS (
  UPDATE deliveries d SET state_before = d.state,
    state = CASE WHEN d.state IN (${statesBefore('expire').join(', ')}) THEN ${STATE_CODE.queued}
      ELSE d.state END
  FROM input i
  WHERE d.tenant_id = i.t AND d.id = i.d AND d.edition > coalesce(i.o, 0)
    AND ${deliveries.within('d.id')}
  RETURNING ${MOVED_COLUMNS}, ${INPUT_COLUMNS}, least(i.n, ${MAX_SMALLINT}) AS n,
    d.state IN (${OPEN}) AS open
), attempted AS (
  INSERT INTO attempts (${ATTEMPT_COLUMNS})
  SELECT tenant_id, attempt_id, p, event_id, id, g, v, y, u, n, s,
    '${SUPERSEDED}the event was edited after this was sent'
      || CASE x WHEN '' THEN '' ELSE ' (' || x || ')' END,
    ms, us, CASE WHEN open THEN now() END, b, h, q
  FROM old ON CONFLICT DO NOTHING RETURNING tenant_id, id
), ${writeOutboxSql('outbox', OLD_ENTRIES)}, moved AS (
  SELECT * FROM old WHERE state <> state_before
), ${countMoved('moved', events)}
SELECT id, open FROM old`
}
