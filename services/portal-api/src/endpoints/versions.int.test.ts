import { beforeEach, expect, test } from '@jest/globals'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()
let id: string
/** Version 1 is as created, 2 has a timeout, 3 has headers and another URL. */
beforeEach(async () => {
  const created = await tenant.call('POST', '/endpoints', {
    url: 'https://one.example/hook',
    eventTypes: ['order.*'],
    signingSecret: 'whsec_dGhlLXNlY3JldC1vZi1vbmU=',
  })
  expect([created.status, created.text]).toEqual([201, expect.any(String)])
  id = created.body.id
  await change({ timeoutMs: 1_000 })
  await change({ customHeaders: { A: '1' }, url: 'https://three.example/hook' })
})

async function change(body: object): Promise<void> {
  expect((await tenant.call('PATCH', `/endpoints/${id}`, body)).status).toBe(200)
}

async function get(path: string): Promise<Json> {
  return await tenant.call('GET', `/endpoints/${id}/versions${path}`)
}

test('are listed newest first, in pages', async () => {
  const all = await get('')
  expect(all.status).toBe(200)
  expect(all.body.pagination).toEqual({ hasMore: false, cursor: null })
  expect(all.body.data.map((one: Json) => [one.version, one.changes.toSorted()])).toEqual([
    [3, ['customHeaders', 'url']],
    [2, ['timeoutMs']],
    [1, ['eventTypes', 'url']],
  ])
  const seen: number[] = []
  let cursor = ''
  for (let page = 0; page < 2; page += 1) {
    const { body } = await get(`?limit=2${cursor}`)
    seen.push(...body.data.map((one: Json) => one.version))
    expect(body.pagination.hasMore).toBe(page === 0)
    cursor = `&cursor=${body.pagination.cursor}`
  }
  expect(seen).toEqual([3, 2, 1])
  for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?cursor=djA']) {
    expect((await get(query)).status).toBe(400)
  }
})

test('one has its whole configuration, who changed what, and when', async () => {
  const { body } = await get('/2')
  const { config } = body
  expect(body).toEqual({
    version: 2,
    config,
    changedBy: `api-key:${tenant.keyId}`,
    changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    changes: ['timeoutMs'],
  })
  expect(config).toMatchObject({
    url: 'https://one.example/hook',
    timeoutMs: 1_000,
    customHeaders: null,
    maxRetries: 5,
    filter: null,
  })
  for (const absent of ['id', 'status', 'version', 'hasMtls', 'mtlsCert', 'signingSecretHint']) {
    expect(config).not.toHaveProperty(absent)
  }
  expect(body).toEqual((await get('')).body.data[1])
})

test('two are compared', async () => {
  expect((await get('/diff?v1=1&v2=3')).body).toEqual({
    v1: 1,
    v2: 3,
    changes: [
      { field: 'url', from: 'https://one.example/hook', to: 'https://three.example/hook' },
      { field: 'timeoutMs', from: 30_000, to: 1_000 },
      { field: 'customHeaders', from: null, to: { A: '1' } },
    ],
  })
  expect((await get('/diff?v1=3&v2=2')).body.changes).toEqual([
    { field: 'url', from: 'https://three.example/hook', to: 'https://one.example/hook' },
    { field: 'customHeaders', from: { A: '1' }, to: null },
  ])
  expect((await get('/diff?v1=2&v2=2')).body.changes).toEqual([])
})

test('a rollback makes a new version of an old one’s configuration, and touches nothing else', async () => {
  await tenant.call('POST', `/endpoints/${id}/pause`)
  portal.changes.length = 0
  const before = await portal.configVersion(tenant.tenantId)
  const rolled = await tenant.call('POST', `/endpoints/${id}/versions/1/rollback`)
  expect(rolled).toMatchObject({
    status: 200,
    body: {
      version: 4,
      url: 'https://one.example/hook',
      timeoutMs: 30_000,
      customHeaders: null,
      status: 'paused',
      signingSecretHint: 'bmU=',
    },
  })
  expect((await tenant.call('GET', `/endpoints/${id}`)).body).toEqual(rolled.body)
  const { changes, changedBy } = (await get('/4')).body
  expect(changes.toSorted()).toEqual(['customHeaders', 'timeoutMs', 'url'])
  expect(changedBy).toBe(`api-key:${tenant.keyId}`)
  expect((await get('/diff?v1=1&v2=4')).body.changes).toEqual([])
  expect(portal.changes).toEqual([{ v: 1, tenantId: tenant.tenantId, what: 'endpoints' }])
  expect(await portal.configVersion(tenant.tenantId)).toBe(before + 1)
})

test('rollbacks at once each get a version of their own', async () => {
  const answers = await Promise.all(
    [1, 2, 1, 2].map((n) => tenant.call('POST', `/endpoints/${id}/versions/${n}/rollback`)),
  )
  expect(answers.map(({ body }) => body.version).sort()).toEqual([4, 5, 6, 7])
})

test.each([
  [{ url: 'http://10.0.0.1/' }, 'DESTINATION_BLOCKED', ['url']],
  [{ retryBackoffMs: 5_000, retryBackoffMax: 1_000 }, 'BAD_REQUEST', ['retryBackoffMax']],
  [{ maxRetries: 100 }, 'BAD_REQUEST', ['maxRetries']],
  [{ customHeaders: { 'X-Service-A': '1' } }, 'BAD_REQUEST', ['customHeaders.X-Service-A']],
  [
    { filter: [{ field: '$[', operator: 'eq', value: 1 }] },
    'BAD_REQUEST',
    [expect.stringMatching(/^filter\.0\.field/)],
  ],
  [{ transformation: 'function transform(' }, 'BAD_REQUEST', ['transformation']],
])(
  'a rollback to %j, which was accepted under other rules, is refused',
  async (config, code, paths) => {
    await portal.pool.query(
      `UPDATE endpoint_versions SET config = config || $2::jsonb
      WHERE endpoint_id = $1 AND version = 1`,
      [id, JSON.stringify(config)],
    )
    const refused = await tenant.call('POST', `/endpoints/${id}/versions/1/rollback`)
    expect(refused).toMatchObject({ status: 400, body: { code } })
    expect(refused.body.details.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect((await get('')).body.data).toHaveLength(3)
  },
)

test('what is not there is not found', async () => {
  for (const n of ['0', '-1', '4', '1.5', 'x', '01', '9999999999']) {
    expect([n, (await get(`/${n}`)).status]).toEqual([n, 404])
    const rollback = await tenant.call('POST', `/endpoints/${id}/versions/${n}/rollback`)
    expect([n, rollback.status]).toEqual([n, 404])
  }
  for (const query of ['v1=1&v2=4', 'v1=0&v2=1']) {
    expect((await get(`/diff?${query}`)).status).toBe(404)
  }
  for (const query of ['', 'v1=1', 'v1=1&v2=x', 'v1=1&v2=1.5']) {
    expect((await get(`/diff?${query}`)).status).toBe(400)
  }
  expect((await tenant.call('DELETE', `/endpoints/${id}/versions/1`)).status).toBe(405)
})

test('another tenant’s, another project’s and a deleted endpoint’s are not found', async () => {
  const project = await tenant.call('POST', '/projects', { name: 'P' })
  const routes = [
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['GET', '/versions/diff?v1=1&v2=2'],
    ['POST', '/versions/1/rollback'],
  ] as const
  for (const [method, path] of routes) {
    const url = `/endpoints/${id}${path}`
    expect((await other.call(method, url)).status).toBe(404)
    const elsewhere = { 'X-Project-ID': project.body.id }
    expect((await tenant.call(method, url, undefined, elsewhere)).status).toBe(404)
  }
  await tenant.call('DELETE', `/endpoints/${id}`)
  for (const [method, path] of routes) {
    expect((await tenant.call(method, `/endpoints/${id}${path}`)).status).toBe(404)
  }
})
