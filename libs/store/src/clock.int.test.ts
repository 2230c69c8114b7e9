import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { newId, setIdClock, timeOfId } from '@posthorn/domain/ids'
import { type ClockStep, createDatabaseClock } from './clock.ts'
import { acceptEvents } from './pipeline/accept-events.ts'
import {
  countRows,
  directEvent,
  makeTenant,
  openTestStore,
  type TestStore,
} from './store.fixture.ts'

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterEach(() => {
  setIdClock(() => Date.now())
  jest.restoreAllMocks()
})
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
    return { rows: [{ now: Date.now() + aheadMs, days: [] }] }
  }
  const clock = await createDatabaseClock({ query } as never)
  expect(Math.abs(clock.now() - Date.now() - 3_600_000)).toBeLessThan(5_000)
  expect(Math.abs(timeOfId(newId()) - Date.now() - 3_600_000)).toBeLessThan(5_000)
  aheadMs = 7_200_000
  await clock.measure()
  expect(Math.abs(clock.now() - Date.now() - 7_200_000)).toBeLessThan(5_000)
  down = true
  await expect(clock.measure()).rejects.toThrow('the store is down')
  expect(Math.abs(clock.now() - Date.now() - 7_200_000)).toBeLessThan(5_000)
})

const DAY_MS = 86_400_000

/** The real Postgres, whose clock is off. */
function offClock(of: TestStore): { pool: TestStore['pool']; offMs: number } {
  const off = { offMs: 0, pool: of.pool }
  const query = async (sql: string): Promise<unknown> => {
    const answer = await of.pool.query<{ now: number }>(sql)
    for (const row of answer.rows) row.now += off.offMs
    return answer
  }
  return Object.assign(off, { pool: { query } as never })
}

test.each([2, 40, 4_000])(
  'a clock that was %d days ahead for a while refuses no insert, and leaves nothing in the ids',
  async (days) => {
    const tenant = await makeTenant(stage.pool)
    const off = offClock(stage)
    const steps: ClockStep[] = []
    const clock = await createDatabaseClock(off.pool, { onStep: (step) => void steps.push(step) })
    for (const sign of [1, -1]) {
      off.offMs = sign * days * DAY_MS
      await clock.measure()
      const meanwhile = directEvent(tenant)
      await acceptEvents(stage.pool, [meanwhile])
      expect(await countRows(stage.pool, 'events', 'id = $1', [meanwhile.id])).toBe(1)
      off.offMs = 0
      await clock.measure()
      const after = directEvent(tenant)
      await acceptEvents(stage.pool, [after])
      expect(Math.abs(timeOfId(after.id) - (await databaseNow()))).toBeLessThan(10_000)
    }
    expect(steps.map(({ clock: which }) => which)).toEqual(Array(4).fill('postgres'))
    const rounded = steps.map(({ ms }) => Math.round(ms / DAY_MS))
    expect(rounded).toEqual([days, -days, -days, days])
  },
)

test('the machine’s clock shifts nothing; that it was set is told once, and asked about at once', async () => {
  const steps: ClockStep[] = []
  let asked = 0
  const query = async (sql: string): Promise<unknown> => {
    asked += 1
    return await stage.pool.query(sql)
  }
  const onStep = (step: ClockStep): void => void steps.push(step)
  const clock = await createDatabaseClock({ query } as never, { onStep })
  await clock.follow()
  expect([asked, steps]).toEqual([1, []])
  const before = clock.now()
  const real = Date.now
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 9 * DAY_MS)
  expect(Math.abs(clock.now() - before)).toBeLessThan(10_000)
  expect(Math.abs(timeOfId(newId()) - before)).toBeLessThan(10_000)
  await clock.follow()
  await clock.follow()
  expect(asked).toBe(2)
  expect(steps).toEqual([{ clock: 'machine', ms: expect.closeTo(9 * DAY_MS, -4) }])
  expect(Math.abs(timeOfId(newId()) - before)).toBeLessThan(10_000)
})

test('an answer that took long corrects nothing that it agrees with', async () => {
  let slowMs = 0
  // Whole, because the answer is exactly as vague as the step that it seems to tell of.
  const startedAt = Math.round(performance.now())
  let atMs = startedAt
  jest.spyOn(performance, 'now').mockImplementation(() => atMs)
  const query = async (): Promise<unknown> => {
    const now = 1_800_000_000_000 + atMs - startedAt
    atMs += slowMs
    return { rows: [{ now, days: [] }] }
  }
  const steps: ClockStep[] = []
  const clock = await createDatabaseClock({ query } as never, {
    onStep: (step) => void steps.push(step),
  })
  expect(clock.now()).toBe(1_800_000_000_000)
  slowMs = 8_000
  await clock.measure()
  expect(clock.now()).toBe(1_800_000_008_000)
  expect(steps).toEqual([])
})

test('tokens survive the wire to the microsecond', async () => {
  const { rows } = await stage.pool.query(
    `SELECT bool_and(from_micros(micros(at)) = at) AS same, count(*)::int AS n FROM (
       SELECT timestamptz '2026-01-01' + n * interval '7919.000123 seconds' AS at
         FROM generate_series(0, 50000) AS n
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
