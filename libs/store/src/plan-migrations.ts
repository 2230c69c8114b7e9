/**
 * Tells what `migrate` would do to a database, without doing any of it: which migrations would run,
 * which locks they take and on how much, and whether the version before can go on meanwhile and
 * afterwards. It writes nothing, and holds no lock.
 */
import pg from 'pg'
import { type Migration, readMigrations } from './migrate.ts'
import { locksOf, type StatementLock } from './migration-locks.ts'
import { faultsOf } from './migration-rules.ts'

export interface MigrationPlan {
  pending: PlannedMigration[]
  /** Migrations that ran here, of which this version knows nothing: a newer one made them. */
  unknown: string[]
  /** Migrations whose text is another than when they ran: `migrate` refuses the database. */
  changed: string[]
}

export interface PlannedMigration {
  name: string
  locks: PlannedLock[]
  /** Why the version before could not go on; empty: it can. */
  faults: string[]
}

export interface PlannedLock extends StatementLock {
  /** The table of `relation`, with its partitions; null: it is not there yet, or is not known. */
  table: { name: string; rows: number; bytes: number } | null
}

export async function planMigrations(databaseUrl: string): Promise<MigrationPlan> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'posthorn migrate --plan',
  })
  // An error between two statements is ignored here: the next statement fails by itself.
  client.on('error', () => {})
  await client.connect()
  try {
    const done = await readDone(client)
    const migrations = await readMigrations()
    const known = new Set(migrations.map(({ name }) => name))
    const pending: PlannedMigration[] = []
    for (const migration of migrations)
      if (!done.has(migration.name)) pending.push(await planOne(client, migration, done.size === 0))
    return {
      pending,
      unknown: [...done.keys()].filter((name) => !known.has(name)),
      changed: migrations
        .filter(({ name, checksum }) => done.has(name) && done.get(name) !== checksum)
        .map(({ name }) => name),
    }
  } finally {
    await client.end()
  }
}

async function readDone(client: pg.Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`,
  )
  if (tables[0]?.there !== true) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL ORDER BY 1`,
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** @param isNew no version works on the database yet, so none can be kept from going on */
async function planOne(
  client: pg.Client,
  { name, sql }: Migration,
  isNew: boolean,
): Promise<PlannedMigration> {
  const locks: PlannedLock[] = []
  for (const lock of locksOf(sql))
    locks.push({
      ...lock,
      table: lock.relation === null ? null : await sizeOf(client, lock.relation),
    })
  return { name, locks, faults: isNew ? [] : faultsOf(sql) }
}

/** A table's or an index's table's rows, as the last ANALYZE estimated them, and its size. */
async function sizeOf(client: pg.Client, relation: string): Promise<PlannedLock['table']> {
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `WITH named AS (
       SELECT coalesce(i.indrelid, c.oid) AS oid FROM pg_class c
       LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE c.oid = to_regclass($1))
     SELECT n.oid::regclass::text AS name, sum(greatest(c.reltuples, 0))::bigint AS rows,
       sum(pg_total_relation_size(c.oid))::bigint AS bytes
     FROM named n
     CROSS JOIN LATERAL (
       SELECT n.oid AS relid UNION SELECT relid FROM pg_partition_tree(n.oid)) t
     JOIN pg_class c ON c.oid = t.relid GROUP BY n.oid`,
    [relation],
  )
  const [found] = rows
  if (found === undefined) return null
  return { name: found.name, rows: Number(found.rows), bytes: Number(found.bytes) }
}
