/**
 * Removes batches of what a tenant keeps no longer, for retention, and tells the tenant by the same
 * statement how much has gone.
 */
import { idAt, newId, timeOfId } from '@posthorn/domain/ids'
import { RETENTION_ACTION, timeSql, toldSql, toldValues } from './audit/record-removed.ts'
import { boundsOf } from './pipeline/sql/partition-bounds.ts'
import type { Pool } from './pool.ts'
import type { RetainedKind } from './retention-windows.ts'
import { byKey, dueBy } from './pipeline/sql/by-key.ts'

/** One statement deletes so many events, with what belongs to them: some 50 ms. */
const BATCH = 500
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** What the next batch may delete. */
export interface RemovalCandidates {
  /** null: sign-ins of nobody knows which workspace. */
  tenantId: string | null
  before: Date
  after: string
}

export interface RemovedBatch {
  deleted: number
  /** Where the next begins; null: there is none. */
  after: string | null
}

export interface Removal {
  kind: RetainedKind
  table: 'events' | 'attempts' | 'audit_logs' | 'auth_audit_logs'
  /** Usage is counted from it, and it stays until that is done. */
  isCounted: boolean
  remove(pool: Pool, candidates: RemovalCandidates, ids: string[]): Promise<number>
}

export const REMOVALS: readonly Removal[] = [
  { kind: 'attempts', table: 'attempts', isCounted: true, remove: deleteAttempts },
  { kind: 'events', table: 'events', isCounted: true, remove: deleteEvents },
  { kind: 'auditLogs', table: 'audit_logs', isCounted: false, remove: deleteAuditRows },
  { kind: 'authAudit', table: 'auth_audit_logs', isCounted: false, remove: deleteSignIns },
]

export async function removeBatch(
  pool: Pool,
  { table, remove }: Removal,
  candidates: RemovalCandidates,
): Promise<RemovedBatch> {
  const ids = await oldIds(pool, table, candidates)
  if (ids.length === 0) return { deleted: 0, after: null }
  const deleted = await remove(pool, candidates, ids)
  const last = ids.length < BATCH ? undefined : ids.at(-1)
  return { deleted, after: last ?? null }
}

/**
 * Ids that are old enough. Whether their events have ended, and when, is asked by the statement
 * that deletes them.
 */
async function oldIds(
  pool: Pool,
  table: Removal['table'],
  { tenantId, after, before }: RemovalCandidates,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE ${ofTenant(tenantId)} AND id > $2 AND id < $3
     ORDER BY id LIMIT ${BATCH}`,
    [tenantId, after, idAt(before.getTime())],
  )
  return rows.map(({ id }) => id)
}

/** A condition that finds the rows of the tenant `$1`. */
function ofTenant(tenantId: string | null): string {
  return tenantId === null ? 'tenant_id IS NULL AND $1::uuid IS NULL' : 'tenant_id = $1'
}

// These statements have no name, and their days are literals: `pipeline/sql/partition-bounds.ts`
// tells why. A replay that comes at the same moment either finds nothing or makes the event one
// that has not ended. Deliveries may be of any day. What has ended may still have a row of `due`
// for a moment, which the sweep would drop only while it can see that the delivery has ended.
async function deleteEvents(
  pool: Pool,
  { tenantId, before }: RemovalCandidates,
  ids: string[],
): Promise<number> {
  const bounds = boundsOf(ids)
  const { rowCount } = await pool.query(
    `WITH gone AS (
       DELETE FROM events e
       WHERE e.tenant_id = $1 AND e.id = ANY ($2::uuid[]) AND ${bounds.within('e.id')}
         AND e.ended_at < $3 RETURNING e.tenant_id, e.id, e.idempotency_key
     ), direct AS (
       DELETE FROM deliveries d USING gone g
       WHERE d.tenant_id = $1 AND d.id = g.id AND d.endpoint_id IS NULL
         AND ${bounds.within('d.id')}
     ), fanned_out AS (
       DELETE FROM deliveries d USING gone g
       WHERE d.tenant_id = $1 AND d.event_id = g.id AND d.endpoint_id IS NOT NULL
       RETURNING d.tenant_id, d.id
     ), undue AS (
       DELETE FROM due USING (
         SELECT tenant_id, id FROM gone UNION ALL SELECT tenant_id, id FROM fanned_out
       ) g WHERE ${dueBy('g')}
     ), keys AS (
       DELETE FROM idempotency_keys k USING gone g
       WHERE ${byKey('k', { tenant_id: 'g.tenant_id', key: 'g.idempotency_key' })}
         AND k.event_id = g.id
     ), ${tellSql(4)}
     SELECT FROM gone`,
    [tenantId, ids, before, ...tellValues('events')],
  )
  return rowCount ?? 0
}

async function deleteAttempts(
  pool: Pool,
  { tenantId, before }: RemovalCandidates,
  ids: string[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `WITH gone AS (
       DELETE FROM attempts a
       WHERE a.tenant_id = $1 AND a.id = ANY ($2::uuid[]) AND ${boundsOf(ids).within('a.id')}
         AND NOT EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.id = a.event_id
           AND (e.ended_at IS NULL OR e.ended_at >= $3)) RETURNING 1
     ), ${tellSql(4)}
     SELECT FROM gone`,
    [tenantId, ids, before, ...tellValues('attempts')],
  )
  return rowCount ?? 0
}

// Rows that belong to no event: they end with the moment that they are of.

async function deleteAuditRows(
  pool: Pool,
  { tenantId }: RemovalCandidates,
  ids: string[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `WITH all_gone AS (
       DELETE FROM audit_logs WHERE tenant_id = $1 AND id = ANY ($2::uuid[])
         AND ${boundsOf(ids).within('id')} RETURNING action
     ), gone AS (
       SELECT FROM all_gone WHERE action <> '${RETENTION_ACTION}'
     ), ${tellSql(3)}
     SELECT FROM all_gone`,
    [tenantId, ids, ...tellValues('auditLogs')],
  )
  return rowCount ?? 0
}

async function deleteSignIns(
  pool: Pool,
  { tenantId }: RemovalCandidates,
  ids: string[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `WITH gone AS (
       DELETE FROM auth_audit_logs WHERE ${ofTenant(tenantId)} AND id = ANY ($2::uuid[])
         AND ${boundsOf(ids).within('id')} RETURNING 1
     ), ${tellSql(3)}
     SELECT FROM gone`,
    [tenantId, ids, ...tellValues('authAudit')],
  )
  return rowCount ?? 0
}

/**
 * What follows a CTE `gone` in a statement whose `$1` is the tenant.
 * @param first number of the first of the parameters that `tellValues` gives
 */
function tellSql(first: number): string {
  return `removed AS (
       SELECT $1::uuid AS tenant_id, (SELECT count(*) FROM gone) AS count,
         $${first + 3}::uuid AS id, ${timeSql(`$${first + 4}`)} AS at
     ), ${toldSql(first)}`
}

function tellValues(kind: RetainedKind): unknown[] {
  const id = newId()
  return [...toldValues(kind, id), id, timeOfId(id)]
}
