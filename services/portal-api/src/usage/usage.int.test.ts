/** Plans as a workspace meets them: what it may use, what it has used, and what is refused. */
import { beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { FEATURES, type PlanName, PLANS } from '@posthorn/domain/plans'
import { eventually } from '@posthorn/testing/eventually'
import { subscribe, useUp } from '@posthorn/testing/subscribe'
import { portal, tenant, usePortal } from '../portal.fixture.ts'
import { createWarnOfQuota } from './warn-of-quota.ts'

usePortal()

const ENDPOINT = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }
const SCRIPT = 'function transform(event) { return event }'

/** Resolves once it holds. */
async function usePlan(plan: PlanName): Promise<void> {
  await subscribe(portal.pool, tenant.tenantId, plan)
  await eventually(async () => (await tenant.call('GET', '/entitlements')).body.plan === plan)
}

test('the entitlements are those of the plan, and a change holds soon', async () => {
  const { limits } = PLANS.self_hosted
  const everything = Object.fromEntries(FEATURES.map((name) => [name, true]))
  const first = await tenant.call('GET', '/entitlements')
  expect(first.body).toEqual({ plan: 'self_hosted', limits, features: everything })
  await usePlan('growth')
  const { body } = await tenant.call('GET', '/entitlements')
  expect(body.limits).toEqual({
    eventsPerMonth: 5_000_000,
    requestsPerSecond: 1_000,
    endpoints: 500,
    endpointRatePerSec: 1_000,
    retentionDays: { events: 90, attempts: 30, auditLogs: 365, authAudit: 365 },
  })
  expect(body.features).toEqual({ ...everything, saml: false, scim: false, gdpr: false })
})

describe('usage', () => {
  test('of this month, with what is left', async () => {
    const now = new Date()
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
    const start = new Date(Date.UTC(year, month)).toISOString()
    const end = new Date(Date.UTC(year, month + 1)).toISOString()
    await useUp(portal.pool, tenant.tenantId, 12)
    const unlimited = await tenant.call('GET', '/usage/current')
    const period = { start, end }
    expect(unlimited.body).toEqual({ period, events: 12, limit: 0, remaining: null, resetsAt: end })
    await usePlan('free')
    const { body } = await tenant.call('GET', '/usage/current')
    expect(body).toMatchObject({ limit: 50_000, remaining: 49_988 })
    await useUp(portal.pool, tenant.tenantId, 50_003)
    expect((await tenant.call('GET', '/usage/current')).body).toMatchObject({ remaining: 0 })
  })

  test('of the months before, each with zeros where there was none', async () => {
    await portal.pool.query(
      `INSERT INTO usage_days (tenant_id, process, events, attempts, day)
       SELECT $1, p, 10, 12,
         (date_trunc('month', now() AT TIME ZONE 'UTC') - m * interval '1 month')::date + d
       FROM (VALUES (2, 0, ''), (2, 1, ''), (2, 1, 'late'), (0, 0, 'a'), (0, 0, 'b')) v (m, d, p)`,
      [tenant.tenantId],
    )
    const { body } = await tenant.call('GET', '/usage/history?months=3')
    expect(
      body.data.map(({ events, attempts }: Record<string, number>) => [events, attempts]),
    ).toEqual([
      [20, 24],
      [0, 0],
      [20, 24],
    ])
    expect(body.data[0].month).toBe(new Date().toISOString().slice(0, 7))
    expect((await tenant.call('GET', '/usage/history')).body.data).toHaveLength(12)
    for (const months of ['0', '25', 'x'])
      expect((await tenant.call('GET', `/usage/history?months=${months}`)).status).toBe(400)
  })
})

describe('without the feature in the plan', () => {
  beforeEach(async () => await usePlan('free'))

  test.each([
    ['POST', '/transformations/test', { transformation: SCRIPT, event: { payload: {} } }],
    ['POST', '/endpoints', { ...ENDPOINT, transformation: SCRIPT }],
    ['POST', '/inbound-endpoints', { name: 'P', source: 'github', sourceConfig: { secret: 'x' } }],
    ['PATCH', `/inbound-endpoints/${newId()}`, { status: 'inactive' }],
    ['POST', `/inbound-endpoints/${newId()}/verify`, { headers: {}, body: '' }],
  ])('%s %s is refused, and the plan that has it is named', async (method, path, body) => {
    const feature = path.startsWith('/inbound') ? 'inbound' : 'transformations'
    expect(await tenant.call(method, path, body)).toMatchObject({
      status: 403,
      body: { code: 'PLAN_REQUIRED', details: { plan: 'starter', feature } },
    })
  })

  test('what there is can be seen and removed, and a script taken away', async () => {
    await usePlan('starter')
    const made = await tenant.call('POST', '/endpoints', { ...ENDPOINT, transformation: SCRIPT })
    expect(made.status).toBe(201)
    await usePlan('free')
    expect((await tenant.call('GET', '/inbound-endpoints')).status).toBe(200)
    const path = `/endpoints/${made.body.id}`
    expect((await tenant.call('PATCH', path, { description: 'd' })).status).toBe(200)
    expect((await tenant.call('PATCH', path, { transformation: SCRIPT })).status).toBe(403)
    expect((await tenant.call('PATCH', path, { transformation: null })).status).toBe(200)
    const rollback = await tenant.call('POST', `${path}/versions/1/rollback`)
    expect(rollback.body).toMatchObject({ code: 'PLAN_REQUIRED' })
    expect((await tenant.call('DELETE', path)).status).toBe(204)
  })
})

test('the rate of an endpoint is at most the plan’s, and what is stored may stay', async () => {
  const made = await tenant.call('POST', '/endpoints', { ...ENDPOINT, rateLimitPerSec: 100_000 })
  expect(made.status).toBe(201)
  await usePlan('free')
  const path = `/endpoints/${made.body.id}`
  for (const [method, at] of [
    ['POST', '/endpoints'],
    ['PATCH', path],
  ] as const) {
    expect(await tenant.call(method, at, { ...ENDPOINT, rateLimitPerSec: 51 })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path: 'rateLimitPerSec' }] },
    })
  }
  expect((await tenant.call('PATCH', path, { timeoutMs: 5_000 })).status).toBe(200)
  expect((await tenant.call('PATCH', path, { rateLimitPerSec: 50 })).status).toBe(200)
  expect((await tenant.call('POST', `${path}/versions/1/rollback`)).status).toBe(400)
})

describe('warnings of the quota', () => {
  async function addMember(role: string, status = 'active'): Promise<string> {
    const [id, email] = [newId(), `${newId()}@example.com`]
    await portal.pool.query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, email])
    await portal.pool.query(
      'INSERT INTO memberships (tenant_id, user_id, role, status) VALUES ($1, $2, $3, $4)',
      [tenant.tenantId, id, role, status],
    )
    return email
  }

  /** Whether they wait or were sent, which empties their rows. */
  async function mails(): Promise<{ recipient: string; says: string }[]> {
    const { rows } = await portal.pool.query<{ id: string; recipient: string; data: object }>(
      `SELECT id, recipient, data FROM mails WHERE tenant_id = $1 AND kind = 'quota_warning'
       ORDER BY id`,
      [tenant.tenantId],
    )
    return rows.map(({ id, recipient, data }) => {
      const sent = portal.mails.find((mail) => mail.id === id)?.text
      return { recipient, says: sent ?? JSON.stringify(data) }
    })
  }

  test('go to the admins, once for each threshold, whoever looks', async () => {
    const admin = await addMember('admin')
    await addMember('editor')
    await addMember('admin', 'deactivated')
    await subscribe(portal.pool, tenant.tenantId, 'free')
    const { pool, database } = portal
    // Two processes, beside the service's own.
    const rounds = [1, 2].map(() =>
      createWarnOfQuota({ defaultPlan: 'self_hosted' }, { pool, database, now: Date.now }),
    )
    const look = async (): Promise<void> => void (await Promise.all(rounds.map((warn) => warn())))
    await useUp(pool, tenant.tenantId, 39_999)
    await look()
    expect(await mails()).toEqual([])
    await useUp(pool, tenant.tenantId, 40_000)
    await look()
    await look()
    const first = { recipient: admin, says: expect.stringMatching(/40,?000/) }
    expect(await mails()).toEqual([first])
    await useUp(pool, tenant.tenantId, 50_000)
    await look()
    await look()
    expect(await mails()).toEqual([
      first,
      { recipient: admin, says: expect.stringMatching(/50,?000/) },
    ])
  })

  test('without a quota there are none', async () => {
    await addMember('admin')
    await useUp(portal.pool, tenant.tenantId, 1_000_000)
    const { pool, database } = portal
    await createWarnOfQuota({ defaultPlan: 'self_hosted' }, { pool, database, now: Date.now })()
    expect(await mails()).toEqual([])
  })
})
