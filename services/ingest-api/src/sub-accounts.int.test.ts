/** Events of sub-accounts: theirs alone, by the types and on the plan of their parent. */
import { beforeEach, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { PLANS } from '@posthorn/domain/plans'
import { subscribe, useUp } from '@posthorn/testing/subscribe'
import { ingest, tenant, useIngest } from './ingest.fixture.ts'

useIngest()

const EVENT = { destination: 'https://example.com/hook', payload: { n: 1 } }
const INSIDE = { 'X-Sub-Account-ID': 'customer-1' }

let subAccountId = ''
beforeEach(async () => {
  subAccountId = newId()
  await ingest.pool.query(
    `INSERT INTO tenants (id, parent_id, external_id, name, plan, signing_secret)
     VALUES ($1, $2, 'customer-1', '', 'free', 'sealed')`,
    [subAccountId, tenant.tenantId],
  )
  await ingest.pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'Default', 'production', true)`,
    [subAccountId, newId()],
  )
})

async function tenantsOfEvents(): Promise<string[]> {
  const { rows } = await ingest.pool.query(
    'SELECT tenant_id FROM events WHERE tenant_id = ANY($1)',
    [[tenant.tenantId, subAccountId]],
  )
  return rows.map((row) => row.tenant_id)
}

test('an event that is posted there is its own, and its parent does not see it', async () => {
  const posted = await tenant.post(EVENT, INSIDE)
  expect(posted.status).toBe(201)
  expect(await tenantsOfEvents()).toEqual([subAccountId])
  const path = `/api/v1/events/${posted.body.id}`
  expect((await tenant.call('GET', path, undefined, INSIDE)).status).toBe(200)
  expect((await tenant.call('GET', path)).status).toBe(404)
  expect((await tenant.call('GET', '/api/v1/events')).body.data).toEqual([])
})

test('an idempotency key is the sub-account’s', async () => {
  const key = { 'X-Idempotency-Key': newId() }
  expect((await tenant.post(EVENT, key)).status).toBe(201)
  expect((await tenant.post(EVENT, { ...key, ...INSIDE })).status).toBe(201)
  expect((await tenant.post(EVENT, { ...key, ...INSIDE })).status).toBe(409)
})

test('its payloads match the types of its parent', async () => {
  const schema = JSON.stringify({ type: 'object', required: ['orderId'] })
  await ingest.pool.query(
    `INSERT INTO event_types (tenant_id, id, project_id, name, schema)
     VALUES ($1, $2, $3, 'order.paid', $4)`,
    [tenant.tenantId, newId(), tenant.projectId, schema],
  )
  const refused = await tenant.post({ eventType: 'order.paid', payload: {} }, INSIDE)
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  const taken = await tenant.post({ eventType: 'order.paid', payload: { orderId: 'o' } }, INSIDE)
  expect(taken.status).toBe(201)
})

test('what it uses counts on its parent, and so does the parent’s quota', async () => {
  await subscribe(ingest.pool, tenant.tenantId, 'free')
  await useUp(ingest.pool, tenant.tenantId, PLANS.free.limits.eventsPerMonth - 1)
  await ingest.usage.flush()
  expect((await tenant.post(EVENT, INSIDE)).status).toBe(201)
  const refused = await tenant.post(EVENT, INSIDE)
  expect(refused).toMatchObject({ status: 402, body: { code: 'QUOTA_EXCEEDED' } })
  expect((await tenant.post(EVENT)).status).toBe(402)
  await ingest.usage.flush()
  const { rows } = await ingest.pool.query(
    'SELECT DISTINCT tenant_id FROM usage_days WHERE tenant_id = ANY($1)',
    [[tenant.tenantId, subAccountId]],
  )
  expect(rows).toEqual([{ tenant_id: tenant.tenantId }])
})

test('a deactivated one takes no event, single or in a batch, and can be read', async () => {
  await ingest.pool.query("UPDATE tenants SET status = 'deactivated' WHERE id = $1", [subAccountId])
  const batch = { events: [{ ...EVENT, idempotencyKey: newId() }] }
  for (const refused of [
    await tenant.post(EVENT, INSIDE),
    await tenant.call('POST', '/api/v1/events/batch', batch, INSIDE),
  ]) {
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  }
  expect((await tenant.call('GET', '/api/v1/events', undefined, INSIDE)).status).toBe(200)
  expect(await tenantsOfEvents()).toEqual([])
})
