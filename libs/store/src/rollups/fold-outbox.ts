/**
 * Folding: what stands in the outbox is added to the rollups and deleted, in one transaction. So
 * each entry counts once, however often a fold is repeated or killed, and several processes may
 * fold at once: a row of the outbox goes to one of them, and rollups are locked in the order of
 * their keys. A fold costs by the rows of the rollups that it writes, so what a tenant has is
 * folded together.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { anyRow } from '../any-row.ts'
import type { Pool } from '../pool.ts'
import { selectivityHint } from '../pipeline/sql/selectivity-hint.ts'
import { withRetries } from '../repeat.ts'
import { inTransaction, type TransactionClient } from '../transaction.ts'
import { byKey } from '../pipeline/sql/by-key.ts'
import type { Grain } from './read-window.ts'
import {
  COUNT_COLUMNS,
  createEntrySums,
  type EntrySums,
  type MomentDelta,
  type RollupDelta,
} from './sum-entries.ts'

/** A row of the outbox, which is in the order of tenants. */
export interface OutboxPlace {
  tenantId: string
  id: number
}

export interface Folded {
  /** How many rows of the outbox are gone now; equal to the limit: there may be more. */
  rows: number
  /** How many rows of the rollups were written for them. */
  written: number
  /** The age in ms of the oldest of them; null: there was none. */
  oldestMs: number | null
  /** The last of them in the outbox's order; null: there was none. */
  last: OutboxPlace | null
  /** How much each tenant had. */
  bytes: ReadonlyMap<string, number>
}

/** What of the outbox is folded. */
export type FoldedPart =
  /** What comes after this place, in the outbox's order, and is as old as this. */
  | { after: OutboxPlace | null; minAgeMs: number }
  /**
   * Everything of these tenants. What another process is folding is waited for, or passed over.
   */
  | { tenantIds: readonly string[]; passesOver?: boolean }

/** @param limit of rows of the outbox */
export async function foldOutbox(pool: Pool, part: FoldedPart, limit: number): Promise<Folded> {
  const { name, condition, values, waits } = conditionOf(part)
  // Mostly nothing is there: no transaction for that.
  const isAny = await anyRow(pool, {
    name: `any-outbox-${name}`,
    text: `SELECT true FROM rollup_outbox WHERE ${condition} LIMIT 1`,
    values,
  })
  if (!isAny) return NOTHING
  const folded = await withRetries(() =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<TakenRow>({
        name: `take-outbox-${name}`,
        text: takeText(condition, values.length + 1, waits),
        values: [...values, limit],
      })
      const sums = await sumUp(rows)
      const written = await write(client, sums)
      return { rows: rows.length, written, ...summaryOf(rows) }
    }),
  )
  return folded ?? NOTHING
}

const NOTHING: Folded = { rows: 0, written: 0, oldestMs: null, last: null, bytes: new Map() }

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

function conditionOf(part: FoldedPart) {
  if ('tenantIds' in part) {
    const { tenantIds, passesOver = false } = part
    const values: unknown[] = [tenantIds]
    const name = passesOver ? 'of-passing-over' : 'of'
    return { name, condition: 'tenant_id = ANY ($1::uuid[])', values, waits: !passesOver }
  }
  const { tenantId, id } = part.after ?? { tenantId: FIRST_ID, id: 0 }
  return {
    name: 'after',
    condition: `(tenant_id, id) > ($1::uuid, $2::bigint)
      AND created_at <= now() - $3::float8 * interval '1 ms'`,
    values: [tenantId, id, part.minAgeMs] as unknown[],
    waits: false,
  }
}

interface TakenRow extends OutboxPlace {
  body: Buffer
  ageMs: number
}

// All lock them in one order, so that two who wait for each other's rows can't wait for ever.
const takeText = (condition: string, limitAt: number, waits: boolean): string => `WITH next AS
MATERIALIZED (
  SELECT tenant_id, id FROM rollup_outbox WHERE ${condition}
  ORDER BY tenant_id, id LIMIT $${limitAt} FOR UPDATE ${waits ? '' : 'SKIP LOCKED'}
)
DELETE FROM rollup_outbox o USING next n
WHERE ${byKey('o', { tenant_id: 'n.tenant_id', id: 'n.id' })} AND ${selectivityHint('n.id')}
RETURNING o.tenant_id AS "tenantId", o.id::float8 AS id, o.body,
  extract(epoch FROM clock_timestamp() - o.created_at)::float8 * 1000 AS "ageMs"`

function summaryOf(rows: readonly TakenRow[]): Pick<Folded, 'oldestMs' | 'last' | 'bytes'> {
  const bytes = new Map<string, number>()
  let [oldestMs, last] = [0, null as OutboxPlace | null]
  for (const { tenantId, id, body, ageMs } of rows) {
    bytes.set(tenantId, (bytes.get(tenantId) ?? 0) + body.length)
    oldestMs = Math.max(oldestMs, ageMs)
    if (last === null || isAfter({ tenantId, id }, last)) last = { tenantId, id }
  }
  return { oldestMs: last === null ? null : oldestMs, last, bytes }
}

function isAfter(one: OutboxPlace, other: OutboxPlace): boolean {
  return one.tenantId === other.tenantId ? one.id > other.id : one.tenantId > other.tenantId
}

/** Some 2 ms of work between two turns of the event loop. */
const BYTES_PER_TURN = 64 * 1024

async function sumUp(rows: readonly TakenRow[]): Promise<EntrySums> {
  const sums = createEntrySums()
  let bytes = 0
  for (const { tenantId, body } of rows) {
    sums.add(tenantId, body)
    bytes += body.length
    if (bytes < BYTES_PER_TURN) continue
    bytes = 0
    await nextTurn()
  }
  return sums
}

/** Some 5 ms to put a statement's values together. */
const ROWS_PER_STATEMENT = 500

/** @returns how many rows of the rollups */
async function write(client: TransactionClient, sums: EntrySums): Promise<number> {
  let written = 0
  for (const [grain, deltas] of Object.entries(sums.rollups())) {
    for (const some of slices(deltas)) {
      const rows = some.map(toRow)
      await client.query({
        name: `fold-${grain}`,
        text: upsertText(grain as Grain),
        values: [JSON.stringify(rows)],
      })
      written += rows.length
    }
  }
  for (const some of slices(sums.moments())) {
    const rows = some.map(momentRow)
    await client.query({
      name: 'fold-moments',
      text: UPSERT_MOMENTS,
      values: [JSON.stringify(rows)],
    })
    written += rows.length
  }
  return written
}

function* slices<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let slice: Row[] = []
  for (const row of rows) {
    slice.push(row)
    if (slice.length < ROWS_PER_STATEMENT) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

function toRow({ counts, cells, ...delta }: RollupDelta): object {
  return {
    t: delta.tenantId,
    s: delta.scopeId,
    b: delta.bucket,
    y: delta.lastSuccessAt,
    n: delta.lastFailureAt,
    h: arrayText(cells),
    ...counts,
  }
}

/** The cells from the first to the last that counts, as Postgres writes such an array. */
function arrayText(cells: readonly number[]): string | null {
  const first = cells.findIndex((count) => count > 0)
  if (first === -1) return null
  const last = cells.findLastIndex((count) => count > 0)
  return `[${first}:${last}]={${cells.slice(first, last + 1).join(',')}}`
}

function momentRow({ tenantId, bucket, accepted, delivered }: MomentDelta): object {
  return { t: tenantId, b: bucket, a: accepted, d: delivered }
}

const COUNTS = COUNT_COLUMNS.join(', ')

const upsertText = (grain: Grain): string => `INSERT INTO rollup_${grain} AS r
  (tenant_id, scope_id, bucket, last_success_at, last_failure_at, latency, ${COUNTS})
SELECT t, s, to_timestamp(b), to_timestamp(y), to_timestamp(n), h::int[], ${COUNTS}
FROM json_to_recordset($1::json) AS i (t uuid, s uuid, b float8, y float8, n float8, h text,
  ${COUNT_COLUMNS.map((column) => `${column} bigint`).join(', ')})
ORDER BY t, s, b
ON CONFLICT (tenant_id, scope_id, bucket) DO UPDATE SET
  ${COUNT_COLUMNS.map((column) => `${column} = r.${column} + excluded.${column}`).join(', ')},
  last_success_at = greatest(r.last_success_at, excluded.last_success_at),
  last_failure_at = greatest(r.last_failure_at, excluded.last_failure_at),
  latency = add_cells(r.latency, excluded.latency)`

const UPSERT_MOMENTS = `INSERT INTO rollup_moments AS r (tenant_id, bucket, accepted, delivered)
SELECT t, to_timestamp(b), a, d
FROM json_to_recordset($1::json) AS i (t uuid, b float8, a bigint, d bigint)
ORDER BY t, b
ON CONFLICT (tenant_id, bucket) DO UPDATE SET
  accepted = r.accepted + excluded.accepted, delivered = r.delivered + excluded.delivered`
