import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { isUnavailable, openPool, type Pool } from './pool.ts'
import { openTestStore, type TestStore } from './store.fixture.ts'

/** Who waits is refused after 3 s; this leaves time for a busy machine. */
const SOON_MS = 15_000
/** Longer than anybody waits for a connection. */
const STOOD_STILL_MS = 3_500
/** More than a stack has room for, if each released its connection within the release before. */
const REFUSED = 5_000

let stage: TestStore
let pool: Pool
let told: unknown[]
beforeEach(async () => {
  stage = await openTestStore()
  told = []
  pool = openPool({ url: stage.url, max: 2, name: 'test', onError: (error) => told.push(error) })
})
afterEach(async () => {
  await pool.end()
  await stage.close()
})

/** Holds up the event loop. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('who waits while no connection is free is refused, and takes none afterwards', async () => {
  const held = [await pool.connect(), await pool.connect()]
  const elapsedMs = startLoopTime()
  const refused: unknown = await pool.query('SELECT 1').then(
    () => 'answered',
    (error: unknown) => error,
  )
  const waitedMs = elapsedMs()
  for (const client of held) client.release()
  expect(refused).toMatchObject({ code: 'ETIMEDOUT' })
  expect(isUnavailable(refused)).toBe(true)
  expect(waitedMs).toBeLessThan(SOON_MS)
  await eventually(() => expect([pool.idleCount, pool.waitingCount]).toEqual([2, 0]))
  expect(told).toEqual([])
})

test('thousands that were refused hold nobody up, whose connections come one after the other', async () => {
  const held = [await pool.connect(), await pool.connect()]
  const all = Array.from({ length: REFUSED }, async () => await pool.query('SELECT 1'))
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(REFUSED)
  const next = pool.query<{ one: number }>('SELECT 1 AS one')
  for (const client of held) client.release()
  expect((await next).rows).toEqual([{ one: 1 }])
  await eventually(() => expect([pool.idleCount, pool.waitingCount]).toEqual([2, 0]))
})

test('a process that has stood still itself refuses nobody', async () => {
  const opening = pool.query<{ one: number }>('SELECT 1 AS one')
  standStill(STOOD_STILL_MS)
  expect((await opening).rows).toEqual([{ one: 1 }])
})
