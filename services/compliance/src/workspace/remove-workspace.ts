/**
 * One step of the deletion of a workspace: a batch of rows of the workspace and its sub-accounts.
 * What waits to be sent goes first, so that deliveries stop; then every table that has a
 * `tenant_id`, twice, with a pause between: what was under way when the deletion was asked for has
 * been written by then. Last go the rows of the sub-accounts, some at a time, and the workspace's
 * own. The job stays, and the row in the log of sign-ins that is written when it ends.
 *
 * Nothing is left to the cascades of foreign keys: whatever refers to a row has gone before it, in
 * batches of its own. So no statement locks more than a batch of rows, or lasts longer than one.
 */
import type { Pool } from '@posthorn/store/pool'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import type { JobStep } from '../subject-jobs/job-step.ts'
import { readTenantTables } from './tenant-tables.ts'

export interface RemovalPosition {
  /** 0: what waits; 1 and 2: all tables; 3: the workspace itself. */
  round: number
  /**
   * The table that comes next; null: the round's first. By its name, as partitions come and go.
   */
  table: string | null
}

/** What makes the pipeline act, in the order in which it looks for work. */
const WAITING = ['due', 'parked', 'backlogs', 'lane_waiting', 'lanes', 'operational_events']
/** The job outlives the workspace. */
const JOBS = 'subject_jobs'
/** An attempt takes up to 30 s, and what its process has counted is written seconds later. */
const PAUSE_MS = 40_000
/** Some 50 ms. */
const BATCH = 2_000
/** A row of `tenants` is looked for in each of the 25 tables that refer to it. */
const TENANT_BATCH = 100
/** Most tables of a round are empty. A step ends after so long, well within its job's lease. */
const STEP_MS = 1_000

export async function removalStep(
  pool: Pool,
  tenantId: string,
  position: RemovalPosition | null,
  pauseMs = PAUSE_MS,
): Promise<JobStep<RemovalPosition>> {
  const { round, table } = position ?? { round: 0, table: null }
  if (round === 3) return await removeTenants(pool, tenantId)
  const until = performance.now() + STEP_MS
  const removals = round === 0 ? waitingRemovals() : await allRemovals(pool)
  // A partition that was dropped meanwhile begins the round anew: what is gone costs a look.
  const first = Math.max(
    0,
    removals.findIndex(({ name }) => name === table),
  )
  let gone = 0
  for (const { name, remove } of removals.slice(first)) {
    if (performance.now() > until) return { position: { round, table: name }, done: gone }
    const { count, isLast } = await remove(pool, tenantId)
    gone += count
    if (!isLast || gone >= BATCH) return { position: { round, table: name }, done: gone }
  }
  const next = { round: round + 1, table: null }
  return { position: next, done: gone, ...(round === 1 ? { waitMs: pauseMs } : {}) }
}

interface RemovedBatch {
  count: number
  /** Nothing was left when it was looked for. */
  isLast: boolean
}

interface Removal {
  name: string
  remove(pool: Pool, tenantId: string): Promise<RemovedBatch>
}

function removalOf(name: string, where?: string): Removal {
  return { name, remove: (pool, tenantId) => removeBatch(pool, { name, where }, tenantId) }
}

/**
 * What is of people goes while the workspace's connections and memberships are still there: only
 * these tell whose it is.
 */
function waitingRemovals(): Removal[] {
  const members: Removal = { name: 'memberships', remove: removeMembers }
  const ofConnections = BY_CONNECTION.map(([name, column]) =>
    removalOf(name, `${column}::text IN (${CONNECTIONS})`),
  )
  return [...WAITING.map((name) => removalOf(name)), ...ofConnections, members]
}

async function allRemovals(pool: Pool): Promise<Removal[]> {
  const tables = await readTenantTables(pool)
  const others = tables.filter(({ name }) => name !== JOBS).map(({ name }) => removalOf(name))
  // The other jobs of the workspace go with it; this one stays.
  return [...others, removalOf(JOBS, `${OF_WORKSPACE} AND kind <> 'workspace_deletion'`)]
}

const TENANTS = 'SELECT id FROM tenants WHERE id = $1 OR parent_id = $1'
const OF_WORKSPACE = `tenant_id = ANY (ARRAY(${TENANTS}))`
const CONNECTIONS = `SELECT id::text FROM sso_connections WHERE ${OF_WORKSPACE}`

/** What is known of anybody by the workspace's own identity providers. */
const BY_CONNECTION = [
  ['sso_identities', 'connection'],
  ['sso_flows', 'connection'],
  ['saml_assertions', 'connection_id'],
] as const

async function removeBatch(
  pool: Pool,
  { name, where = OF_WORKSPACE }: { name: string; where: string | undefined },
  tenantId: string,
): Promise<RemovedBatch> {
  const { rowCount } = await pool.query(
    `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${name} WHERE ${where} LIMIT ${BATCH}))`,
    [tenantId],
  )
  const count = rowCount ?? 0
  return { count, isLast: count < BATCH }
}

/** So many people go in one transaction, with what each of them has. */
const MEMBERS = 200

/** Members, and their users where they belong to no other workspace. */
async function removeMembers(pool: Pool, tenantId: string): Promise<RemovedBatch> {
  const gone = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ user_id: string }>(
      `DELETE FROM memberships WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM memberships WHERE ${OF_WORKSPACE} LIMIT ${MEMBERS}))
       RETURNING user_id`,
      [tenantId],
    )
    await removeUsers(client, [...new Set(rows.map((row) => row.user_id))])
    return rows.length
  })
  const count = gone ?? 0
  return { count, isLast: count < MEMBERS }
}

/** What refers to users, by foreign keys: they have few rows each. */
async function removeUsers(client: TransactionClient, ids: readonly string[]): Promise<void> {
  await client.query(
    `DELETE FROM users u WHERE u.id = ANY ($1::uuid[])
       AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
    [ids],
  )
}

/** Sub-accounts in batches; once there are none, the workspace's own row, and with it the job. */
async function removeTenants(pool: Pool, tenantId: string): Promise<JobStep<RemovalPosition>> {
  const children = await pool.query(
    `DELETE FROM tenants WHERE id = ANY (ARRAY(
       SELECT id FROM tenants WHERE parent_id = $1 ORDER BY id LIMIT ${TENANT_BATCH}))`,
    [tenantId],
  )
  const count = children.rowCount ?? 0
  if (count > 0) return { position: { round: 3, table: null }, done: count }
  const own = await pool.query('DELETE FROM tenants WHERE id = $1', [tenantId])
  return { position: null, done: own.rowCount ?? 0 }
}
