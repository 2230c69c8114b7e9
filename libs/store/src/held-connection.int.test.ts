import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { holdConnection } from './held-connection.ts'
import { openTestStore, type TestStore } from './store.fixture.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => await store.close())

const BACKEND = 'SELECT pg_backend_pid() AS pid'

async function backendOf(connection: Pick<TestStore['pool'], 'query'>): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>(BACKEND)
  return rows[0]?.pid ?? 0
}

test('statements go over one connection until it is given back', async () => {
  const connection = holdConnection(store.pool)
  const first = await backendOf(connection)
  expect(await backendOf(connection)).toBe(first)
  expect(store.pool.idleCount).toBe(store.pool.totalCount - 1)
  connection.release()
  expect(store.pool.idleCount).toBe(store.pool.totalCount)
  connection.release()
})

test('a failed statement closes its connection, and the next one borrows another', async () => {
  const connection = holdConnection(store.pool)
  const first = await backendOf(connection)
  await expect(connection.query('SELECT 1 / 0')).rejects.toThrow('division by zero')
  const second = await backendOf(connection)
  expect(second).not.toBe(first)
  await store.pool.query('SELECT pg_terminate_backend($1)', [second])
  await expect(connection.query('SELECT 1')).rejects.toThrow()
  expect(await backendOf(connection)).not.toBe(second)
  connection.release()
})

test('a connection comes back in time to be closed at the end of its lifetime', async () => {
  let borrowed = 0
  store.pool.on('acquire', () => (borrowed += 1))
  const connection = holdConnection(store.pool)
  for (let statements = 0; statements < 1_001; statements += 1) await connection.query('SELECT 1')
  expect(borrowed).toBe(2)
  connection.release()
})
