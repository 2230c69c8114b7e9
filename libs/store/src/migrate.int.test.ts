import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { idAt, newId, timeOfId } from '@posthorn/domain/ids'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { migrate } from './migrate.ts'
import { ensurePartitions } from './partitions.ts'
import { openPool, type Pool } from './pool.ts'
import { directEvent, makeTenant } from './store.fixture.ts'
import { acceptEvents } from './pipeline/accept-events.ts'

const DAY_MS = 86_400_000
const BIG_TABLES = ['events', 'deliveries', 'attempts']

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 4, name: 'posthorn store tests', onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** As nobody has ever migrated it. */
async function empty(): Promise<void> {
  await pool.query('DROP SCHEMA public CASCADE')
  await pool.query('CREATE SCHEMA public')
}

async function migrations(): Promise<{ name: string; checksum: string; steps: number }[]> {
  const { rows } = await pool.query(
    `SELECT migration_name AS name, checksum, applied_steps_count AS steps FROM _prisma_migrations
     WHERE finished_at IS NOT NULL ORDER BY 1`,
  )
  return rows
}

interface Partition {
  name: string
  from: string
  to: string
}

async function partitionsOf(table: string): Promise<Partition[]> {
  const { rows } = await pool.query<{ name: string; bounds: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass ORDER BY 1`,
    [table],
  )
  return rows.map(({ name, bounds }) => {
    const [from = '', to = ''] = [...bounds.matchAll(/'([^']+)'/g)].map((match) => match[1])
    return { name, from, to }
  })
}

describe('migrating', () => {
  test('by two at once, and again: each migration runs once', async () => {
    await empty()
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)])
    const first = await migrations()
    expect(first.map(({ name }) => name)).toContain('0001_init')
    expect(
      first.every(({ checksum, steps }) => /^[0-9a-f]{64}$/.test(checksum) && steps === 1),
    ).toBe(true)
    await migrate(database.url)
    expect(await migrations()).toEqual(first)
  })

  test('refuses a migration that has changed since it ran', async () => {
    await pool.query(
      `UPDATE _prisma_migrations SET checksum = 'another' WHERE migration_name = '0001_init'`,
    )
    await expect(migrate(database.url)).rejects.toThrow(
      'migration 0001_init has changed since it ran on this database',
    )
    await empty()
    await migrate(database.url)
  })

  test('one that fails leaves nothing of itself, and says which', async () => {
    await empty()
    await pool.query('CREATE TABLE endpoints (in_the_way int)')
    await expect(migrate(database.url)).rejects.toThrow('migration 0001_init failed')
    expect(await migrations()).toEqual([])
    const { rows } = await pool.query(`SELECT to_regclass('tenants') AS tenants`)
    expect(rows).toEqual([{ tenants: null }])
    await empty()
    await migrate(database.url)
  })
})

describe('partitions', () => {
  test.each(BIG_TABLES)(
    '%s: from yesterday to two weeks ahead, a day each, without a gap',
    async (table) => {
      const partitions = await partitionsOf(table)
      const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
      expect(partitions).toHaveLength(16)
      expect(partitions[0]?.from).toBe(idAt(today - DAY_MS))
      for (const [at, { name, from, to }] of partitions.entries()) {
        const day = timeOfId(from)
        expect(name).toBe(
          `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`,
        )
        expect(timeOfId(to) - day).toBe(DAY_MS)
        if (at > 0) expect(from).toBe(partitions[at - 1]?.to)
      }
    },
  )

  test('have their table’s columns, key and indexes, and room for updates', async () => {
    const { rows } = await pool.query<{
      parent: string
      part: string
      indexes: string[]
      options: string[]
    }>(
      `SELECT inhparent::regclass::text AS parent, inhrelid::regclass::text AS part,
       c.reloptions AS options,
         ARRAY(SELECT regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') FROM pg_index
           WHERE indrelid = inhrelid ORDER BY 1) AS indexes
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE inhparent = ANY ($1::regclass[])`,
      [`{${BIG_TABLES.join(',')}}`],
    )
    expect(rows).toHaveLength(48)
    const { rows: parents } = await pool.query<{ parent: string; indexes: string[] }>(
      `SELECT p::text AS parent, ARRAY(SELECT regexp_replace(pg_get_indexdef(indexrelid),
       '^.* USING ', '')
         FROM pg_index WHERE indrelid = p ORDER BY 1) AS indexes FROM unnest($1::regclass[]) AS p`,
      [`{${BIG_TABLES.join(',')}}`],
    )
    const fillfactor: Record<string, string> = {
      events: '47',
      deliveries: '50',
      attempts: '100',
    }
    for (const { parent, indexes, options } of rows) {
      expect(indexes).toEqual(parents.find((one) => one.parent === parent)?.indexes)
      expect([...options].sort()).toEqual([
        'autovacuum_analyze_threshold=50000',
        'autovacuum_vacuum_insert_threshold=100000',
        'autovacuum_vacuum_threshold=50000',
        `fillfactor=${fillfactor[parent]}`,
      ])
    }
  })

  test('take ids of yesterday, today and all days ahead, and of no other day', async () => {
    const tenant = await makeTenant(pool)
    const onDay = (days: number): string => {
      const id = newId()
      return idAt(Date.now() + days * DAY_MS).slice(0, 13) + id.slice(13)
    }
    for (const days of [-1, 0, 1, 7, 14]) {
      const [outcome] = await acceptEvents(pool, [directEvent(tenant, { id: onDay(days) })])
      expect([days, outcome?.outcome]).toEqual([days, 'accepted'])
    }
    for (const days of [-3, 16]) {
      await expect(acceptEvents(pool, [directEvent(tenant, { id: onDay(days) })])).rejects.toThrow(
        'no partition',
      )
    }
  })

  test('made again, by several at once, a day or a year later: nothing twice, and nothing is lost', async () => {
    const before = await partitionsOf('events')
    await Promise.all([1, 2, 3].map(() => ensurePartitions(pool, new Date())))
    expect(await partitionsOf('events')).toEqual(before)
    const tomorrow = new Date(Date.now() + DAY_MS)
    await Promise.all([1, 2, 3].map(() => ensurePartitions(pool, tomorrow)))
    const after = await partitionsOf('events')
    expect(after.slice(0, 16)).toEqual(before)
    expect(after).toHaveLength(17)
  })

  test('are made while somebody reads the table for long, and hold up nobody who writes', async () => {
    const reader = await pool.connect()
    await reader.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
    await reader.query('SELECT count(*) FROM events')
    await ensurePartitions(pool, new Date(Date.now() + 2 * DAY_MS))
    const tenant = await makeTenant(pool)
    expect(await acceptEvents(pool, [directEvent(tenant)])).toMatchObject([{ outcome: 'accepted' }])
    await reader.query('ROLLBACK')
    reader.release()
    expect(await partitionsOf('events')).toHaveLength(18)
  })
})
