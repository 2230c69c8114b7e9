/** Removes what is old by rules of its own: documents of exports, and counts of usage. */
import type { Pool } from '@posthorn/store/pool'
import { EXPORT_DAYS } from '../subject-jobs/job-record.ts'

/** `GET /usage/history` shows 24 months, and the one that is under way. */
const USAGE_MONTHS = 25
/** Some 50 ms, with pieces of a few hundred kilobytes each. */
const PIECES = 100
const DAYS = 5_000
/** Tenants whose counts one statement looks for. */
const TENANTS = 1_000

export interface RemovedOld {
  exportPieces: number
  usageDays: number
}

/** @param now epoch ms */
export async function removeOld(pool: Pool, now: number): Promise<RemovedOld> {
  return {
    exportPieces: await removePieces(pool, now),
    usageDays: await removeUsage(pool, now),
  }
}

async function removePieces(pool: Pool, now: number): Promise<number> {
  let gone = 0
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM subject_export_pieces WHERE (tenant_id, job_id, section, number) IN (
         SELECT p.tenant_id, p.job_id, p.section, p.number
         FROM subject_jobs j JOIN subject_export_pieces p
           ON p.tenant_id = j.tenant_id AND p.job_id = j.id
         WHERE j.kind = 'export'
           AND j.completed_at < to_timestamp($1::float8 / 1000) - interval '${EXPORT_DAYS} days'
         LIMIT ${PIECES})`,
      [now],
    )
    gone += rowCount ?? 0
    if ((rowCount ?? 0) < PIECES) return gone
  }
}

async function removeUsage(pool: Pool, now: number): Promise<number> {
  let gone = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM tenants WHERE id > $1 ORDER BY id LIMIT ${TENANTS}`,
      [after],
    )
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return gone
    gone += await removeUsageOf(pool, ids, now)
    after = last
  }
}

async function removeUsageOf(pool: Pool, ids: readonly string[], now: number): Promise<number> {
  let gone = 0
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM usage_days WHERE (tenant_id, day, process) IN (
         SELECT tenant_id, day, process FROM usage_days
         WHERE tenant_id = ANY ($1::uuid[]) AND day < date_trunc('month',
           to_timestamp($2::float8 / 1000) AT TIME ZONE 'UTC') - interval '${USAGE_MONTHS} months'
         LIMIT ${DAYS})`,
      [ids, now],
    )
    gone += rowCount ?? 0
    if ((rowCount ?? 0) < DAYS) return gone
  }
}
