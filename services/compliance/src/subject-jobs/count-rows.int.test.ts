/** Counting what a job will look at, in a workspace too large for one statement. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { startTestCompliance, type TestCompliance } from '../compliance.fixture.ts'
import { createRunSubjectJobs } from './run-subject-jobs.ts'

const ROWS = 25_000

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

async function fill(tenantId: string, rows: number): Promise<void> {
  const ids = Array.from({ length: rows }, () => newId())
  await compliance.pool.query(
    `INSERT INTO audit_logs (tenant_id, id, action, resource, resource_id, actor_type, actor_name,
       metadata)
     SELECT $1, id, 'tag.create', 'tag', 'x', 'system', 'system', '{}'
     FROM unnest($2::uuid[]) AS id`,
    [tenantId, ids],
  )
}

test.each(['data-export', 'data-erasure'])(
  'before a %s goes in steps, and each is written down with the lease renewed',
  async (path) => {
    const workspace = await compliance.addWorkspace()
    const child = await compliance.addWorkspace(workspace.tenantId)
    await fill(workspace.tenantId, ROWS)
    await fill(child.tenantId, 1)
    const call = await workspace.callAs('admin')
    await call('POST', `/gdpr/${path}`, { email: 'ann@example.com' })
    const counted: number[] = []
    const { pool, seal } = compliance
    const run = createRunSubjectJobs({
      pool,
      seal,
      log: { info: () => {}, warn: () => {} },
      rest: async () => {
        const { rows } = await pool.query<{ counted: number | null; isLeased: boolean }>(
          `SELECT (position ->> 'counted')::int AS counted,
             lease_until > now() + interval '55 seconds' AS "isLeased"
           FROM subject_jobs WHERE tenant_id = $1`,
          [workspace.tenantId],
        )
        const [row] = rows
        expect(row?.isLeased).toBe(true)
        if (typeof row?.counted === 'number') counted.push(row.counted)
      },
    })
    while (await run());
    // A page has 10,000 rows. The audit row of the job itself is one of them.
    for (const [at, sum] of [...counted.entries()].slice(1))
      expect(sum - (counted[at - 1] ?? 0)).toBeLessThanOrEqual(10_001)
    expect(counted).toEqual(expect.arrayContaining([10_000, 20_000]))
    const { body } = await call('GET', '/gdpr/jobs')
    const total = ROWS + 2
    expect(body.data[0]).toMatchObject({ status: 'completed', progress: { total, done: total } })
  },
  60_000,
)
