/**
 * Brings a database to this version: the numbered migrations in order, each in a transaction of its
 * own, under an advisory lock, recorded in Prisma's own table. Forward only; a migration that has
 * run must not change afterwards (`migrations.sha256` holds it to that).
 *
 * The version before is at work meanwhile. A lock that waits holds up everybody who comes after it,
 * so a migration begins with all its locks in hand, or gives way and comes again.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ensurePartitions } from './partitions.ts'
import { isRetryable } from './pool.ts'
import { takeLocks, TablesBusyError } from './take-locks.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
/**
 * Any number, as long as no other software takes the same: 'posthorn' in ASCII, first 7 letters.
 */
const LOCK = '31647391416446575'
/** For so long at most others wait behind a migration that waits for its locks. */
const LOCK_WAIT_MS = 800
/**
 * Postgres ends an autovacuum that somebody has waited for since a second, so one attempt in five
 * waits for longer than that. Services give up a lock after 2 s, so none of theirs fails.
 */
const AUTOVACUUM_WAIT_MS = 1_500
const AUTOVACUUM_EVERY = 5
/** How long a migration tries to get its locks. */
interface Patience {
  /** Those who waited behind it go first. */
  giveWayMs: number
  maxAttempts: number
}
/** For about four minutes: a report or a dump that takes longer is ended by whoever started it. */
const PATIENCE: Patience = { giveWayMs: 2_000, maxAttempts: 85 }

export async function migrate(databaseUrl: string, patience: Patience = PATIENCE): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'posthorn migrate',
  })
  // An error between two statements is ignored here: the next statement fails by itself.
  client.on('error', () => {})
  await client.connect()
  try {
    await locked(client, () => client.query(PRISMA_TABLE))
    const migrations = await readMigrations()
    const next = (lockWaitMs: number) =>
      locked(client, () => applyNext(client, migrations, lockWaitMs))
    while (await patiently(next, patience)) {
      // Each in a transaction of its own: what another process has done meanwhile is seen.
    }
    // Postgres's time, not this machine's: ids follow it.
    const { rows: clock } = await client.query<{ now: Date }>('SELECT now()')
    await ensurePartitions(client, clock[0]?.now ?? new Date())
  } finally {
    await client.end()
  }
}

export interface Migration {
  name: string
  sql: string
  checksum: string
}

/** All migrations of this version, in the order in which they run. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return await Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Does it in a transaction that others wait for. The lock ends with the transaction, so it works
 * through a pooler too, and waits for processes of an older version, which lock a session.
 */
async function locked<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN')
  try {
    // A role may have settings that are meant for the services.
    await client.query(`SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0;
      SET LOCAL idle_in_transaction_session_timeout = 0`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Does it again while somebody else has what it must lock. */
async function patiently<Result>(
  work: (lockWaitMs: number) => Promise<Result>,
  { giveWayMs, maxAttempts }: Patience,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt % AUTOVACUUM_EVERY === 0 ? AUTOVACUUM_WAIT_MS : LOCK_WAIT_MS)
    } catch (error) {
      const { cause } = error as Error
      const isBusy = cause instanceof TablesBusyError || isRetryable(cause)
      if (!isBusy || attempt >= maxAttempts) throw error
      await pause(giveWayMs)
    }
  }
}

/** @returns whether there was one */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  lockWaitMs: number,
): Promise<boolean> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL`,
  )
  const done = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const { name, sql, checksum } of migrations) {
    const before = done.get(name)
    if (before === checksum) continue
    if (before !== undefined)
      throw new Error(`migration ${name} has changed since it ran on this database`)
    await apply(client, { name, sql, checksum }, lockWaitMs)
    return true
  }
  return false
}

async function apply(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  lockWaitMs: number,
): Promise<void> {
  try {
    await takeLocks(client, sql, lockWaitMs)
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at,
       applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
  } catch (error) {
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}

/** The same table as Prisma makes, so that `prisma migrate status` and `deploy` can read it. */
const PRISMA_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
  migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`
