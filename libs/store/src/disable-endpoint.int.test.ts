/** Who is told by mail that an endpoint was disabled. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { disableEndpoint } from './disable-endpoint.ts'
import { makeTenant, openTestStore, type Tenant, type TestStore } from './store.fixture.ts'

let store: TestStore
let tenant: Tenant

beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => await store.close())
beforeEach(async () => {
  tenant = await makeTenant(store.pool)
})

async function addMember(
  email: string,
  { role = 'admin', status = 'active', verified = true } = {},
): Promise<void> {
  const userId = newId()
  await store.pool.query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, $3)', [
    userId,
    email,
    verified ? new Date() : null,
  ])
  await store.pool.query(
    'INSERT INTO memberships (tenant_id, user_id, role, status) VALUES ($1, $2, $3, $4)',
    [tenant.tenantId, userId, role, status],
  )
}

async function addEndpoint(owner: Tenant): Promise<string> {
  const id = newId()
  await store.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, config, version)
     VALUES ($1, $2, $3, 'active', '{"url": "https://example.com/in"}', 1)`,
    [owner.tenantId, id, owner.projectId],
  )
  return id
}

async function disable(owner: Tenant, endpointId: string): Promise<boolean> {
  const gone = { version: 1, url: 'https://example.com/in', reason: 'gone' }
  return await disableEndpoint(store.pool, { ...owner, endpointId, ...gone })
}

async function mails() {
  const { rows } = await store.pool.query(
    'SELECT recipient, kind, data FROM mails WHERE tenant_id = $1 ORDER BY recipient',
    [tenant.tenantId],
  )
  return rows
}

test('each administrator with a confirmed address gets one mail', async () => {
  const suffix = `${newId()}@example.com`
  await addMember(`ada-${suffix}`)
  await addMember(`bob-${suffix}`)
  await addMember(`viewer-${suffix}`, { role: 'viewer' })
  await addMember(`left-${suffix}`, { status: 'deactivated' })
  await addMember(`unconfirmed-${suffix}`, { verified: false })
  const endpointId = await addEndpoint(tenant)
  expect(await disable(tenant, endpointId)).toBe(true)
  expect(await disable(tenant, endpointId)).toBe(false)
  const data = {
    url: 'https://example.com/in',
    link: `/dashboard/endpoints/${endpointId}`,
    workspace: 'T',
  }
  expect(await mails()).toEqual([
    { recipient: `ada-${suffix}`, kind: 'endpoint_disabled', data },
    { recipient: `bob-${suffix}`, kind: 'endpoint_disabled', data },
  ])
})

test('the service itself is the actor of the audit row, which is there once', async () => {
  const endpointId = await addEndpoint(tenant)
  expect(await disable(tenant, endpointId)).toBe(true)
  expect(await disable(tenant, endpointId)).toBe(false)
  const { rows } = await store.pool.query(
    `SELECT action, resource, resource_id, actor_type, actor_id, metadata FROM audit_logs
     WHERE tenant_id = $1`,
    [tenant.tenantId],
  )
  expect(rows).toEqual([
    {
      action: 'endpoint.disable',
      resource: 'endpoint',
      resource_id: endpointId,
      actor_type: 'system',
      actor_id: null,
      metadata: {
        reason: 'gone',
        version: 1,
        changes: [{ field: 'status', from: 'active', to: 'disabled' }],
      },
    },
  ])
})

test('an endpoint of a sub-account is told of to its parent', async () => {
  const email = `ada-${newId()}@example.com`
  await addMember(email)
  const child = await makeTenant(store.pool)
  await store.pool.query('UPDATE tenants SET parent_id = $2 WHERE id = $1', [
    child.tenantId,
    tenant.tenantId,
  ])
  expect(await disable(child, await addEndpoint(child))).toBe(true)
  expect(await mails()).toMatchObject([{ recipient: email }])
})
