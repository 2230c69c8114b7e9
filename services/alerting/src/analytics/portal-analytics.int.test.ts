/** Analytics as a sub-account sees them in the portal: its own, with the capability alone. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import type { PortalCapability } from '@posthorn/domain/portal-capabilities'
import {
  addRollup,
  type InsightsTenant,
  startTestInsights,
  type TestInsights,
} from '../insights.fixture.ts'

let insights: TestInsights
let parent: InsightsTenant
let child: InsightsTenant
beforeAll(async () => {
  insights = await startTestInsights()
  parent = await insights.addTenant()
  child = await insights.addTenant()
  await insights.pool.query('UPDATE tenants SET parent_id = $1, external_id = $2 WHERE id = $3', [
    parent.tenantId,
    'customer',
    child.tenantId,
  ])
})
afterAll(async () => await insights.close())

async function openSession(scopes: readonly PortalCapability[]) {
  const id = newId()
  await insights.pool.query(
    `INSERT INTO sub_account_sessions
       (tenant_id, id, scopes, return_url, created_by, expires_at, max_expires_at, consumed_at)
     VALUES ($1, $2, $3, 'https://app.example.com', 'test', now() + interval '1 hour',
       now() + interval '1 day', now())`,
    [child.tenantId, id, scopes],
  )
  const iat = Math.floor(Date.now() / 1_000)
  const token = insights.portal.tokens.sign({
    jti: id,
    sub: child.tenantId,
    cid: parent.tenantId,
    scp: [...scopes],
    aud: 'session',
    iat,
    exp: iat + 3_600,
  })
  return async (path: string) => {
    const response = await fetch(`${insights.url}/sub-account-api/analytics/${path}`, {
      headers: { Cookie: `service_sub_account_session=${token}`, Connection: 'close' },
    })
    const body = (await response.json()) as { data: Record<string, number>[] }
    return { status: response.status, body }
  }
}

test('they are the sub-account’s own', async () => {
  const at = Date.now() - 3_600_000
  await addRollup(insights, child, { scopeId: child.tenantId, at, succeeded: 3, accepted: 3 })
  await addRollup(insights, parent, { scopeId: parent.tenantId, at, succeeded: 50, accepted: 50 })
  const get = await openSession(['deliveries:read'])
  const sum = (rows: Record<string, number>[], field: string) =>
    rows.reduce((total, row) => total + (row[field] ?? 0), 0)
  expect(sum((await get('summary')).body.data, 'delivered')).toBe(3)
  expect(sum((await get('outcomes')).body.data, 'success')).toBe(3)
  expect((await get('latency')).status).toBe(200)
  expect((await get('throughput')).status).toBe(404)
})

test('they need their capability', async () => {
  const get = await openSession(['events:read', 'endpoints:read', 'endpoints:write'])
  for (const name of ['summary', 'outcomes', 'latency'])
    expect(await get(name)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
})
