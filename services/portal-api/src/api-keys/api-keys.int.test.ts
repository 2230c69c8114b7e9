import { expect, test } from '@jest/globals'
import { type Json, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()

const reader = { name: 'reader', scopes: ['endpoints:read'] }

test('the key is shown once, works at once, and is stored as its hash', async () => {
  const expiresAt = '2100-01-01T02:00:00+02:00'
  const created = await tenant.call('POST', '/api-keys', {
    ...reader,
    scopes: ['endpoints:read', 'endpoints:read'],
    rateLimit: 10,
    expiresAt,
  })
  const { key, ...shown } = created.body
  expect(created.status).toBe(201)
  expect(key).toMatch(/^ph_live_[0-9A-Za-z]{49}$/)
  expect(shown).toEqual({
    id: shown.id,
    projectId: null,
    name: 'reader',
    keyPrefix: key.slice(0, 12),
    scopes: ['endpoints:read'],
    rateLimit: 10,
    expiresAt: '2100-01-01T00:00:00.000Z',
    isActive: true,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
  })
  const listed = await tenant.call('GET', '/api-keys')
  expect(listed.body.data[0]).toEqual(shown)
  expect(listed.body.data[1]).toMatchObject({ id: tenant.keyId, rateLimit: null, expiresAt: null })
  const { rows } = await portal.pool.query('SELECT row_to_json(k)::text AS row FROM api_keys k')
  expect(rows.some(({ row }) => row.includes(key))).toBe(false)

  const call = portal.callAs(key)
  expect((await call('GET', '/endpoints')).status).toBe(200)
  expect((await call('GET', '/api-keys')).body.code).toBe('FORBIDDEN')
})

test('a revoked key is refused in the next request; revoking again is no error', async () => {
  const { body } = await tenant.call('POST', '/api-keys', reader)
  const call = portal.callAs(body.key)
  expect((await call('GET', '/endpoints')).status).toBe(200)
  portal.changes.length = 0
  expect((await tenant.call('DELETE', `/api-keys/${body.id}`)).status).toBe(204)
  expect(portal.changes).toEqual([{ v: 1, tenantId: tenant.tenantId, what: 'api-keys' }])
  expect((await call('GET', '/endpoints')).status).toBe(401)
  expect((await tenant.call('DELETE', `/api-keys/${body.id}`)).status).toBe(204)
  expect((await tenant.call('GET', '/api-keys')).body.data[0]).toMatchObject({
    id: body.id,
    isActive: false,
  })
})

test('an expired key is shown as inactive', async () => {
  const { body } = await tenant.call('POST', '/api-keys', reader)
  await portal.pool.query(
    `UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`,
    [body.id],
  )
  expect((await tenant.call('GET', '/api-keys')).body.data[0].isActive).toBe(false)
})

test('what is wrong is named', async () => {
  for (const [body, path] of [
    [{ ...reader, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ ...reader, expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ ...reader, scopes: ['everything'] }, 'scopes.0'],
    [{ ...reader, scopes: [] }, 'scopes'],
    [{ ...reader, rateLimit: 0 }, 'rateLimit'],
    [{ ...reader, name: 'a\0' }, 'name'],
    [{ ...reader, key: 'mine' }, 'key'],
  ] as const) {
    const answer = await tenant.call('POST', '/api-keys', body)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path }] },
    })
  }
})

test('a key grants no more than it has', async () => {
  const scopes = ['api-keys:write', 'events:write']
  const { body } = await tenant.call('POST', '/api-keys', { name: 'limited', scopes })
  const call = portal.callAs(body.key)
  for (const scope of ['*', 'endpoints:read', 'endpoints:write']) {
    expect((await call('POST', '/api-keys', { name: 'n', scopes: [scope] })).body.code).toBe(
      'FORBIDDEN',
    )
  }
  expect((await call('POST', '/api-keys', { name: 'n', scopes: ['events:read'] })).status).toBe(201)
})

test('with a project the key is bound to it, and of its environment', async () => {
  const { body: project } = await tenant.call('POST', '/projects', {
    name: 'S',
    environment: 'staging',
  })
  const inProject = { 'X-Project-ID': project.id }
  const { body: bound } = await tenant.call(
    'POST',
    '/api-keys',
    { name: 'b', scopes: ['*'] },
    inProject,
  )
  expect(bound).toMatchObject({ projectId: project.id })
  expect(bound.key).toMatch(/^ph_test_/)

  const call = portal.callAs(bound.key)
  const endpoint = await call('POST', '/endpoints', {
    url: 'https://a.example/',
    eventTypes: ['*'],
  })
  expect(endpoint.body.projectId).toBe(project.id)
  expect(
    (await call('GET', '/endpoints', undefined, { 'X-Project-ID': tenant.projectId })).status,
  ).toBe(403)
  expect((await call('GET', '/api-keys')).body.data.map((row: Json) => row.id)).toEqual([bound.id])
  expect((await call('DELETE', `/api-keys/${tenant.keyId}`)).status).toBe(404)
  const { body: child } = await call('POST', '/api-keys', reader)
  expect(child.projectId).toBe(project.id)
})

test('another tenant’s key does not exist', async () => {
  const other = await portal.addTenant()
  expect((await other.call('DELETE', `/api-keys/${tenant.keyId}`)).status).toBe(404)
  expect((await tenant.call('GET', '/endpoints')).status).toBe(200)
  expect((await other.call('GET', '/api-keys')).text).not.toContain(tenant.keyId)
})

test('a key with a limit or an end makes none without, or with a wider one', async () => {
  const scopes = ['api-keys:write', 'events:write']
  const [before, at, after] = [
    '2099-12-31T00:00:00Z',
    '2100-01-01T00:00:00Z',
    '2100-01-02T00:00:00Z',
  ]
  const maker = async (bounds: object): Promise<Json> =>
    (await tenant.call('POST', '/api-keys', { name: 'maker', scopes, ...bounds })).body
  const limited = portal.callAs((await maker({ rateLimit: 10 })).key)
  const ending = portal.callAs((await maker({ expiresAt: at })).key)
  for (const [call, bounds, status] of [
    [limited, {}, 403],
    [limited, { rateLimit: null }, 403],
    [limited, { rateLimit: 11 }, 403],
    [limited, { rateLimit: 10 }, 201],
    [limited, { rateLimit: 1, expiresAt: at }, 201],
    [ending, {}, 403],
    [ending, { expiresAt: null }, 403],
    [ending, { expiresAt: after }, 403],
    [ending, { expiresAt: at }, 201],
    [ending, { expiresAt: before, rateLimit: 100_000 }, 201],
  ] as const) {
    const answer = await call('POST', '/api-keys', {
      name: 'n',
      scopes: ['events:read'],
      ...bounds,
    })
    expect([bounds, answer.status]).toEqual([bounds, status])
    if (status === 403) expect(answer.body.code).toBe('FORBIDDEN')
  }
})

test('who made a key is written down', async () => {
  const { body } = await tenant.call('POST', '/api-keys', reader)
  const read = 'SELECT created_by FROM api_keys WHERE id = $1'
  const { rows } = await portal.pool.query(read, [body.id])
  expect(rows).toEqual([{ created_by: `api-key:${tenant.keyId}` }])
})

test('a workspace has at most 100 keys in force, however many are made at once', async () => {
  await portal.pool.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes, revoked_at,
      expires_at)
      SELECT $1, gen_random_uuid(), 'K', sha256(gen_random_uuid()::text::bytea), 'ph_live_', '{*}',
        CASE WHEN n > 95 THEN now() END, CASE WHEN n > 97 THEN now() END
      FROM generate_series(1, 100) n`,
    [tenant.tenantId],
  )
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => tenant.call('POST', '/api-keys', reader)),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([201, 201, 201, 201, ...Array(6).fill(409)])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body.code).toBe('INVALID_STATE')
  const made = answers.find(({ status }) => status === 201)
  expect((await tenant.call('DELETE', `/api-keys/${made?.body.id}`)).status).toBe(204)
  expect((await tenant.call('POST', '/api-keys', reader)).status).toBe(201)
})
