/**
 * A runner that is killed before any of its statements, and another that takes the job over: the
 * outcome is the same as if nothing had happened.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createAddressMatcher } from '@posthorn/domain/address-matcher'
import type { Pool } from '@posthorn/store/pool'
import { isLongForm } from '@posthorn/testing/long-form'
import {
  type Call,
  startTestCompliance,
  type TestCompliance,
  type Workspace,
} from '../compliance.fixture.ts'
import { dump, NEAR_MISSES, PLACES, plant } from './planted.fixture.ts'
import { readTenantTables } from '../workspace/tenant-tables.ts'
import { createRunSubjectJobs } from './run-subject-jobs.ts'

const ADDRESS = 'ann@example.com'
const MAX_STEPS = 2_000

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

interface Scene {
  workspace: Workspace
  call: Call
  references: string[]
}

async function makeScene(): Promise<Scene> {
  const workspace = await compliance.addWorkspace()
  const child = await compliance.addWorkspace(workspace.tenantId)
  const references: string[] = []
  for (const [nth, place] of PLACES.entries()) {
    const planter = { pool: compliance.pool, ...(nth % 2 === 0 ? workspace : child) }
    references.push(await plant(planter, place, ADDRESS))
    await plant(planter, place, NEAR_MISSES[nth % NEAR_MISSES.length]?.(ADDRESS) ?? '')
  }
  return { workspace, call: await workspace.callAs('admin'), references }
}

/** The pool of a process that dies before its statement of that number: nothing works after it. */
function mortalPool(pool: Pool, lifetime: number): { pool: Pool; isDead(): boolean } {
  let left = lifetime
  const live = (): void => {
    left -= 1
    if (left < 0) throw new Error('killed')
  }
  type Query = (query: never, values?: never) => Promise<unknown>
  const mortal =
    (query: Query): Query =>
    async (text, values) => {
      live()
      return await query(text, values)
    }
  const mortalOne = {
    query: mortal(pool.query.bind(pool) as Query),
    async connect() {
      live()
      const client = await pool.connect()
      return {
        query: mortal(client.query.bind(client) as Query),
        // The connection of a killed process ends, and its transaction with it.
        release: (broken?: boolean) => client.release(broken === true || left < 0),
      }
    },
  }
  return { pool: mortalOne as unknown as Pool, isDead: () => left < 0 }
}

/** @returns whether the runner was killed before the jobs were done */
async function runKilled(lifetime: number): Promise<boolean> {
  const { pool, isDead } = mortalPool(compliance.pool, lifetime)
  const log = { info: () => {}, warn: () => {} }
  const run = createRunSubjectJobs({
    pool,
    seal: compliance.seal,
    log,
    rest: async () => {},
    pauseMs: 0,
  })
  try {
    while (await run());
  } catch (error) {
    if (!isDead()) throw error
  }
  return isDead()
}

/** Its lease runs out, and whoever comes next takes over. */
async function takeOver(): Promise<void> {
  await compliance.pool.query(
    'UPDATE subject_jobs SET lease_until = now() WHERE lease_until IS NOT NULL',
  )
  await compliance.runJobs()
}

const KINDS: [string, number, (scene: Scene) => Promise<unknown>, (s: Scene) => Promise<void>][] = [
  [
    'an export',
    isLongForm ? 1 : 7,
    ({ call }) => call('POST', '/gdpr/data-export', { email: ADDRESS }),
    async ({ call, references }) => {
      const { body } = await call('GET', '/gdpr/jobs')
      const { body: document } = await call('GET', `/gdpr/jobs/${body.data[0].id}/download`)
      const rows = [...document.events, ...document.delivery_attempts, ...document.audit_logs]
      expect(rows.map(({ id }: { id: string }) => id).toSorted()).toEqual(references.toSorted())
    },
  ],
  [
    'an erasure',
    isLongForm ? 1 : 7,
    ({ call }) => call('POST', '/gdpr/data-erasure', { email: ADDRESS }),
    async ({ workspace, call, references }) => {
      const { body } = await call('GET', '/gdpr/jobs')
      expect(body.data[0]).toMatchObject({ kind: 'erasure', status: 'completed' })
      const { matches } = createAddressMatcher(ADDRESS)
      for (const [name, rows] of await dump(compliance.pool)) {
        if (!/^(events|attempts|audit_logs|idempotency_keys)/.test(name)) continue
        const ofScene = rows.filter((row) => references.some((id) => row.includes(id)))
        expect(ofScene.filter((row) => matches(row))).toEqual([])
      }
      const { rows } = await compliance.pool.query(
        'SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND open_count > 0',
        [workspace.tenantId],
      )
      expect(rows[0].count).toBeGreaterThan(0)
    },
  ],
  [
    'a deletion',
    isLongForm ? 1 : 79,
    ({ call, workspace }) => call('DELETE', '/gdpr/data', { confirm: workspace.name }),
    async ({ workspace }) => {
      const left: string[] = []
      for (const { name } of await readTenantTables(compliance.pool)) {
        const { rowCount } = await compliance.pool.query(
          `SELECT FROM ${name} WHERE tenant_id = $1 LIMIT 1`,
          [workspace.tenantId],
        )
        if (rowCount !== 0) left.push(name)
      }
      expect(left.map((name) => name.replace(/_\d{8}$/, '')).toSorted()).toEqual([
        'auth_audit_logs',
        'subject_jobs',
      ])
    },
  ],
]

describe.each(KINDS)('%s', (_, stride, request, check) => {
  test('goes on wherever its runner is killed', async () => {
    let kills = 0
    // In the short form some of the statements: each run of the tests meets the same ones.
    for (let lifetime = 0; ; lifetime += stride) {
      expect(lifetime).toBeLessThan(MAX_STEPS)
      const scene = await makeScene()
      expect(await request(scene)).toMatchObject({ status: 202 })
      const isKilled = await runKilled(lifetime)
      if (isKilled) {
        kills += 1
        await takeOver()
      }
      await check(scene)
      if (!isKilled) break
    }
    expect(kills).toBeGreaterThan(3)
  }, 240_000)
})

test('of two runners one has the job, and the other writes nothing of it', async () => {
  const scene = await makeScene()
  await scene.call('POST', '/gdpr/data-export', { email: ADDRESS })
  const run = () =>
    createRunSubjectJobs({
      pool: compliance.pool,
      seal: compliance.seal,
      log: { info: () => {}, warn: () => {} },
      // Meanwhile the lease runs out, as if this process stood still.
      rest: async () => {
        await compliance.pool.query(
          'UPDATE subject_jobs SET lease_until = now() WHERE lease_until IS NOT NULL',
        )
        await compliance.runJobs()
      },
    })()
  expect(await run()).toBe(true)
  const { body } = await scene.call('GET', '/gdpr/jobs')
  expect(body.data[0].status).toBe('completed')
  const { body: document } = await scene.call('GET', `/gdpr/jobs/${body.data[0].id}/download`)
  expect(document.events.length + document.delivery_attempts.length).toBe(6)
})

test('a deletion is never given up: nobody could ask for it again', async () => {
  const { workspace, call } = await makeScene()
  expect(await call('DELETE', '/gdpr/data', { confirm: workspace.name })).toMatchObject({
    status: 202,
  })
  const { pool, seal } = compliance
  const query = async (asked: string | { text: string }, values?: unknown[]): Promise<unknown> => {
    const isLast = typeof asked === 'string' && asked.startsWith('DELETE FROM tenants')
    if (isLast) throw new Error('something still refers to it')
    return await pool.query(asked as string, values)
  }
  const failing = { query, connect: async () => await pool.connect() } as unknown as Pool
  const log = { info: () => {}, warn: () => {} }
  const rest = async (): Promise<void> => {}
  const run = createRunSubjectJobs({ pool: failing, seal, log, rest, pauseMs: 0 })
  for (let round = 0; round < 8; round += 1) {
    await pool.query('UPDATE subject_jobs SET lease_until = now() WHERE lease_until IS NOT NULL')
    while (await run());
  }
  const statusOf = async (): Promise<unknown> => {
    const { rows } = await pool.query<{ status: string }>(
      'SELECT status FROM subject_jobs WHERE tenant_id = $1',
      [workspace.tenantId],
    )
    return rows
  }
  expect(await statusOf()).toEqual([{ status: 'running' }])
  await takeOver()
  expect(await statusOf()).toEqual([{ status: 'completed' }])
})

test('an export whose document is erased while it is made begins anew, with what is left', async () => {
  const other = 'bob@example.com'
  const workspace = await compliance.addWorkspace()
  const call = await workspace.callAs('admin')
  const { pool, seal } = compliance
  await plant({ pool, ...workspace }, 'payload', `${ADDRESS}, ${other}`)
  const kept = await plant({ pool, ...workspace }, 'payload', other)
  await call('POST', '/gdpr/data-export', { email: other })
  let isErased = false
  const run = createRunSubjectJobs({
    pool,
    seal,
    log: { info: () => {}, warn: () => {} },
    pauseMs: 0,
    // Between two steps of the export, once it has written its first piece.
    rest: async () => {
      const { rowCount } = await pool.query(
        'SELECT FROM subject_export_pieces WHERE tenant_id = $1',
        [workspace.tenantId],
      )
      if (isErased || rowCount === 0) return
      isErased = true
      await call('POST', '/gdpr/data-erasure', { email: ADDRESS })
      await compliance.runJobs()
    },
  })
  while (await run());
  expect(isErased).toBe(true)
  const { body } = await call('GET', '/gdpr/jobs')
  const job = body.data.find(({ kind }: { kind: string }) => kind === 'export')
  expect(job).toMatchObject({ status: 'completed' })
  const { body: document } = await call('GET', `/gdpr/jobs/${job.id}/download`)
  const ids = document.events.map(({ id }: { id: string }) => id)
  expect(ids).toEqual([kept])
})
