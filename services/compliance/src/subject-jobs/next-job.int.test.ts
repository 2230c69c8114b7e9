/** When an idle runner looks again: at once, when a lease ends, or not before it is told. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startTestCompliance, type TestCompliance } from '../compliance.fixture.ts'
import { nextJobInMs } from './run-subject-jobs.ts'

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

test('the next job is told by the earliest lease, and none when all have ended', async () => {
  const { pool } = compliance
  expect(await nextJobInMs(pool)).toBe(Infinity)
  const call = await (await compliance.addWorkspace()).callAs('admin')
  await call('POST', '/gdpr/data-export', { email: 'ann@example.com' })
  expect(await nextJobInMs(pool)).toBeLessThanOrEqual(0)
  await pool.query(`UPDATE subject_jobs SET lease_until = now() + interval '1 hour'`)
  const leased = await nextJobInMs(pool)
  expect(leased).toBeGreaterThan(3_000_000)
  expect(leased).toBeLessThanOrEqual(3_600_000)
  await call('POST', '/gdpr/data-export', { email: 'zoe@example.com' })
  expect(await nextJobInMs(pool)).toBeLessThanOrEqual(0)
  await pool.query('UPDATE subject_jobs SET lease_until = now()')
  await compliance.runJobs()
  expect(await nextJobInMs(pool)).toBe(Infinity)
})
