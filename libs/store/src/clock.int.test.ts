import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { newId, setClockOffset, timeOfId } from '@posthorn/domain/ids'
import { createDatabaseClock } from './clock.ts'
import { openStage, type Stage } from './store.fixture.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterEach(() => setClockOffset(0))
afterAll(async () => {
  await stage.close()
})

async function databaseNow(): Promise<number> {
  const { rows } = await stage.pool.query<{ now: number }>(
    'SELECT micros(clock_timestamp()) / 1000 AS now',
  )
  return rows[0]?.now ?? 0
}

test('it is Postgres’s clock, and ids follow it', async () => {
  const clock = await createDatabaseClock(stage.pool)
  const before = await databaseNow()
  const now = clock.now()
  const id = newId()
  const after = await databaseNow()
  expect(now).toBeGreaterThan(before - 250)
  expect(now).toBeLessThan(after + 250)
  expect(timeOfId(id)).toBeGreaterThan(before - 250)
  expect(timeOfId(id)).toBeLessThan(after + 250)
})

test('another clock than this machine’s is taken over; where it can’t be asked, the last offset stays', async () => {
  let aheadMs = 3_600_000
  let down = false
  const query = async (): Promise<unknown> => {
    if (down) throw new Error('the store is down')
    return { rows: [{ now: Date.now() + aheadMs }] }
  }
  const clock = await createDatabaseClock({ query } as never)
  expect(Math.abs(clock.now() - Date.now() - 3_600_000)).toBeLessThan(250)
  expect(Math.abs(timeOfId(newId()) - Date.now() - 3_600_000)).toBeLessThan(250)
  aheadMs = 7_200_000
  await clock.measure()
  expect(Math.abs(clock.now() - Date.now() - 7_200_000)).toBeLessThan(250)
  down = true
  await expect(clock.measure()).rejects.toThrow('the store is down')
  expect(Math.abs(clock.now() - Date.now() - 7_200_000)).toBeLessThan(250)
})

test('tokens survive the wire to the microsecond', async () => {
  const { rows } = await stage.pool.query(
    `SELECT bool_and(from_micros(micros(at)) = at) AS same, count(*)::int AS n FROM (
       SELECT timestamptz '2026-01-01' + n * interval '7919.000123 seconds' AS at FROM generate_series(0, 50000) AS n
     ) instants`,
  )
  expect(rows).toEqual([{ same: true, n: 50_001 }])
  const { rows: tokens } = await stage.pool.query<{ token: number; same: boolean }>(
    `SELECT micros(t) AS token FROM (VALUES (timestamptz '2254-12-31T23:59:59.999999Z')) AS v (t)`,
  )
  const token = JSON.parse(JSON.stringify(tokens[0]?.token)) as number
  const { rows: back } = await stage.pool.query(
    `SELECT from_micros($1) = timestamptz '2254-12-31T23:59:59.999999Z' AS same`,
    [token],
  )
  expect(back).toEqual([{ same: true }])
})
