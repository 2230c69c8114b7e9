/**
 * A Postgres that neither answers nor refuses. Its bounds are those of the test's own patience:
 * seconds, not half a minute.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type PostgresLink, ofThisRealm, openPostgresLink } from '@posthorn/testing/postgres-link'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { isUnavailable, openPool, type Pool } from './pool.ts'
import { openPrisma } from './prisma.ts'
import { openTestStore, type TestStore } from './store.fixture.ts'

/**
 * Silence is noticed after 4 s; this leaves time for a busy machine. A statement by itself is given
 * up only after 31 s.
 */
const SOON_MS = 15_000

let stage: TestStore
let line: PostgresLink
let pool: Pool
let told: unknown[]
beforeEach(async () => {
  stage = await openTestStore()
  line = await openPostgresLink(new URL(stage.url))
  told = []
  pool = openPool({ url: line.url, max: 4, name: 'test', onError: (error) => told.push(error) })
})
afterEach(async () => {
  await pool.end()
  await line.close()
  await stage.close()
})

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'answered',
    (error: unknown) => ofThisRealm(error),
  )

test('what waits in a black hole is given up together, the next is refused at once, and it heals by itself', async () => {
  await pool.query('SELECT 1')
  line.swallow()
  const elapsedMs = startLoopTime()
  const waiting = Array.from({ length: 3 }, () => failure(pool.query('SELECT 1')))
  for (const error of await Promise.all(waiting)) expect(isUnavailable(error)).toBe(true)
  expect(elapsedMs()).toBeLessThan(SOON_MS)
  await eventually(async () => {
    const refusedMs = startLoopTime()
    expect(await failure(pool.query('SELECT 1'))).toMatchObject({ code: 'ETIMEDOUT' })
    expect(refusedMs()).toBeLessThan(500)
  })
  expect(told.map(String).join()).toMatch(/Postgres does not answer/)
  line.repair()
  await eventually(async () => await pool.query('SELECT 1'))
})

test('a statement that is slow is left to end, and so is who else waits', async () => {
  const slow = pool.query('SELECT pg_sleep(6)')
  const { rows } = await pool.query<{ one: number }>('SELECT 1 AS one')
  expect(rows).toEqual([{ one: 1 }])
  await slow
  expect(told).toEqual([])
})

test('the management client gives up as well, and recovers', async () => {
  const prisma = openPrisma(line.url, 2)
  try {
    await prisma.tenant.count()
    line.swallow()
    const elapsedMs = startLoopTime()
    const errors = await Promise.all([
      failure(prisma.tenant.count()),
      failure(prisma.$transaction(async (transaction) => await transaction.tenant.count())),
      failure(prisma.$queryRaw`SELECT 1`),
    ])
    expect(elapsedMs()).toBeLessThan(SOON_MS)
    expect(errors.map((error) => [isUnavailable(error), String(error)])).toEqual(
      errors.map((error) => [true, String(error)]),
    )
    line.repair()
    await eventually(async () => await prisma.tenant.count())
  } finally {
    await prisma.$disconnect()
  }
})
