import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client } from 'pg'
import { createTestDatabase, type TestDatabase } from './databases.ts'

let databases: TestDatabase[] = []
beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()])
})
afterAll(async () => {
  await Promise.all(databases.map(async (database) => await database.drop()))
})

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('each has the tables of the migrations', async () => {
  for (const { url } of databases) {
    const sql = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'"
    expect((await run(url, sql))[0]?.['tables']).toBeGreaterThan(1)
  }
})

test('what one holds, the other does not see', async () => {
  const [one, other] = databases.map(({ url }) => url)
  await run(one ?? '', 'CREATE TABLE only_here ()')
  const sql = "SELECT to_regclass('only_here')::text AS found"
  expect(await run(one ?? '', sql)).toEqual([{ found: 'only_here' }])
  expect(await run(other ?? '', sql)).toEqual([{ found: null }])
})

test('a dropped one is gone although somebody was connected', async () => {
  const { url, drop } = await createTestDatabase()
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // being cut off is what this is about
  await client.connect()
  await drop()
  await expect(run(url, 'SELECT 1')).rejects.toThrow('does not exist')
  await client.end()
})
