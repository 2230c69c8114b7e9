/** Looks that come together are one statement, and each has its own answer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { anyRow } from './any-row.ts'
import { openPool, type Pool } from './pool.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 2, name: 'posthorn store tests', onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** A pool that notes its statements. */
function noting() {
  const statements: { name: string; text: string }[] = []
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    statements.push(statement)
    return await pool.query(statement)
  }
  return { statements, pool: { query } as unknown as Pick<Pool, 'query'> }
}

/** Whether one of the first `n` numbers is above `least`. */
const above = (name: string, n: number, least: number) => ({
  name,
  text: 'SELECT true FROM generate_series(1, $1::int) AS number WHERE number > $2::int LIMIT 1',
  values: [n, least],
})

test('those of one turn are one statement, whatever their order', async () => {
  const { statements, pool: noted } = noting()
  const looks = [above('a', 3, 2), { name: 'b', text: 'SELECT true LIMIT 0' }, above('c', 1, 5)]
  const ask = async (of: typeof looks) =>
    await Promise.all(of.map(async (look) => [look.name, await anyRow(noted, look)]))
  expect(await ask(looks)).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
  ])
  expect(await ask(looks.toReversed())).toEqual([
    ['c', false],
    ['b', false],
    ['a', true],
  ])
  expect(statements).toHaveLength(2)
  expect(statements[0]).toEqual(statements[1])
})

test('one by itself goes by its own name', async () => {
  const { statements, pool: noted } = noting()
  expect(await anyRow(noted, above('alone', 2, 1))).toBe(true)
  expect(statements.map(({ name }) => name)).toEqual(['alone'])
})

test('two of one name are two statements', async () => {
  const { statements, pool: noted } = noting()
  const asked = [above('same', 3, 2), above('same', 3, 9)].map((look) => anyRow(noted, look))
  expect(await Promise.all(asked)).toEqual([true, false])
  expect(statements.map(({ name }) => name)).toEqual(['same', 'same'])
})

test('a statement that fails fails for each, and the next ones are asked again', async () => {
  const looks = [above('whole', 3, 2), { name: 'broken', text: 'SELECT 1 / 0 = 1' }]
  const asked = await Promise.allSettled(looks.map((look) => anyRow(pool, look)))
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await anyRow(pool, above('whole', 3, 2))).toBe(true)
})
