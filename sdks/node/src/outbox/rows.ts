/**
 * The statements by which relays share the rows of an outbox. `due_at` is when a row may be taken:
 * who takes it moves that into the future, by a lease, so others leave it alone; a relay that died
 * leaves rows whose lease ends. A row may be taken twice by that, which is harmless: the API knows
 * its idempotency key. Rows are never looked for by their id, because a transaction that began early
 * may be committed late.
 */
import { channelOf } from './table.ts'

export interface OutboxDatabase {
  query(text: string, values: unknown[]): PromiseLike<{ rows: unknown[] }>
}

export interface OutboxEventRow {
  id: string
  idempotencyKey: string
  orderingKey: string | null
  scope: string
  event: string
  attempts: number
  /** It was first sent so long ago that the API may have forgotten its key. */
  isUncertain: boolean
}

export interface RowsConfig {
  table: string
  leaseMs: number
  /** null: never uncertain. */
  uncertainAfterMs: number | null
  /** Of the events that one statement takes; the first may be larger. */
  maxBytes: number
}

export interface OutboxRows {
  readonly channel: string
  /** Rows without an ordering key, the longest due first. */
  takeUnordered(limit: number): Promise<OutboxEventRow[]>
  /** The oldest rows of ordering keys; each call goes on behind the keys of the one before. */
  takeHeads(limit: number): Promise<OutboxEventRow[]>
  /** The oldest row of a key, if it may be taken. */
  takeNext(orderingKey: string): Promise<OutboxEventRow | undefined>
  accepted(ids: readonly string[]): Promise<void>
  rejected(id: string, reason: string): Promise<void>
  /** They are due again after a while; `attempts` counts how often. */
  later(ids: readonly string[], delayMs: number): Promise<void>
  /** Taken, but not sent. */
  release(ids: readonly string[]): Promise<void>
}

export function createRows(database: OutboxDatabase, config: RowsConfig): OutboxRows {
  const { table, leaseMs, uncertainAfterMs, maxBytes } = config
  const lease = `SET due_at = now() + $1::float8 * interval '1 ms',
  first_sent_at = coalesce(first_sent_at, now())`
  const answer = `RETURNING id::text AS "id", idempotency_key AS "idempotencyKey",
  ordering_key AS "orderingKey", scope, event, attempts,
  coalesce(first_sent_at < now() - $2::float8 * interval '1 ms', false) AS "isUncertain"`
  const leased = [leaseMs, uncertainAfterMs]
  let after = ''

  async function take(text: string, values: unknown[]): Promise<OutboxEventRow[]> {
    return (await database.query(text, [...leased, ...values])).rows as OutboxEventRow[]
  }
  async function takeHeads(limit: number): Promise<OutboxEventRow[]> {
    const text = `${readyHeads(table)} UPDATE ${table} ${lease} ${FITTING} ${answer}`
    const from = after
    const rows = await take(text, [limit, maxBytes, from])
    after = rows.reduce((last, row) => maxOf(last, row.orderingKey ?? ''), '')
    // Behind the last key there is nothing: go on with the first.
    return rows.length === 0 && from !== '' ? await takeHeads(limit) : rows
  }
  async function run(text: string, values: unknown[]): Promise<void> {
    await database.query(text, values)
  }
  return {
    channel: channelOf(table),
    takeUnordered: (limit) =>
      take(`${readyUnordered(table)} UPDATE ${table} ${lease} ${FITTING} ${answer}`, [
        limit,
        maxBytes,
      ]),
    takeHeads,
    async takeNext(orderingKey) {
      const oldest = `SELECT id FROM ${table} WHERE rejected_at IS NULL AND ordering_key = $3
  ORDER BY id LIMIT 1`
      const text = `UPDATE ${table} ${lease} WHERE id = (${oldest}) AND due_at <= now() ${answer}`
      return (await take(text, [orderingKey]))[0]
    },
    accepted: (ids) => run(`DELETE FROM ${table} WHERE id = ANY ($1::bigint[])`, [ids]),
    rejected: (id, reason) =>
      run(
        `UPDATE ${table} SET rejected_at = now(), rejection = $2
  WHERE id = $1::bigint AND rejected_at IS NULL`,
        [id, reason],
      ),
    later: (ids, delayMs) =>
      run(
        `UPDATE ${table} SET due_at = now() + $2::float8 * interval '1 ms', attempts = attempts + 1
  WHERE id = ANY ($1::bigint[])`,
        [ids, delayMs],
      ),
    release: (ids) =>
      run(`UPDATE ${table} SET due_at = now() WHERE id = ANY ($1::bigint[])`, [ids]),
  }
}

/** Where Postgres orders otherwise, beyond U+FFFF, a key is only looked at a round later. */
function maxOf(a: string, b: string): string {
  return a < b ? b : a
}

/** As many of those that are ready as fit, but one at least. */
const FITTING = `WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY due_at, id) - bytes AS before FROM ready
  ) AS sized
  WHERE before < $4::bigint
)`

function readyUnordered(table: string): string {
  return `WITH ready AS MATERIALIZED (
  SELECT id, due_at, octet_length(event) AS bytes FROM ${table}
  WHERE rejected_at IS NULL AND ordering_key IS NULL AND due_at <= now()
  ORDER BY due_at LIMIT $3::int FOR UPDATE SKIP LOCKED
)`
}

/**
 * Goes from key to key by the index, so a key with a million rows costs what one with a single row
 * costs. A row that was the oldest of its key stays the oldest until it is gone, so what an older
 * snapshot shows as a head is one, or is taken already.
 */
function readyHeads(table: string): string {
  const next = (condition: string): string =>
    `SELECT ordering_key, id, due_at FROM ${table}
    WHERE rejected_at IS NULL AND ${condition} ORDER BY ordering_key, id LIMIT 1`
  return `WITH RECURSIVE heads AS (
  (${next('ordering_key > $5::text')})
  UNION ALL
  SELECT follower.* FROM heads
  CROSS JOIN LATERAL (${next('ordering_key > heads.ordering_key')}) AS follower
), due AS MATERIALIZED (
  SELECT id FROM heads WHERE due_at <= now() LIMIT $3::int
), ready AS MATERIALIZED (
  SELECT id, due_at, octet_length(event) AS bytes FROM ${table}
  WHERE id IN (SELECT id FROM due) AND rejected_at IS NULL AND due_at <= now()
  FOR UPDATE SKIP LOCKED
)`
}
