/** What `posthorn migrate --plan` says is what Postgres does when the migrations run. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import pg from 'pg'
import { migrate, readMigrations } from './migrate.ts'
import { locksOf } from './migration-locks.ts'
import { planMigrations } from './plan-migrations.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
beforeEach(async () => {
  await client.query('DROP SCHEMA public CASCADE')
  await client.query('CREATE SCHEMA public')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function tables(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  )
  return rows.map(({ name }) => name)
}

/** The locks of this transaction that hold up others, by table. */
async function heldLocks(): Promise<[string, string][]> {
  const { rows } = await client.query<{ name: string; mode: string }>(
    `SELECT DISTINCT relation::regclass::text AS name, mode FROM pg_locks
     WHERE pid = pg_backend_pid() AND locktype = 'relation'
       AND mode NOT IN ('AccessShareLock', 'RowShareLock')`,
  )
  return rows.map(({ name, mode }) => [
    name,
    mode
      .replace(/Lock$/, '')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toUpperCase(),
  ])
}

async function tableOf(relation: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT coalesce(i.indrelid, c.oid)::regclass::text AS name FROM pg_class c
     LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE c.oid = to_regclass($1)`,
    [relation],
  )
  return rows[0]?.name ?? relation
}

test('the locks that are told are those that Postgres takes', async () => {
  const migrations = await readMigrations()
  let compared = 0
  for (const { name, sql } of migrations) {
    const before = await tables()
    const locks = locksOf(sql)
    const told: [string, string | null][] = []
    for (const { relation, mode } of locks) told.push([await tableOf(relation ?? ''), mode])
    await client.query('BEGIN')
    await client.query(sql)
    const taken = (await heldLocks()).filter(([table]) => before.includes(table))
    await client.query('COMMIT')
    // A rewrite makes the indexes anew, under a lock that adds nothing to the one it has.
    const missing = taken.filter(
      ([table, mode]) =>
        !told.some((one) => one[0] === table && (one[1] === mode || one[1] === 'ACCESS EXCLUSIVE')),
    )
    const unseen = locks.some(({ relation }) => relation === null)
    const tooMany = told
      .filter(([table]) => before.includes(table))
      .filter(([table, mode]) => !taken.some((one) => one[0] === table && one[1] === mode))
    expect({ name, missing: unseen ? [] : missing, tooMany }).toEqual({
      name,
      missing: [],
      tooMany: [],
    })
    compared += taken.length
  }
  expect(compared).toBeGreaterThan(20)
})

test('a new database: all run, nobody is kept from going on, and nothing was written', async () => {
  const { pending, unknown, changed } = await planMigrations(database.url)
  const migrations = await readMigrations()
  expect(pending.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
  expect(pending.flatMap(({ faults }) => faults)).toEqual([])
  expect([unknown, changed]).toEqual([[], []])
  expect(await tables()).toEqual([])
})

test('a database of this version: nothing runs', async () => {
  await migrate(database.url)
  expect(await planMigrations(database.url)).toEqual({ pending: [], unknown: [], changed: [] })
})

test('what is missing would run, with the sizes of its tables; what is newer or changed is told', async () => {
  await migrate(database.url)
  await client.query(
    `DELETE FROM _prisma_migrations WHERE migration_name = '0014_fan_out_failures'`,
  )
  await client.query(`UPDATE _prisma_migrations SET migration_name = '9999_later'
    WHERE migration_name = '0002_lanes'`)
  await client.query(
    `UPDATE _prisma_migrations SET checksum = '' WHERE migration_name = '0001_init'`,
  )
  const plan = await planMigrations(database.url)
  expect(plan.unknown).toEqual(['9999_later'])
  expect(plan.changed).toEqual(['0001_init'])
  expect(plan.pending.map(({ name }) => name)).toEqual(['0002_lanes', '0014_fan_out_failures'])
  expect(plan.pending[1]).toMatchObject({
    locks: [
      {
        statement: 'ALTER TABLE due ADD COLUMN failures smallint',
        mode: 'ACCESS EXCLUSIVE',
        work: 'brief',
        table: { name: 'due' },
      },
    ],
    faults: [],
  })
})
