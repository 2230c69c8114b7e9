/**
 * Folding: what stands in the outbox is added to the rollups and deleted, in one transaction. So
 * each entry counts once, however often a fold is repeated or killed, and several processes may
 * fold at once: a row of the outbox goes to one of them, and rollups are locked in the order of
 * their keys.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from '../pool.ts'
import { selectivityHint } from '../pipeline/sql/selectivity-hint.ts'
import { withRetries } from '../repeat.ts'
import { inTransaction, type TransactionClient } from '../transaction.ts'
import type { Grain } from './read-window.ts'
import {
  COUNT_COLUMNS,
  createEntrySums,
  type EntrySums,
  type MomentDelta,
  type RollupDelta,
} from './sum-entries.ts'

export interface Folded {
  /** How many rows of the outbox are gone now; equal to the limit: there may be more. */
  rows: number
  /** The age in ms of the oldest of them; null: there was none. */
  oldestMs: number | null
}

export async function foldOutbox(pool: Pool, limit: number): Promise<Folded> {
  // Mostly nothing is there: no transaction for that.
  const { rowCount } = await pool.query({ name: 'any-outbox', text: ANY })
  if (rowCount === 0) return { rows: 0, oldestMs: null }
  const folded = await withRetries(() =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<TakenRow>({
        name: 'take-outbox',
        text: TAKE,
        values: [limit],
      })
      const sums = await sumUp(rows)
      await write(client, sums)
      return { rows: rows.length, oldestMs: Math.max(0, ...rows.map(({ ageMs }) => ageMs)) }
    }),
  )
  return folded ?? { rows: 0, oldestMs: null }
}

interface TakenRow {
  tenantId: string
  body: Buffer
  ageMs: number
}

const ANY = 'SELECT FROM rollup_outbox LIMIT 1'

const TAKE = `WITH next AS MATERIALIZED (
  SELECT tenant_id, id FROM rollup_outbox LIMIT $1 FOR UPDATE SKIP LOCKED
)
DELETE FROM rollup_outbox o USING next n
WHERE o.tenant_id = n.tenant_id AND o.id = n.id AND ${selectivityHint('n.id')}
RETURNING o.tenant_id AS "tenantId", o.body,
  extract(epoch FROM clock_timestamp() - o.created_at)::float8 * 1000 AS "ageMs"`

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

async function write(client: TransactionClient, sums: EntrySums): Promise<void> {
  for (const [grain, deltas] of Object.entries(sums.rollups())) {
    for (const some of slices(deltas)) {
      const rows = some.map(toRow)
      await client.query({
        name: `fold-${grain}`,
        text: upsertText(grain as Grain),
        values: [JSON.stringify(rows)],
      })
    }
  }
  for (const some of slices(sums.moments())) {
    const rows = some.map(momentRow)
    await client.query({
      name: 'fold-moments',
      text: UPSERT_MOMENTS,
      values: [JSON.stringify(rows)],
    })
  }
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
