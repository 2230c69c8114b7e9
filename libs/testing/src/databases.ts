/**
 * Makes a database for a test file, as the migrations leave it.
 *
 * The migrations run once, into a template; each database is a copy of its files (20 ms in memory).
 * The template's name holds a hash of the migrations, so a Postgres that outlives the run never
 * serves an old one.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@posthorn/store/migrate'
import { Client, escapeIdentifier } from 'pg'
import { postgresUrl } from './stores.ts'

export interface TestDatabase {
  url: string
  /** Drops it, and cuts off whoever is still connected. */
  drop(): Promise<void>
}

/** One at a time over all processes: Postgres copies no template that somebody is connected to. */
const LOCK = 0x706f7374 // "post"

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await postgresUrl()
  const name = `test_${randomBytes(8).toString('hex')}`
  await withClient(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const template = await ensureTemplate(client, server)
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`,
    )
  }) // the lock ends with the session
  return {
    url: urlOf(server, name),
    drop: async () => {
      await withClient(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    },
  }
}

async function ensureTemplate(client: Client, server: string): Promise<string> {
  const template = `posthorn_template_${await hashMigrations()}`
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
    template,
  ])
  if (rowCount !== 0) return template
  const draft = `${template}_new`
  await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(draft)} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${escapeIdentifier(draft)}`)
  await migrate(urlOf(server, draft))
  await client.query(
    `ALTER DATABASE ${escapeIdentifier(draft)} RENAME TO ${escapeIdentifier(template)}`,
  )
  return template
}

async function hashMigrations(): Promise<string> {
  const dir = fileURLToPath(new URL('../../store/migrations/', import.meta.url))
  const files = (await readdir(dir, { recursive: true })).filter((file) => file.endsWith('.sql'))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(await readFile(join(dir, file)))
  return hash.digest('hex').slice(0, 12)
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}
