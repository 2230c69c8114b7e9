/**
 * One step of the deletion of a workspace: a batch of rows of the workspace and its sub-accounts.
 * What waits to be sent goes first, so that deliveries stop; then every table that has a
 * `tenant_id`, twice, with a pause between: what was under way when the deletion was asked for has
 * been written by then. Last goes the workspace itself. The job stays, and the row in the log of
 * sign-ins that is written when it ends.
 */
import type { Pool } from '@posthorn/store/pool'
import { inTransaction } from '@posthorn/store/transaction'
import type { JobStep } from '../subject-jobs/job-step.ts'
import { readTenantTables } from './tenant-tables.ts'

export interface RemovalPosition {
  /** 0: what waits; 1 and 2: all tables; 3: the workspace itself. */
  round: number
  /** How many tables of the round are done. */
  table: number
}

/** What makes the pipeline act, in the order in which it looks for work. */
const WAITING = ['due', 'parked', 'backlogs', 'lane_waiting', 'lanes', 'operational_events']
/** The job outlives the workspace. */
const JOBS = 'subject_jobs'
/** An attempt takes up to 30 s, and what its process has counted is written seconds later. */
const PAUSE_MS = 40_000
/** Some 50 ms. */
const BATCH = 2_000

export async function removalStep(
  pool: Pool,
  tenantId: string,
  position: RemovalPosition | null,
  pauseMs = PAUSE_MS,
): Promise<JobStep<RemovalPosition>> {
  const { round, table } = position ?? { round: 0, table: 0 }
  if (round === 3) return { position: null, done: await removeTenants(pool, tenantId) }
  const names = round === 0 ? WAITING : await tablesToEmpty(pool)
  let gone = 0
  for (const [index, name] of names.entries()) {
    if (index < table) continue
    gone += await removeBatch(pool, name, tenantId)
    // There may be more in this table.
    if (gone >= BATCH) return { position: { round, table: index }, done: gone }
  }
  if (round === 0) await removePeople(pool, tenantId)
  const next = { round: round + 1, table: 0 }
  return { position: next, done: gone, ...(round === 1 ? { waitMs: pauseMs } : {}) }
}

async function tablesToEmpty(pool: Pool): Promise<string[]> {
  const tables = await readTenantTables(pool)
  return tables.map(({ name }) => name).filter((name) => name !== JOBS)
}

const TENANTS = 'SELECT id FROM tenants WHERE id = $1 OR parent_id = $1'

async function removeBatch(pool: Pool, name: string, tenantId: string): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${name} WHERE tenant_id = ANY (ARRAY(${TENANTS})) LIMIT ${BATCH}))`,
    [tenantId],
  )
  return rowCount ?? 0
}

/**
 * Members of no other workspace, and what is known of anybody by the workspace's own identity
 * providers. Their keys are not the tenant's: they can be told only while its rows are there.
 */
async function removePeople(pool: Pool, tenantId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const ofConnections = `SELECT id FROM sso_connections WHERE tenant_id = ANY (ARRAY(${TENANTS}))`
    for (const [table, column] of BY_CONNECTION) {
      await client.query(
        `DELETE FROM ${table} WHERE ${column}::text IN (SELECT id::text FROM (${ofConnections}) c)`,
        [tenantId],
      )
    }
    const { rows } = await client.query<{ user_id: string }>(
      `DELETE FROM memberships WHERE tenant_id = ANY (ARRAY(${TENANTS})) RETURNING user_id`,
      [tenantId],
    )
    await client.query(
      `DELETE FROM users u WHERE u.id = ANY ($1::uuid[])
         AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
      [rows.map((row) => row.user_id)],
    )
    return true
  })
}

const BY_CONNECTION = [
  ['sso_identities', 'connection'],
  ['sso_flows', 'connection'],
  ['saml_assertions', 'connection_id'],
] as const

/** The other jobs of the workspace go with it; this one stays. */
async function removeTenants(pool: Pool, tenantId: string): Promise<number> {
  await pool.query(`DELETE FROM ${JOBS} WHERE tenant_id = $1 AND kind <> 'workspace_deletion'`, [
    tenantId,
  ])
  const children = await pool.query('DELETE FROM tenants WHERE parent_id = $1', [tenantId])
  const own = await pool.query('DELETE FROM tenants WHERE id = $1', [tenantId])
  return (children.rowCount ?? 0) + (own.rowCount ?? 0)
}
