/** How many workspaces are exported at the same time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ApiError } from '@posthorn/contracts/errors'
import { startTestCompliance, type TestCompliance } from '../compliance.fixture.ts'
import { MAX_EXPORTS, takeExportTurn } from './export-turns.ts'
import { createExportWorkspace } from './export-workspace.ts'

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

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
  const codeOf = async () =>
    await takeExportTurn(pool, tenantId).catch((error: ApiError) => error.code)
  const late = await takeExportTurn(pool, tenantId)
  expect(await codeOf()).toBe('INVALID_STATE')
  await pool.query('UPDATE leases SET held_until = now() WHERE name LIKE $1', [`%${tenantId}`])
  const next = await takeExportTurn(pool, tenantId)
  await late.end()
  expect(await codeOf()).toBe('INVALID_STATE')
  await next.end()
  const { rows } = await pool.query(`SELECT FROM leases WHERE name LIKE 'workspace-export:%'`)
  expect(rows).toEqual([])
})
