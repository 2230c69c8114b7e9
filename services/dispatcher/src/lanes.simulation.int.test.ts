/**
 * Hundreds of random schedules of lanes on a real Postgres. A failure says its seed:
 * `LANES_SEED=<seed>` runs that schedule alone; what Postgres does with statements at the same time
 * it does not repeat.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import type { Swept } from '@posthorn/store/pipeline/sweep'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { isLongForm } from '@posthorn/testing/long-form'
import { type Arrival, createSchedule, type Schedule } from './lanes.simulation.fixture.ts'

const GIVEN = process.env['LANES_SEED']
const SCHEDULES = GIVEN !== undefined ? 1 : isLongForm ? 200 : 60
const AT_ONCE = 6

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 8, name: 'lanes simulation', onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const running = new Map<string, Schedule>()

async function sweepAll(sweep: () => Promise<Swept>): Promise<void> {
  const found = await sweep()
  for (const schedule of running.values()) schedule.swept(found)
}

async function newTenant(): Promise<{ tenantId: string; projectId: string }> {
  const [tenantId, projectId] = [newId(), newId()]
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'free', '')`,
    [tenantId],
  )
  return { tenantId, projectId }
}

/** What is wrong with what the endpoint saw; empty: nothing. */
function faultsOf({ accepted, arrivals, cancelled, replayed }: Schedule): string[] {
  // Cancelled by another process while this one was stopped on its way to the wire: nothing can
  // call it back.
  const isLate = ({ wasStopped, eventId }: Arrival): boolean => wasStopped && cancelled.has(eventId)
  const wrong: string[] = []
  for (const [lane, eventIds] of accepted) {
    const seen = new Set<string>()
    let last = -1
    for (const one of arrivals.filter((arrival) => arrival.lane === lane)) {
      const at = eventIds.indexOf(one.eventId)
      const isFirst = !seen.has(one.eventId)
      if (at < last && isFirst && !isLate(one))
        wrong.push(`${lane}: number ${at} came after ${last}`)
      if (at < last && !isFirst && !one.wasStopped && !replayed.has(one.eventId)) {
        wrong.push(`${lane}: number ${at} came again after ${last}, and nobody had been stopped`)
      }
      seen.add(one.eventId)
      last = Math.max(last, at)
    }
    const missing = eventIds.filter((id) => !seen.has(id) && !cancelled.has(id))
    wrong.push(...missing.map((id) => `${lane}: number ${eventIds.indexOf(id)} never came`))
  }
  return wrong
}

test('whatever happens, first deliveries of a lane come in order of acceptance, and all come', async () => {
  const first = GIVEN === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(GIVEN)
  const seeds = Array.from({ length: SCHEDULES }, (_, n) => first + n).values()
  const failed: string[] = []
  let [arrivals, repeats] = [0, 0]
  async function runSome(): Promise<void> {
    for (const seed of seeds) {
      const schedule = createSchedule(pool, seed, await newTenant(), sweepAll)
      running.set(schedule.tenantId, schedule)
      const problem = await schedule.run().then(
        () => faultsOf(schedule),
        (error: Error) => [error.stack ?? error.message],
      )
      running.delete(schedule.tenantId)
      if (problem.length > 0) failed.push(`seed ${seed}: ${problem.join('; ')}`)
      arrivals += schedule.arrivals.length
      repeats +=
        schedule.arrivals.length - new Set(schedule.arrivals.map((one) => one.eventId)).size
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, runSome))
  const seconds = (performance.now() - began) / 1_000
  process.stdout.write(
    `${SCHEDULES} schedules from seed ${first}: ${arrivals} arrivals, ${repeats} of them repeats, ${seconds.toFixed(1)} s\n`,
  )
  expect(failed).toEqual([])
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM lanes) AS lanes,
       (SELECT count(*)::int FROM lane_waiting) AS waiting,
       (SELECT count(*)::int FROM due) AS due`,
  )
  expect(rows).toEqual([{ lanes: 0, waiting: 0, due: 0 }])
}, 120_000)
