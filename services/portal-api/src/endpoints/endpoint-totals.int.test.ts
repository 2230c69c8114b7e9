/** How many endpoints a workspace may have, and how large their configuration may be. */
import { expect, test } from '@jest/globals'
import { subscribe } from '@posthorn/testing/subscribe'
import { MAX_ENDPOINTS, portal, tenant, usePortal } from '../portal.fixture.ts'
import { MAX_CONFIG_BYTES } from './check-totals.ts'

usePortal()

const minimal = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }
const create = (body: object = minimal) => tenant.call('POST', '/endpoints', body)

async function setPlan(plan: string): Promise<void> {
  await subscribe(portal.pool, tenant.tenantId, plan)
}

test('a plan has its number of endpoints, which concurrent requests can’t exceed', async () => {
  await setPlan('free')
  const answers = await Promise.all(Array.from({ length: 16 }, async () => await create()))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.find(({ status }) => status !== 201)
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'PLAN_REQUIRED', details: { plan: 'starter', limit: 10 } },
  })
  const { body } = await tenant.call('GET', '/endpoints')
  expect(body.data).toHaveLength(10)
  expect((await tenant.call('DELETE', `/endpoints/${body.data[0].id}`)).status).toBe(204)
  expect((await create()).status).toBe(201)
})

test('what a workspace hosts itself has the installation’s number', async () => {
  await setPlan('self_hosted')
  for (let n = 0; n < MAX_ENDPOINTS; n += 1) expect((await create()).status).toBe(201)
  expect(await create()).toMatchObject({
    status: 403,
    body: { code: 'PLAN_REQUIRED', details: { plan: null, limit: MAX_ENDPOINTS } },
  })
})

test('all configurations together are bounded; scripts do not count', async () => {
  await setPlan('self_hosted')
  const customHeaders = { 'x-note': 'n'.repeat(8_000) }
  const script = `function transform(event) { return event } //${'x'.repeat(60_000)}`
  const { body } = await create({ ...minimal, transformation: script })
  await portal.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     SELECT $1, gen_random_uuid(), $2, 'active', 1,
       jsonb_build_object('description', repeat('x', $3))`,
    [tenant.tenantId, tenant.projectId, MAX_CONFIG_BYTES - 4_000],
  )
  const full = { status: 409, body: { code: 'INVALID_STATE' } }
  expect(await create({ ...minimal, customHeaders })).toMatchObject(full)
  const path = `/endpoints/${body.id}`
  expect(await tenant.call('PATCH', path, { customHeaders })).toMatchObject(full)
  expect((await tenant.call('PATCH', path, { timeoutMs: 5_000 })).status).toBe(200)
  expect((await tenant.call('GET', path)).body).toMatchObject({ customHeaders: null, version: 2 })
})
