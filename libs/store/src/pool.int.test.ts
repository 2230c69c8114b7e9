import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isUnavailable } from './pool.ts'
import { openTestStore, type TestStore } from './store.fixture.ts'
import { inTransaction } from './transaction.ts'

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  await stage.close()
})

async function terminate(pid: number): Promise<void> {
  await stage.pool.query('SELECT pg_terminate_backend($1)', [pid])
}

async function pidOf(client: { query: TestStore['pool']['query'] }): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

// Two statements at once now and then: what the second one opened was closed and opened again all
// the time.
test('keeps a connection for a minute and more that nobody uses', () => {
  expect(stage.pool.options.idleTimeoutMillis).toBeGreaterThanOrEqual(60_000)
})

// An error event without a listener ended the whole process: every service, when Postgres stopped
// at the wrong moment.
test('a connection that ends between two statements of its borrower fails the next one, and nothing else', async () => {
  const client = await stage.pool.connect()
  const ended = new Promise((resolve) => client.once('end', resolve))
  await terminate(await pidOf(client))
  await ended
  const failure = await client.query('SELECT 1').catch((error: unknown) => error)
  client.release(true)
  expect(isUnavailable(failure)).toBe(true)
})

test('a transaction whose connection ends is undone, and the pool goes on', async () => {
  const work = inTransaction(stage.pool, async (client) => {
    await client.query('CREATE TABLE undone ()')
    await terminate(await pidOf(client))
    return await client.query('SELECT 1')
  })
  expect(isUnavailable(await work.catch((error: unknown) => error))).toBe(true)
  const { rows } = await stage.pool.query("SELECT to_regclass('undone') AS found")
  expect(rows).toEqual([{ found: null }])
})
