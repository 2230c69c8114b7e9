import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import type { Bus } from '@posthorn/bus/bus'
import { createMetrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { createRetryScheduler } from './app.ts'

let database: TestDatabase
let pool: Pool
let bus: Bus
let scheduler: Service
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
  scheduler = createRetryScheduler(
    { maxHoldDays: 30 },
    { pool, bus, log, metrics: createMetrics('test', '0.1.0'), now: Date.now },
  )
  await scheduler.start()
})
afterEach(async () => {
  await scheduler.stop(1_000)
  await bus.close(100)
  await pool.end()
  await database.drop()
})

test('looks seldom while nothing is due, and often while due.soon says that something may be', async () => {
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
