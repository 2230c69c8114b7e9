import { expect, test } from '@jest/globals'
import { type Json, portal, type Tenant, tenant, usePortal } from '../portal.fixture.ts'

usePortal()

async function create(body: object = { name: 'P' }): Promise<Json> {
  const answer = await tenant.call('POST', '/projects', body)
  expect(answer.status).toBe(201)
  return answer.body
}

test('are created, changed, listed, and can be used in the next request', async () => {
  const project = await create({ name: 'Staging', environment: 'staging' })
  expect(project).toEqual({
    id: project.id,
    name: 'Staging',
    environment: 'staging',
    isDefault: false,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: project.createdAt,
  })
  const used = await tenant.call('GET', '/endpoints', undefined, { 'X-Project-ID': project.id })
  expect(used.status).toBe(200)
  const changed = await tenant.call('PATCH', `/projects/${project.id}`, {
    environment: 'development',
  })
  expect(changed.body).toMatchObject({ name: 'Staging', environment: 'development' })
  const { body } = await tenant.call('GET', '/projects')
  expect(body.data).toMatchObject([
    { id: project.id, environment: 'development' },
    { id: tenant.projectId, name: 'Default', environment: 'production', isDefault: true },
  ])
  expect((await tenant.call('GET', '/projects?limit=1')).body.pagination.hasMore).toBe(true)
})

test('answers name the wrong field', async () => {
  for (const [body, path] of [
    [{ name: '' }, 'name'],
    [{ name: 'a', environment: 'test' }, 'environment'],
    [{ name: 'a', isDefault: true }, 'isDefault'],
  ] as const) {
    expect((await tenant.call('POST', '/projects', body)).body.details).toMatchObject([{ path }])
  }
})

test('the default one stays, and one with endpoints too', async () => {
  const invalid = { status: 409, body: { code: 'INVALID_STATE' } }
  expect(await tenant.call('DELETE', `/projects/${tenant.projectId}`)).toMatchObject(invalid)
  const project = await create()
  const inProject = { 'X-Project-ID': project.id }
  const endpoint = { url: 'https://a.example/', eventTypes: ['*'] }
  const { body } = await tenant.call('POST', '/endpoints', endpoint, inProject)
  expect(await tenant.call('DELETE', `/projects/${project.id}`)).toMatchObject(invalid)
  await tenant.call('DELETE', `/endpoints/${body.id}`)
  expect((await tenant.call('DELETE', `/projects/${project.id}`)).status).toBe(204)
})

test('a deleted one takes its event types and its keys with it', async () => {
  const project = await create()
  const inProject = { 'X-Project-ID': project.id }
  await tenant.call('POST', '/event-types', { name: 'n' }, inProject)
  const { body: bound } = await tenant.call(
    'POST',
    '/api-keys',
    { name: 'b', scopes: ['*'] },
    inProject,
  )
  expect((await portal.callAs(bound.key)('GET', '/endpoints')).status).toBe(200)
  expect((await tenant.call('DELETE', `/projects/${project.id}`)).status).toBe(204)
  expect((await portal.callAs(bound.key)('GET', '/endpoints')).status).toBe(401)
  expect((await tenant.call('GET', '/event-types')).body.data).toEqual([])
  expect((await tenant.call('GET', '/endpoints', undefined, inProject)).status).toBe(404)
  expect((await tenant.call('DELETE', `/projects/${project.id}`)).status).toBe(404)
  expect((await tenant.call('PATCH', `/projects/${project.id}`, {})).status).toBe(404)
})

test('a caller confined to one sees no other', async () => {
  const project = await create()
  const inProject = { 'X-Project-ID': project.id }
  const ids = async (call: Tenant['call'], headers?: Record<string, string>): Promise<string[]> =>
    (await call('GET', '/projects', undefined, headers)).body.data.map((row: Json) => row.id)
  expect(await ids(tenant.call, inProject)).toEqual([project.id])
  expect(
    (await tenant.call('PATCH', `/projects/${tenant.projectId}`, { name: 'x' }, inProject)).status,
  ).toBe(404)
  expect(
    (await tenant.call('DELETE', `/projects/${tenant.projectId}`, undefined, inProject)).status,
  ).toBe(404)

  const { body: bound } = await tenant.call(
    'POST',
    '/api-keys',
    { name: 'b', scopes: ['*'] },
    inProject,
  )
  const call = portal.callAs(bound.key)
  expect(await ids(call)).toEqual([project.id])
  expect((await call('POST', '/projects', { name: 'x' })).body.code).toBe('FORBIDDEN')
})

test('another tenant’s does not exist', async () => {
  const other = await portal.addTenant()
  const project = await create()
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { name: 'mine' } : undefined
    expect((await other.call(method, `/projects/${project.id}`, body)).status).toBe(404)
  }
  expect(
    (await other.call('GET', '/endpoints', undefined, { 'X-Project-ID': project.id })).status,
  ).toBe(404)
  expect((await other.call('GET', '/projects')).body.data.map((row: Json) => row.id)).toEqual([
    other.projectId,
  ])
})

test('a project that gets an endpoint while it is deleted keeps both or loses both', async () => {
  const project = await create()
  const inProject = { 'X-Project-ID': project.id }
  const endpoint = { url: 'https://a.example/', eventTypes: ['*'] }
  const [made, deleted] = await Promise.all([
    tenant.call('POST', '/endpoints', endpoint, inProject),
    tenant.call('DELETE', `/projects/${project.id}`),
  ])
  expect([`${made.status} ${deleted.status}`]).toEqual([
    expect.stringMatching(/^(201 409|404 204)$/),
  ])
})
