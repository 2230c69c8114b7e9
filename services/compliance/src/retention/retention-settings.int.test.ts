import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startTestCompliance, type TestCompliance, type Workspace } from '../compliance.fixture.ts'

let compliance: TestCompliance
let workspace: Workspace
beforeAll(async () => {
  compliance = await startTestCompliance()
})
beforeEach(async () => {
  workspace = await compliance.addWorkspace()
})
afterAll(async () => {
  await compliance.close()
})

const PLAN = { eventDays: 90, deliveryAttemptDays: 30, auditLogDays: 365, authAuditDays: 365 }
const NONE = {
  eventDays: null,
  deliveryAttemptDays: null,
  auditLogDays: null,
  authAuditDays: null,
}

test('what is not set is the plan’s; what is set replaces it, and null goes back', async () => {
  const call = await workspace.callAs('admin')
  expect(await call('GET', '/me/retention')).toEqual({
    status: 200,
    body: { ...NONE, effective: PLAN, planDefaults: PLAN },
  })
  const set = { eventDays: 3, authAuditDays: 0 }
  const changed = { ...NONE, ...set, effective: { ...PLAN, ...set }, planDefaults: PLAN }
  expect(await call('PATCH', '/me/retention', set)).toEqual({ status: 200, body: changed })
  expect(await call('GET', '/me/retention')).toEqual({ status: 200, body: changed })
  const { body } = await call('PATCH', '/me/retention', { eventDays: null })
  expect(body).toMatchObject({ eventDays: null, authAuditDays: 0, effective: { eventDays: 90 } })
  const { rows } = await compliance.pool.query(
    `SELECT action, metadata -> 'changes' AS changes FROM audit_logs WHERE tenant_id = $1
     ORDER BY id`,
    [workspace.tenantId],
  )
  expect(rows).toEqual([
    {
      action: 'retention.update',
      changes: [
        { field: 'eventDays', from: null, to: 3 },
        { field: 'authAuditDays', from: null, to: 0 },
      ],
    },
    { action: 'retention.update', changes: [{ field: 'eventDays', from: 3, to: null }] },
  ])
})

test.each([
  { eventDays: -1 },
  { eventDays: 7301 },
  { auditLogDays: 1.5 },
  { deliveryAttemptDays: '7' },
  { unknown: 1 },
])('refuses %j', async (body) => {
  const call = await workspace.callAs('admin')
  expect(await call('PATCH', '/me/retention', body)).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR' },
  })
})

test.each([{ eventDays: 7300 }, { eventDays: 0 }, {}])('takes %j', async (body) => {
  const call = await workspace.callAs('admin')
  expect((await call('PATCH', '/me/retention', body)).status).toBe(200)
})

test('every member reads, admins change, and keys do neither', async () => {
  const [viewer, editor] = [await workspace.callAs('viewer'), await workspace.callAs('editor')]
  for (const call of [viewer, editor]) {
    expect((await call('GET', '/me/retention')).status).toBe(200)
    expect((await call('PATCH', '/me/retention', {})).status).toBe(403)
    expect((await call('GET', '/gdpr/jobs')).status).toBe(403)
  }
  expect((await workspace.byKey('GET', '/me/retention')).status).toBe(403)
  expect(
    (await workspace.byKey('POST', '/gdpr/data-export', { email: 'a@b.example' })).status,
  ).toBe(403)
})
