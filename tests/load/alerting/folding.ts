/**
 * What it costs to fold 500 events a second of 10,000 tenants with two endpoints each, by how long
 * they wait in the outbox. A tenant's events of two minutes go into the same rows of the rollups.
 */
import { newId } from '@posthorn/domain/ids'
import type { Pool } from '@posthorn/store/pool'
import { ENTRY_KIND, type EntryKind, NO_ID } from '@posthorn/store/rollups/entries'
import { type Folded, foldOutbox, type OutboxPlace } from '@posthorn/store/rollups/fold-outbox'

const TENANTS = 10_000
const PER_S = 500
const SECONDS = 120
const ROWS_PER_FOLD = 1_000

interface FoldedTenant {
  tenantId: string
  projectId: string
  endpoints: [string, string]
}

export interface FoldCost {
  rowsWritten: number
  ms: number
  walBytes: number
}

/**
 * @param waitS how long the events wait
 * @returns what an event costs, from a checkpoint on
 */
export async function measureFolding(pool: Pool, waitS: number): Promise<FoldCost> {
  const tenants = Array.from({ length: TENANTS }, (): FoldedTenant => {
    return { tenantId: newId(), projectId: newId(), endpoints: [newId(), newId()] }
  })
  const startedAt = Math.floor(Date.now() / 1_000)
  const total = { rowsWritten: 0, ms: 0, walBytes: 0 }
  await pool.query('CHECKPOINT')
  for (let second = 0; second < SECONDS; second += waitS) {
    for (let n = second; n < second + waitS; n += 1) {
      const own = Array.from({ length: PER_S }, (_, at) => {
        return tenants[(n * PER_S + at) % TENANTS] as FoldedTenant
      })
      await addEvents(pool, own, startedAt + n)
    }
    const before = await readWal(pool)
    const began = performance.now()
    total.rowsWritten += await foldAll(pool)
    total.ms += performance.now() - began
    total.walBytes += (await readWal(pool)) - before
  }
  const events = PER_S * SECONDS
  return {
    rowsWritten: total.rowsWritten / events,
    ms: total.ms / events,
    walBytes: total.walBytes / events,
  }
}

/** What accepting, fanning out and recording write of an event to each of these. */
async function addEvents(
  pool: Pool,
  tenants: readonly FoldedTenant[],
  second: number,
): Promise<void> {
  const rows = tenants.flatMap(({ tenantId, projectId, endpoints }) => [
    { tenantId, body: entry(NO_ID, projectId, 'accepted', second) },
    { tenantId, body: endpoints.map((id) => entry(id, NO_ID, 'made', second)).join('') },
    { tenantId, body: endpoints.map((id) => entry(id, projectId, 'succeeded', second)).join('') },
  ])
  await pool.query(
    `INSERT INTO rollup_outbox (tenant_id, body)
     SELECT t, decode(b, 'hex') FROM unnest($1::uuid[], $2::text[]) AS i (t, b)`,
    [rows.map(({ tenantId }) => tenantId), rows.map(({ body }) => body)],
  )
}

/** In hex. */
function entry(endpointId: string, projectId: string, kind: EntryKind, second: number): string {
  const cell = kind === 'succeeded' ? 20 : 0
  const code = BigInt(second) * 4_096n + BigInt(ENTRY_KIND[kind] * 128 + cell)
  return `${endpointId}${projectId}`.replaceAll('-', '') + code.toString(16).padStart(16, '0')
}

async function foldAll(pool: Pool): Promise<number> {
  let [after, written] = [null as OutboxPlace | null, 0]
  for (;;) {
    const folded: Folded = await foldOutbox(pool, { after, minAgeMs: 0 }, ROWS_PER_FOLD)
    written += folded.written
    after = folded.last
    if (folded.rows < ROWS_PER_FOLD) return written
  }
}

async function readWal(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS bytes`,
  )
  return rows[0]?.bytes ?? 0
}
