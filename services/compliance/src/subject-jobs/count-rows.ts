/**
 * Counts what a job will look at, before it begins: some rows in each step, so that no step lasts
 * for as long as the job's lease, however large the workspace is. How far it came is part of the
 * job's position.
 */
import type { Pool } from '@posthorn/store/pool'
import { FIRST_ID, nextTenant, type SearchedTable } from './find-references.ts'
import type { JobStep } from './job-step.ts'
import { BEGINNING, type WalkPosition } from './walk.ts'

/** A job that is still counting, and the rows that it has counted. */
export interface CountPosition extends WalkPosition {
  counted: number
}

/** Some 10 ms of a page that is in memory. */
const PAGE = 10_000
/** A workspace may have 10,000 sub-accounts with hardly a row. */
const PAGES = 50
/** Pages that are read from a slow disk: with its last one a step takes half a lease at most. */
const STEP_MS = 1_000

export function isCounting(position: object | null): position is CountPosition | null {
  return position === null || 'counted' in position
}

/** @param first the position from which the job begins once everything is counted */
export async function countStep<Position>(
  pool: Pool,
  workspaceId: string,
  { position, tables }: { position: CountPosition | null; tables: readonly SearchedTable[] },
  first: Position,
): Promise<JobStep<CountPosition | Position>> {
  const until = performance.now() + STEP_MS
  let { table, tenantId, after, counted }: CountPosition = position ?? { ...BEGINNING, counted: 0 }
  const before = counted
  for (let page = 0; page < PAGES && counted - before < PAGE; page += 1) {
    if (performance.now() > until) break
    const name = tables[table]?.name
    if (name === undefined) return { position: first, done: 0, total: counted }
    tenantId ??= await nextTenant(pool, workspaceId, null)
    if (tenantId === null) return { position: first, done: 0, total: counted }
    const { count, last } = await countPage(pool, name, tenantId, after)
    counted += count
    after = last
    if (count === PAGE) continue
    tenantId = await nextTenant(pool, workspaceId, tenantId)
    after = FIRST_ID
    if (tenantId === null) table += 1
  }
  return { position: { table, tenantId, after, counted }, done: 0 }
}

async function countPage(
  pool: Pool,
  name: SearchedTable['name'],
  tenantId: string,
  after: string,
): Promise<{ count: number; last: string }> {
  const { rows } = await pool.query<{ count: number; last: string | null }>(
    `SELECT count(*)::int AS count, max(id::text COLLATE "C") AS last FROM (
       SELECT r.id FROM ${name} r WHERE r.tenant_id = $1 AND r.id > $2
       ORDER BY r.id LIMIT ${PAGE}) x`,
    [tenantId, after],
  )
  return { count: rows[0]?.count ?? 0, last: rows[0]?.last ?? after }
}
