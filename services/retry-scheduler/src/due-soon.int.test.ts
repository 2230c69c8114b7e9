import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import type { Bus } from '@posthorn/bus/bus'
import { createMetrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { createRetryScheduler, type SchedulerConfig } from './app.ts'

let database: TestDatabase
let pool: Pool
let bus: Bus
let scheduler: Service
let start: (config: Partial<SchedulerConfig>) => Promise<void>
/** The times at which it looked for what is due. */
let looks: number[]
beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 4, name: 'scheduler test', onError: () => {} })
  looks = []
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((...args: unknown[]) => {
    if ((args[0] as { name?: string }).name === 'next-due') looks.push(performance.now())
    return query(...args)
  }) as typeof pool.query
  const fail = (): never => {
    throw new Error('the bus failed')
  }
  bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const say = (): void => undefined
  const log = { debug: say, info: say, warn: say, error: say, flush: say }
  start = async (config) => {
    const metrics = createMetrics('test', '0.1.0')
    scheduler = createRetryScheduler(
      { maxHoldDays: 30, ...config },
      { pool, bus, log, metrics, now: Date.now },
    )
    await scheduler.start()
  }
})
afterEach(async () => {
  await scheduler.stop(1_000)
  await bus.close(100)
  await pool.end()
  await database.drop()
})

test('looks seldom while nothing is due, and often while due.soon says that something may be', async () => {
  await start({})
  await eventually(() => looks.length >= 4)
  const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? 0))
  // The first look may be before it leads.
  expect(Math.min(...gaps.slice(1))).toBeGreaterThan(400)
  const from = looks.length
  const elapsedMs = startLoopTime()
  await eventually(
    () => {
      bus.announce('due.soon', [{ v: 1 }])
      return looks.length >= from + 12
    },
    { everyMs: 20 },
  )
  // Twelve looks of the idle kind are 5.5 s.
  expect(elapsedMs()).toBeLessThan(4_000)
})

test.each([
  [false, 1],
  [true, 0],
])('alone: %j. It looks for what is due, with %d leases', async (isAlone, leases) => {
  await start({ isAlone })
  await eventually(() => looks.length >= 3)
  const { rowCount } = await pool.query('SELECT FROM leases')
  expect(rowCount).toBe(leases)
})

test('alone it looks twice a second while Postgres refuses, and goes on when it answers', async () => {
  await start({ isAlone: true })
  await eventually(() => looks.length >= 1)
  const { query } = pool
  const refused: number[] = []
  pool.query = ((statement: { name?: string }) => {
    if (statement.name === 'next-due') refused.push(performance.now())
    return Promise.reject(new Error('refused'))
  }) as unknown as typeof pool.query
  await eventually(() => refused.length >= 4)
  const gaps = refused.slice(1).map((at, index) => at - (refused[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(400)
  pool.query = query
  const before = looks.length
  await eventually(() => looks.length > before)
})
