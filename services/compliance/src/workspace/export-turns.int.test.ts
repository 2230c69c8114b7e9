/** How many workspaces are exported at the same time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ApiError } from '@posthorn/contracts/errors'
import { setIdClock } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { startTestCompliance, type TestCompliance } from '../compliance.fixture.ts'
import { MAX_EXPORTS, SHARE_MS, takeExportTurn } from './export-turns.ts'
import { createExportWorkspace } from './export-workspace.ts'

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  setIdClock(Date.now)
  await compliance.close()
})

async function codeOf(tenantId: string): Promise<string> {
  const error = await takeExportTurn(compliance.pool, tenantId).catch((thrown: ApiError) => thrown)
  return 'code' in error ? error.code : 'a turn'
}

/** An export whose client has read the first part of it. */
async function begin(tenantId: string): Promise<AsyncIterator<string>> {
  const { exportWorkspace } = createExportWorkspace({ pool: compliance.pool, now: Date.now })
  const request = { caller: { tenantId } } as Parameters<typeof exportWorkspace>[0]
  const { chunks } = (await exportWorkspace(request)) as { chunks: AsyncIterable<string> }
  const parts = chunks[Symbol.asyncIterator]()
  await parts.next()
  return parts
}

test('a workspace is exported once at a time, and again when that has ended', async () => {
  const workspace = await compliance.addWorkspace()
  const other = await compliance.addWorkspace()
  const first = await begin(workspace.tenantId)
  const call = await workspace.callAs('admin')
  expect(await call('GET', '/gdpr/export')).toMatchObject({
    status: 409,
    body: { code: 'INVALID_STATE' },
  })
  expect((await (await other.callAs('admin'))('GET', '/gdpr/export')).status).toBe(200)
  // Its client leaves.
  await first.return?.()
  expect((await call('GET', '/gdpr/export')).status).toBe(200)
  expect((await call('GET', '/gdpr/export')).status).toBe(200)
})

test('of twenty that begin at once exactly one goes on', async () => {
  const { tenantId } = await compliance.addWorkspace()
  const begun = await Promise.allSettled(Array.from({ length: 20 }, () => begin(tenantId)))
  const [winner, ...others] = begun.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  expect(winner).toBeDefined()
  expect(others).toEqual([])
  await winner?.return?.()
})

test('there is a bound for all workspaces together, over all instances', async () => {
  const begun: AsyncIterator<string>[] = []
  for (let nth = 0; nth < MAX_EXPORTS; nth += 1) {
    begun.push(await begin((await compliance.addWorkspace()).tenantId))
  }
  const workspace = await compliance.addWorkspace()
  const call = await workspace.callAs('admin')
  expect(await call('GET', '/gdpr/export')).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
  })
  await begun.pop()?.return?.()
  expect((await call('GET', '/gdpr/export')).status).toBe(200)
  for (const parts of begun) await parts.return?.()
})

test('a turn whose lease has ended is free, and its end takes nobody else the turn', async () => {
  const { tenantId } = await compliance.addWorkspace()
  const { pool } = compliance
  const late = await takeExportTurn(pool, tenantId)
  expect(await codeOf(tenantId)).toBe('INVALID_STATE')
  await pool.query('UPDATE leases SET held_until = now() WHERE name LIKE $1', [`%${tenantId}`])
  const next = await takeExportTurn(pool, tenantId)
  await late.end()
  expect(await codeOf(tenantId)).toBe('INVALID_STATE')
  await next.end()
  const { rows } = await pool.query(`SELECT FROM leases WHERE name LIKE 'workspace-export:%'`)
  expect(rows).toEqual([])
})

test('eight that take all the time there is hold up a ninth for less than an hour', async () => {
  const { pool } = compliance
  const tenants: string[] = []
  for (let nth = 0; nth < MAX_EXPORTS + 2; nth += 1)
    tenants.push((await compliance.addWorkspace()).tenantId)
  const [oldest = '', ...others] = tenants.slice(0, MAX_EXPORTS)
  const [ninth = '', tenth = ''] = tenants.slice(MAX_EXPORTS)
  const begunAt = Date.now()
  /** Leases are renewed meanwhile, so that only the share ends a turn. */
  const passUntil = (minutes: number) => setIdClock(() => begunAt + minutes * 60_000)
  const slow = await takeExportTurn(pool, oldest, 10)
  passUntil(20)
  const held = await Promise.all(others.map(async (one) => await takeExportTurn(pool, one, 10)))
  for (const minutes of [30, 40, SHARE_MS / 60_000 - 1]) {
    passUntil(minutes)
    expect(await codeOf(ninth)).toBe('RATE_LIMITED')
    slow.requireHeld()
  }
  passUntil(SHARE_MS / 60_000 + 1)
  // One turn is over its share. Whoever came later does not get it, though asking first.
  expect(await codeOf(tenth)).toBe('RATE_LIMITED')
  const next = await takeExportTurn(pool, ninth, 10)
  await eventually(() => expect(slow.requireHeld).toThrow('took too long'))
  // It begins again behind the others.
  await slow.end()
  expect(await codeOf(oldest)).toBe('RATE_LIMITED')
  next.requireHeld()
  for (const turn of held) turn.requireHeld()
  await held.pop()?.end()
  expect(await codeOf(oldest)).toBe('RATE_LIMITED')
  held.push(await takeExportTurn(pool, tenth, 10))
  for (const turn of [next, ...held]) await turn.end()
  // Who has waited and comes no more is forgotten.
  await pool.query(`UPDATE leases SET held_until = now() WHERE name LIKE 'workspace-export%'`)
  await (await takeExportTurn(pool, tenth)).end()
  const { rows } = await pool.query(`SELECT FROM leases WHERE name LIKE 'workspace-export%'`)
  expect(rows).toEqual([])
})
