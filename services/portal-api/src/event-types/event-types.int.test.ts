import { beforeEach, expect, test } from '@jest/globals'
import { type Json, portal, type Tenant, tenant, usePortal } from '../portal.fixture.ts'

usePortal()
beforeEach(() => {
  portal.changes.length = 0
})

const schema = { type: 'object', required: ['orderId'] }

test('has every field, and is found by id and by name', async () => {
  const created = await tenant.call('POST', '/event-types', { name: 'order/paid:v1' })
  expect(created).toMatchObject({ status: 201 })
  expect(created.body).toEqual({
    id: created.body.id,
    projectId: tenant.projectId,
    name: 'order/paid:v1',
    description: null,
    schema: null,
    schemaVersion: null,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: created.body.createdAt,
  })
  expect((await tenant.call('GET', `/event-types/${created.body.id}`)).body).toEqual(created.body)
  const byName = await tenant.call(
    'GET',
    `/event-types/by-name/${encodeURIComponent('order/paid:v1')}`,
  )
  expect(byName.body).toEqual(created.body)
  expect((await tenant.call('GET', '/event-types/by-name/unknown')).status).toBe(404)
  expect(await portal.configVersion(tenant.tenantId)).toBe(2)
  expect(portal.changes).toEqual([{ v: 1, tenantId: tenant.tenantId, what: 'event-types' }])
})

test('a schema is kept as it was sent', async () => {
  const text = '{"required":["b", "a"],"properties":{"2":{"minimum":1.50},"1":{}}}'
  const created = await tenant.call(
    'POST',
    '/event-types',
    `{"schema":null,"name":"n", "schema": ${text} }`,
  )
  expect(created.body.schema).toEqual(JSON.parse(text))
  const { rows } = await portal.pool.query('SELECT schema FROM event_types WHERE id = $1', [
    created.body.id,
  ])
  expect(rows[0].schema).toBe(text)
})

test('a schema that can’t be used is refused, and the path named', async () => {
  for (const wrong of [{ type: 'nothing' }, { properties: { a: { pattern: '(' } } }]) {
    const answer = await tenant.call('POST', '/event-types', { name: 'n', schema: wrong })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.details[0].path).toMatch(/^schema\b/)
  }
  expect((await tenant.call('POST', '/event-types', { name: 'n', schema: [] })).status).toBe(400)
})

test('a PUT changes what it names, null empties, and nothing changes nothing', async () => {
  const { body: created } = await tenant.call('POST', '/event-types', {
    name: 'n',
    schema,
    schemaVersion: '1',
  })
  const path = `/event-types/${created.id}`
  const changed = await tenant.call('PUT', path, { description: 'd', schemaVersion: '2' })
  expect(changed.body).toMatchObject({ name: 'n', schema, description: 'd', schemaVersion: '2' })
  expect((await tenant.call('PUT', path, { schema: null })).body).toMatchObject({
    schema: null,
    description: 'd',
  })
  const before = await portal.configVersion(tenant.tenantId)
  expect((await tenant.call('PUT', path, {})).status).toBe(200)
  expect(await portal.configVersion(tenant.tenantId)).toBe(before)
  expect((await tenant.call('PUT', path, { schema: { type: 'x' } })).body.code).toBe(
    'VALIDATION_ERROR',
  )
  expect((await tenant.call('PUT', path, { more: 1 })).body.details).toMatchObject([
    { path: 'more' },
  ])
})

test('a name is taken once a project, by create and by change', async () => {
  const { body: project } = await tenant.call('POST', '/projects', { name: 'P' })
  const inProject = { 'X-Project-ID': project.id }
  await tenant.call('POST', '/event-types', { name: 'a' })
  const { body: b } = await tenant.call('POST', '/event-types', { name: 'b' })
  const conflict = { status: 409, body: { code: 'CONFLICT' } }
  expect(await tenant.call('POST', '/event-types', { name: 'a' })).toMatchObject(conflict)
  expect(await tenant.call('PUT', `/event-types/${b.id}`, { name: 'a' })).toMatchObject(conflict)

  // The other project's type is made first, and the default project's is still the one found by
  // name.
  const { body: x2 } = await tenant.call('POST', '/event-types', { name: 'x' }, inProject)
  expect((await tenant.call('GET', '/event-types/by-name/x')).body.id).toBe(x2.id)
  const { body: x1 } = await tenant.call('POST', '/event-types', { name: 'x' })
  expect((await tenant.call('GET', '/event-types/by-name/x')).body.id).toBe(x1.id)
  expect((await tenant.call('GET', '/event-types/by-name/x', undefined, inProject)).body.id).toBe(
    x2.id,
  )
  expect((await tenant.call('GET', '/event-types/by-name/a', undefined, inProject)).status).toBe(
    404,
  )
})

test('another tenant’s, another project’s and a deleted one do not exist', async () => {
  const other = await portal.addTenant()
  const { body: project } = await tenant.call('POST', '/projects', { name: 'P' })
  const { body: created } = await tenant.call('POST', '/event-types', { name: 'n' })
  const path = `/event-types/${created.id}`
  const everywhere = async (
    call: Tenant['call'],
    headers?: Record<string, string>,
  ): Promise<number[]> => {
    const answers = [
      await call('GET', path, undefined, headers),
      await call('PUT', path, { description: 'x' }, headers),
      await call('DELETE', path, undefined, headers),
      await call('GET', '/event-types/by-name/n', undefined, headers),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await everywhere(other.call)).toEqual([404, 404, 404, 404])
  expect(await everywhere(tenant.call, { 'X-Project-ID': project.id })).toEqual([
    404, 404, 404, 404,
  ])
  expect((await other.call('GET', '/event-types')).body.data).toEqual([])
  expect((await tenant.call('DELETE', path)).status).toBe(204)
  expect(await everywhere(tenant.call)).toEqual([404, 404, 404, 404])
})

test('lists in pages', async () => {
  for (const name of ['a', 'b', 'c']) await tenant.call('POST', '/event-types', { name })
  const first = await tenant.call('GET', '/event-types?limit=2')
  expect(first.body.data.map((row: Json) => row.name)).toEqual(['c', 'b'])
  const second = await tenant.call(
    'GET',
    `/event-types?limit=2&cursor=${first.body.pagination.cursor}`,
  )
  expect(second.body).toMatchObject({
    data: [{ name: 'a' }],
    pagination: { hasMore: false, cursor: null },
  })
})
