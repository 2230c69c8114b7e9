/** Postgres behind PgBouncer in transaction mode: nothing rests on a session. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensurePgBouncer, startPgBouncer } from '@posthorn/local-stores/pgbouncer-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { diagnosePostgres, type PostgresAccess } from '@posthorn/store/diagnose-postgres'
import { migrate } from '@posthorn/store/migrate'
import { inTransaction } from '@posthorn/store/transaction'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { startReceiver } from '@posthorn/testing/receiver'
import { startPosthorn } from '../e2e/posthorn.ts'
import { withPool } from './postgres-servers.ts'

let missing: Error | undefined
let database: TestDatabase
let bouncer: ServerHandle | undefined
beforeAll(async () => {
  try {
    ensurePgBouncer()
  } catch (error) {
    missing = error as Error
    return
  }
  database = await createTestDatabase()
  bouncer = await startPgBouncer({ to: database.url, mode: 'transaction', sessions: 3 })
})
afterAll(async () => {
  await bouncer?.stop()
  await database?.drop()
})

/** Where PgBouncer cannot be had, the test is skipped by name, or fails with REQUIRE_TOOLS=1. */
function testWithPgBouncer(title: string, run: (url: string) => Promise<void>): void {
  test(title, async () => {
    if (bouncer !== undefined) return await run(bouncer.url)
    process.stderr.write(`SKIPPED: ${title}: pgbouncer not found\n`)
    expect({ missing: missing?.message, isRequired: process.env['REQUIRE_TOOLS'] }).toEqual({
      missing: expect.any(String),
      isRequired: process.env['REQUIRE_TOOLS'] === '1' ? undefined : process.env['REQUIRE_TOOLS'],
    })
  }, 180_000)
}

testWithPgBouncer(
  'many clients share few sessions, with statements that have names',
  async (url) => {
    await withPool(
      url,
      async (pool) => {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            pool.query({ name: `one-${at % 5}`, text: 'SELECT $1::int AS at', values: [at] }),
          ),
        )
        expect(answers.map(({ rows }) => rows[0]?.at)).toEqual(answers.map((_, at) => at))
        const { rows } = await pool.query(
          'SELECT count(*)::int AS named FROM pg_prepared_statements',
        )
        expect(rows).toEqual([{ named: 0 }])
      },
      true,
    )
  },
)

testWithPgBouncer('a transaction brings its settings, and leaves none', async (url) => {
  const asked = `SELECT current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle`
  await withPool(
    url,
    async (pool) => {
      const inside = await inTransaction(pool, async (client) => (await client.query(asked)).rows)
      expect(inside).toEqual([{ lock: '2s', idle: '5s' }])
      expect((await pool.query(asked)).rows).toEqual([{ lock: '0', idle: '0' }])
    },
    true,
  )
})

testWithPgBouncer('several processes migrate a database at once', async (url) => {
  const name = `test_${randomBytes(8).toString('hex')}`
  const fresh = new URL(url)
  fresh.pathname = `/${name}`
  await withPool(database.url, (pool) => pool.query(`CREATE DATABASE ${name}`))
  await Promise.all([migrate(fresh.href), migrate(fresh.href), migrate(fresh.href)])
  await withPool(
    fresh.href,
    async (pool) => {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS done, count(DISTINCT migration_name)::int AS different
         FROM _prisma_migrations`,
      )
      expect(rows[0]?.done).toBeGreaterThan(20)
      expect(rows[0]?.done).toBe(rows[0]?.different)
    },
    true,
  )
  await withPool(database.url, (pool) => pool.query(`DROP DATABASE ${name} WITH (FORCE)`))
})

testWithPgBouncer('all services work through it', async (url) => {
  const settings = { DATABASE_URL: url, DATABASE_DIRECT_URL: database.url }
  const posthorn = await startPosthorn('cluster', settings)
  const receiver = await startReceiver()
  const endpoint = await posthorn.call('POST', '/api/v1/endpoints', {
    url: receiver.url,
    eventTypes: ['order.*'],
    fifo: true,
  })
  expect([endpoint.status, endpoint.text]).toEqual([201, expect.any(String)])
  const numbers = Array.from({ length: 60 }, (_, at) => at)
  for (const number of numbers)
    await posthorn.send({ eventType: 'order.paid', payload: { number } })
  await receiver.waitFor(numbers.length, { timeoutMs: 40_000 })
  const arrived = receiver.requests.map(({ rawBody }) => String(rawBody))
  expect(arrived).toEqual(numbers.map((number) => JSON.stringify({ number })))
  const listed = await posthorn.call('GET', '/api/v1/events?limit=1')
  expect(listed.status).toBe(200)
  await posthorn.stop()
  await receiver.close()
  expect(posthorn.output()).not.toMatch(/prepared statement|-failed"|"postgres\./)
})

async function textsOf(access: PostgresAccess, level: 'wrong' | 'warning'): Promise<string> {
  const findings = await diagnosePostgres(access, Date.now)
  return findings
    .filter((finding) => finding.level === level)
    .map(({ text }) => text)
    .join('\n')
}

testWithPgBouncer('what is wrong with it is said in words', async (url) => {
  const direct = database.url
  expect(await textsOf({ url }, 'wrong')).toContain('set DATABASE_DIRECT_URL to Postgres itself')
  // The Postgres of the tests has no fsync, and that is told too.
  expect(await textsOf({ url, directUrl: direct }, 'wrong')).not.toMatch(/pooler|DATABASE/)
  expect(await textsOf({ url, directUrl: direct }, 'warning')).toMatch(/ALTER ROLE \w+ SET lock_t/)
  expect(await textsOf({ url, directUrl: url }, 'wrong')).toContain('through a pooler too')
  const elsewhere = new URL(direct)
  elsewhere.pathname = '/postgres'
  const mixed = await textsOf({ url, directUrl: elsewhere.href }, 'wrong')
  expect(mixed).toContain('leads to another database')
  const wrong = new URL(url)
  wrong.password = 'wrong'
  expect(await textsOf({ url: wrong.href }, 'wrong')).toContain('it refuses the user or password')
})

testWithPgBouncer('its statement mode is told', async () => {
  const other = await startPgBouncer({ to: database.url, mode: 'statement', sessions: 2 })
  const text = await textsOf({ url: other.url, directUrl: database.url }, 'wrong')
  await other.stop()
  expect(text).toContain('its pooler is in statement mode')
})
