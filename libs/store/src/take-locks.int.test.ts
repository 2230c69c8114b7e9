/** A migration waits for its locks so that nobody else has to wait for long. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import pg from 'pg'
import { migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { acceptEvents } from './pipeline/accept-events.ts'
import { directEvent, makeTenant } from './store.fixture.ts'
import { takeLocks, TablesBusyError } from './take-locks.ts'

let database: TestDatabase
let pool: Pool
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 4, name: 'posthorn store tests', onError: () => {} })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await pool.end()
  await database.drop()
})

/** A report, or a dump, that goes on until it is ended. */
async function readFor(table: string): Promise<{ end(): Promise<void> }> {
  const reader = await pool.connect()
  // Longer than the pool lets a transaction be idle.
  await reader.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
  await reader.query(`SELECT FROM ${table} LIMIT 1`)
  return {
    async end() {
      await reader.query('ROLLBACK')
      reader.release()
    },
  }
}

async function waitsForLock(): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE application_name = 'posthorn migrate' AND datname = current_database()
         AND NOT granted AND locktype = 'relation') AS waits`,
  )
  return rows[0]?.waits === true
}

test('a migration gives way to those behind it while a report goes on, and runs after it', async () => {
  await pool.query('ALTER TABLE events DROP COLUMN traceparent')
  await pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '0027_traceparent'`)
  const report = await readFor('events')
  const migrated = migrate(database.url)
  await eventually(waitsForLock, { everyMs: 5 })
  // The service's insert names the new column, as the version before does not.
  const tenant = await makeTenant(pool)
  const insert = pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination, payload,
       priority, trace_id)
     SELECT tenant_id, $2, id, 'behind it', 'https://example.com', '{}', 5, 't'
     FROM projects WHERE tenant_id = $1 RETURNING id`,
    [tenant.tenantId, newId()],
  )
  // The report still goes on: only the migration can have given way.
  expect((await insert).rowCount).toBe(1)
  await report.end()
  await migrated
  expect(await acceptEvents(pool, [directEvent(tenant)])).toMatchObject([{ outcome: 'accepted' }])
})

test('it gives up where a report never ends, says what to do, and leaves nothing half done', async () => {
  await pool.query('ALTER TABLE events DROP COLUMN traceparent')
  await pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '0027_traceparent'`)
  const report = await readFor('events')
  const patience = { giveWayMs: 10, maxAttempts: 2 }
  const given = await migrate(database.url, patience).catch((error: unknown) => error)
  expect(given).toMatchObject({ message: 'migration 0027_traceparent failed' })
  const { cause } = given as Error
  expect(cause).toBeInstanceOf(TablesBusyError)
  expect(cause).toMatchObject({ message: expect.stringContaining('others work with events') })
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_attribute WHERE attrelid = 'events'::regclass AND attname = 'traceparent'
     UNION ALL SELECT 1 FROM _prisma_migrations WHERE migration_name = '0027_traceparent'
     UNION ALL SELECT 1 FROM pg_stat_activity
       WHERE application_name = 'posthorn migrate' AND datname = current_database()`,
  )
  expect(rows).toEqual([])
  // Whoever ends the report runs it again.
  await report.end()
  await migrate(database.url, patience)
  expect(await acceptEvents(pool, [directEvent(await makeTenant(pool))])).toMatchObject([
    { outcome: 'accepted' },
  ])
})

/** The tables that the transaction has locked, with the mode. */
async function taken(sql: string): Promise<string[]> {
  await client.query('BEGIN')
  try {
    await takeLocks(client, sql, 800)
    const { rows } = await client.query<{ lock: string }>(
      `SELECT relation::regclass::text || ' ' || mode AS lock
       FROM pg_locks JOIN pg_class c ON c.oid = relation
       WHERE pid = pg_backend_pid() AND relnamespace = 'public'::regnamespace
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    )
    return rows.map(({ lock }) => lock)
  } finally {
    await client.query('ROLLBACK')
  }
}

test.each([
  ['ALTER TABLE due ADD COLUMN n int', ['due AccessExclusiveLock']],
  ['CREATE INDEX ON due (n); ALTER TABLE due ADD m int', ['due AccessExclusiveLock']],
  ['ALTER TABLE due ADD m int; CREATE INDEX ON due (n)', ['due AccessExclusiveLock']],
  ['CREATE INDEX ON due (n)', ['due ShareLock']],
  [
    'CREATE TABLE a (b uuid REFERENCES tenants (id)); DROP TABLE IF EXISTS due',
    ['due AccessExclusiveLock', 'tenants ShareRowExclusiveLock'],
  ],
  ['DROP INDEX due_pkey', ['due AccessExclusiveLock']],
  // Nobody who reads or writes waits for these.
  ['UPDATE due SET n = 1; ALTER TABLE events SET (fillfactor = 50)', []],
  ['CREATE TABLE fresh (id int); CREATE INDEX ON fresh (id)', []],
])('before %s it has %j', async (sql, locks) => {
  expect(await taken(sql)).toEqual(locks)
})

test('it has all of them or none, and says which tables are in use', async () => {
  const report = await readFor('lanes')
  const sql = 'ALTER TABLE due ADD n int; ALTER TABLE lanes ADD n int'
  const attempt = taken(sql)
  await expect(attempt).rejects.toThrow(TablesBusyError)
  await expect(attempt).rejects.toThrow('others work with due, lanes all the time')
  const { rows } = await pool.query(
    `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE datname = current_database() AND mode = 'AccessExclusiveLock'`,
  )
  expect(rows).toEqual([])
  await report.end()
})
