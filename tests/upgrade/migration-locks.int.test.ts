/**
 * The migrations since the version before, on its tables with hundreds of thousands of rows (five
 * million in the long form), while others read and write: none of them has a lock that others wait
 * for during more than a second, and `migrate --plan` has said so. Where the history does not tell
 * what the last release had, it is what the pinned commit had.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { migrate, readMigrations } from '@posthorn/store/migrate'
import { ensurePartitions } from '@posthorn/store/partitions'
import { type PlannedLock, planMigrations } from '@posthorn/store/plan-migrations'
import { openPool, type Pool } from '@posthorn/store/pool'
import { newId } from '@posthorn/domain/ids'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { isLongForm } from '@posthorn/testing/long-form'
import { fillTable, GROWING_TABLES } from './fill-tables.ts'
import { findVersionBefore, LAST_OF_PINNED, migrationsOf } from './version-before.ts'
import { MIGRATOR, watchLocks } from './watch-locks.ts'

const ROWS = isLongForm ? 5_000_000 : 200_000
const MAX_LOCK_MS = 1_000
const FILL_TIMEOUT_MS = 600_000
const DAY_MS = 86_400_000
/** What holds up others for longer than is allowed. */
const TOO_LONG_S = 1.2

const tenantId = newId()
let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  pool = open('upgrade tests')
  await goBack(await namesBefore())
  const locked = (await planMigrations(database.url)).pending.flatMap(({ locks }) => locks)
  const tables = new Set(['events', ...locked.map(({ table }) => table?.name)])
  const fromMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
  for (const table of GROWING_TABLES.filter((name) => tables.has(name)))
    await fillTable(pool, table, { rows: ROWS, tenantId, fromMs })
}, FILL_TIMEOUT_MS)

afterAll(async () => {
  await pool.end()
  await database.drop()
}, FILL_TIMEOUT_MS)

function open(name: string): Pool {
  return openPool({ url: database.url, max: 1, name, onError: () => {} })
}

async function namesBefore(): Promise<string[]> {
  const version = findVersionBefore()
  if (version !== undefined) return migrationsOf(version)
  const all = await readMigrations()
  return all.map(({ name }) => name).filter((name) => name <= LAST_OF_PINNED)
}

/** The schema as only these migrations leave it, and as if `migrate` had run just these. */
async function goBack(names: readonly string[]): Promise<void> {
  await pool.query(`CREATE SCHEMA kept; ALTER TABLE _prisma_migrations SET SCHEMA kept;
    DROP SCHEMA public CASCADE; CREATE SCHEMA public;
    ALTER TABLE kept._prisma_migrations SET SCHEMA public`)
  await pool.query('DELETE FROM _prisma_migrations WHERE migration_name <> ALL ($1)', [names])
  for (const { name, sql } of await readMigrations())
    if (names.includes(name)) await pool.query(`BEGIN; ${sql}; COMMIT`)
  await ensurePartitions(pool, new Date())
}

/** What says whether a table was written anew, and whether its rows were read. */
async function storageOf(table: string): Promise<{ files: string; read: number }> {
  const { rows } = await pool.query<{ files: string; read: number }>(
    `SELECT string_agg(relfilenode::text, ',' ORDER BY c.oid) AS files,
       sum(pg_stat_get_tuples_returned(c.oid))::float8 AS read
     FROM pg_class c
     WHERE c.oid = $1::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1))`,
    [table],
  )
  return rows[0] as { files: string; read: number }
}

describe('the migrations since the version before', () => {
  test('hold up nobody for a second, as their plan says', async () => {
    const { pending } = await planMigrations(database.url)
    const locks = pending.flatMap((one) => one.locks)
    const before = await storageOf('events')
    const watch = await watchLocks(database.url, tenantId)
    await migrate(database.url)
    const { heldMs, slowestMs } = await watch.end()
    process.stderr.write(
      `${pending.length} migrations on ${ROWS} events: locked for ${JSON.stringify(heldMs)} ms, ` +
        `the slowest statement beside took ${Math.round(slowestMs)} ms\n`,
    )
    expect(pending.flatMap(({ faults }) => faults)).toEqual([])
    expect(slowestMs).toBeLessThan(MAX_LOCK_MS)
    expect(Object.entries(heldMs).filter(([, ms]) => ms >= MAX_LOCK_MS)).toEqual([])
    const blocking = new Set(locks.filter(isBlocking).map(({ table }) => table?.name))
    expect(Object.keys(heldMs).filter((name) => !blocking.has(name))).toEqual([])

    const ofEvents = locks.filter(({ table }) => table?.name === 'events')
    for (const { table } of ofEvents) expect(table?.rows).toBeGreaterThan(ROWS * 0.9)
    const works = ofEvents.map(({ work }) => work)
    const after = await storageOf('events')
    expect(after.files !== before.files).toBe(works.includes('rewrite'))
    const readAll = after.read - before.read >= ROWS
    expect(readAll).toBe(works.includes('rewrite') || works.includes('scan'))
  })

  test('a lock that lasts is seen: by its time, and by those who wait', async () => {
    const migrator = open(MIGRATOR)
    const watch = await watchLocks(database.url, tenantId)
    await migrator.query(`BEGIN; LOCK TABLE events; SELECT pg_sleep(${TOO_LONG_S}); ROLLBACK`)
    const { heldMs, slowestMs } = await watch.end()
    await migrator.end()
    expect(heldMs['events']).toBeGreaterThan(MAX_LOCK_MS)
    expect(slowestMs).toBeGreaterThan(MAX_LOCK_MS)
  })

  test('a table that is read or written anew is seen', async () => {
    await pool.query('CREATE TABLE things AS SELECT n FROM generate_series(1, 1000) n')
    const before = await storageOf('things')
    await pool.query('ALTER TABLE things ALTER COLUMN n TYPE bigint')
    await eventually(async () => {
      const after = await storageOf('things')
      expect(after.files).not.toBe(before.files)
      expect(after.read - before.read).toBeGreaterThanOrEqual(1_000)
    })
  })
})

function isBlocking({ mode }: PlannedLock): boolean {
  return mode === null || !['ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE'].includes(mode)
}
