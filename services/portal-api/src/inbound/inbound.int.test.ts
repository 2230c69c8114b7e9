import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()

const SECRET = 'whsec_a-secret-of-this-test'
const stripe = { name: 'Payments', source: 'stripe', sourceConfig: { secret: SECRET } }

test('is made, read, listed, changed and deleted; its secret is sealed and shown masked', async () => {
  const { status, body } = await tenant.call('POST', '/inbound-endpoints', stripe)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.id,
    projectId: tenant.projectId,
    name: 'Payments',
    pathSuffix: expect.stringMatching(/^[A-Za-z0-9_-]{24}$/),
    url: `https://hooks.example.com/inbound/${body.pathSuffix}`,
    source: 'stripe',
    sourceConfig: { secret: '••••test' },
    destinationIds: null,
    eventTypeMapping: null,
    description: null,
    transformation: null,
    status: 'active',
    receivedCount: 0,
    rejectedCount: 0,
    lastReceivedAt: null,
    lastRejection: null,
    createdAt: body.createdAt,
    updatedAt: body.updatedAt,
  })
  expect((await tenant.call('GET', `/inbound-endpoints/${body.id}`)).body).toEqual(body)
  expect((await tenant.call('GET', '/inbound-endpoints')).body.data).toEqual([body])
  const { rows } = await portal.pool.query(
    'SELECT row_to_json(i)::text AS row FROM inbound_endpoints i',
  )
  expect(rows.some(({ row }) => row.includes(SECRET))).toBe(false)

  const changed = await tenant.call('PATCH', `/inbound-endpoints/${body.id}`, {
    description: 'd',
    status: 'inactive',
    sourceConfig: body.sourceConfig,
  })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      description: 'd',
      status: 'inactive',
      name: 'Payments',
      sourceConfig: body.sourceConfig,
    },
  })
  expect((await tenant.call('DELETE', `/inbound-endpoints/${body.id}`)).status).toBe(204)
  expect((await tenant.call('GET', `/inbound-endpoints/${body.id}`)).status).toBe(404)
  expect(portal.changes.at(-1)).toEqual({ v: 1, tenantId: tenant.tenantId, what: 'inbound' })
})

test.each([
  ['a platform that is none', { ...stripe, source: 'nobody' }, 'source'],
  ['a missing secret', { ...stripe, sourceConfig: {} }, 'sourceConfig.secret'],
  ['an unknown key', { ...stripe, sourceConfig: { secret: 'a', key: 'b' } }, 'sourceConfig.key'],
  ['a path that is none', { ...stripe, eventTypeMapping: 'type' }, 'eventTypeMapping'],
  ['a short pathSuffix', { ...stripe, pathSuffix: 'short' }, 'pathSuffix'],
  ['a pathSuffix of other characters', { ...stripe, pathSuffix: 'a/b/c/d/e' }, 'pathSuffix'],
  ['a script that is none', { ...stripe, transformation: 'function (' }, 'transformation'],
  [
    'a destination that is none',
    { ...stripe, destinationIds: ['00000000-0000-7000-8000-000000000000'] },
    'destinationIds.0',
  ],
])('%s is refused by name', async (_, body, path) => {
  expect(await tenant.call('POST', '/inbound-endpoints', body)).toMatchObject({
    status: 400,
    body: { details: [{ path }] },
  })
})

test('a path is unique over all tenants', async () => {
  const pathSuffix = `mine-${tenant.tenantId.slice(-12)}`
  expect((await tenant.call('POST', '/inbound-endpoints', { ...stripe, pathSuffix })).status).toBe(
    201,
  )
  const other = await portal.addTenant()
  expect(await other.call('POST', '/inbound-endpoints', { ...stripe, pathSuffix })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  })
})

test('a request is verified step by step, without showing the right signature', async () => {
  const { body } = await tenant.call('POST', '/inbound-endpoints', stripe)
  const sent = '{"id":"evt_1","type":"charge.paid"}'
  const at = Math.floor(Date.now() / 1000)
  const right = createHmac('sha256', SECRET).update(`${at}.${sent}`).digest('hex')
  const verify = (signature: string) =>
    tenant.call('POST', `/inbound-endpoints/${body.id}/verify`, {
      headers: { 'Stripe-Signature': `t=${at},v1=${signature}` },
      body: sent,
    })
  expect((await verify(right)).body).toMatchObject({
    verified: true,
    reason: null,
    eventType: 'charge.paid',
    deliveryId: 'evt_1',
  })
  const wrong = await verify(`${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`)
  expect(wrong.body).toMatchObject({ verified: false, reason: 'wrong_signature' })
  expect(wrong.body.steps.at(-1)).toMatchObject({ step: 'match', ok: false })
  expect(wrong.text).not.toContain(right)
})

test('the platforms are listed on one page', async () => {
  const { body } = await tenant.call('GET', '/inbound-presets')
  expect(body.pagination).toEqual({ hasMore: false, cursor: null })
  expect(body.data.find(({ source }: { source: string }) => source === 'stripe')).toEqual({
    source: 'stripe',
    name: 'Stripe',
    description: expect.any(String),
    mode: 'hmac_timestamped',
    configKeys: ['secret'],
    signatureHeaders: ['Stripe-Signature'],
    eventTypePath: '$.type',
    docs: 'https://docs.stripe.com/webhooks/signature',
  })
})

test('keeps its project from being deleted, and says so', async () => {
  const project = (await tenant.call('POST', '/projects', { name: 'P' })).body.id
  const inProject = { 'X-Project-ID': project }
  const { body } = await tenant.call('POST', '/inbound-endpoints', stripe, inProject)
  const path = `/projects/${project}`
  expect(await tenant.call('DELETE', path)).toMatchObject({
    status: 409,
    body: { code: 'INVALID_STATE', error: expect.stringContaining('inbound') },
  })
  await tenant.call('DELETE', `/inbound-endpoints/${body.id}`)
  expect((await tenant.call('DELETE', path)).status).toBe(204)
})

test('its destinations are endpoints of its own project, whichever project the caller names', async () => {
  const project = (await tenant.call('POST', '/projects', { name: 'P' })).body.id
  const inProject = { 'X-Project-ID': project }
  const endpoint = { url: 'https://example.com/hook', eventTypes: ['*'] }
  const own = (await tenant.call('POST', '/endpoints', endpoint)).body.id
  const other = (await tenant.call('POST', '/endpoints', endpoint, inProject)).body.id
  const refused = {
    status: 400,
    body: { code: 'BAD_REQUEST', details: [{ path: 'destinationIds.1' }] },
  }
  const destinationIds = [own, other]
  expect(
    await tenant.call('POST', '/inbound-endpoints', { ...stripe, destinationIds }),
  ).toMatchObject(refused)
  const made = await tenant.call('POST', '/inbound-endpoints', { ...stripe, destinationIds: [own] })
  expect(made).toMatchObject({ status: 201, body: { destinationIds: [own] } })
  const path = `/inbound-endpoints/${made.body.id}`
  expect(await tenant.call('PATCH', path, { destinationIds })).toMatchObject(refused)
  const there = await tenant.call(
    'POST',
    '/inbound-endpoints',
    { ...stripe, destinationIds: [other] },
    inProject,
  )
  expect(there.status).toBe(201)
  // Without the header the caller sees both projects; the source's own project is the one that
  // counts.
  const elsewhere = `/inbound-endpoints/${there.body.id}`
  expect(await tenant.call('PATCH', elsewhere, { destinationIds: [other, own] })).toMatchObject(
    refused,
  )
  expect((await tenant.call('PATCH', elsewhere, { destinationIds: [other] })).status).toBe(200)
})
