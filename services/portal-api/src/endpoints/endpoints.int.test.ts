import { beforeEach, expect, test } from '@jest/globals'
import { ENDPOINT_DEFAULTS } from '@posthorn/contracts/endpoints'
import { newId } from '@posthorn/domain/ids'
import { createSeal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()
beforeEach(() => {
  portal.changes.length = 0
})

const minimal = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }
const SECRET = 'a secret-to-sign'.replace(' ', '-')

async function create(body: object = minimal, headers?: Record<string, string>): Promise<Json> {
  const answer = await tenant.call('POST', '/endpoints', body, headers)
  expect(answer.status).toBe(201)
  return answer.body
}

async function versions(endpointId: string): Promise<Json[]> {
  const { rows } = await portal.pool.query(
    'SELECT * FROM endpoint_versions WHERE endpoint_id = $1 ORDER BY version',
    [endpointId],
  )
  return rows
}

function paths(answer: { body: Json }): string[] {
  return answer.body.details.map(({ path }: { path: string }) => path)
}

test('a new endpoint has every field, defaults included, and a first version', async () => {
  const created = await create()
  expect(created).toEqual({
    id: created.id,
    projectId: tenant.projectId,
    status: 'active',
    circuitState: 'closed',
    version: 1,
    ...ENDPOINT_DEFAULTS,
    ...minimal,
    filter: null,
    transformation: null,
    fifo: false,
    fifoPartitionKey: null,
    rateLimitPerSec: 0,
    circuitThreshold: 5,
    circuitResetMs: 300_000,
    deliveryMode: 'push',
    storageConfig: null,
    storageKeyHint: null,
    hasMtls: false,
    mtlsCert: null,
    signingSecretHint: null,
    signingSecret: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: created.createdAt,
  })
  const { signingSecret: _, ...shown } = created
  expect((await tenant.call('GET', `/endpoints/${created.id}`)).body).toEqual(shown)
  expect(await versions(created.id)).toMatchObject([
    { version: 1, changes: ['url', 'eventTypes'], changed_by: `api-key:${tenant.keyId}` },
  ])
  expect(await portal.configVersion(tenant.tenantId)).toBe(2)
  expect(portal.changes).toEqual([{ v: 1, tenantId: tenant.tenantId, what: 'endpoints' }])
})

function ownPlace(id: string): SealedPlace {
  return sealedAt('endpoints.signing_secret', tenant.tenantId, id)
}

test('a secret is shown once, kept sealed, and hinted at', async () => {
  const created = await create({ ...minimal, signingSecret: SECRET })
  expect(created).toMatchObject({ signingSecret: SECRET, signingSecretHint: 'sign' })
  const { rows } = await portal.pool.query('SELECT signing_secret FROM endpoints WHERE id = $1', [
    created.id,
  ])
  expect(rows[0].signing_secret).not.toContain(SECRET)
  expect(portal.seal.open(rows[0].signing_secret, ownPlace(created.id))).toBe(SECRET)
  expect(JSON.stringify(await versions(created.id))).not.toContain(SECRET)
  for (const [method, path, body] of [
    ['GET', `/endpoints/${created.id}`],
    ['GET', '/endpoints'],
    ['PATCH', `/endpoints/${created.id}`, { description: 'x' }],
    ['POST', `/endpoints/${created.id}/pause`],
    ['POST', `/endpoints/${created.id}/resume`],
  ] as const) {
    expect((await tenant.call(method, path, body)).text).not.toContain(SECRET)
  }
})

test.each([
  [{ ...minimal, colour: 'red' }, ['colour']],
  [{ ...minimal, timeoutMs: '5000' }, ['timeoutMs']],
  [{ ...minimal, timeoutMs: null }, ['timeoutMs']],
  [{ ...minimal, timeoutMs: 99 }, ['timeoutMs']],
  [{ ...minimal, maxRetries: 26 }, ['maxRetries']],
  [{ ...minimal, retryBackoffMs: 5_000, retryBackoffMax: 4_999 }, ['retryBackoffMax']],
  [{ ...minimal, allowedCidrs: ['10.0.0.0/8', '10.0.0.0/33'] }, ['allowedCidrs.1']],
  [{ ...minimal, blockedCIDRs: ['nonsense'] }, ['blockedCIDRs.0']],
  [{ ...minimal, allowedCidrs: [], allowedCIDRs: [] }, ['allowedCIDRs']],
  [{ ...minimal, url: 'ftp://shop.example' }, ['url']],
  [{ ...minimal, description: 'a\0b' }, ['description']],
  [
    { ...minimal, customHeaders: { 'X-Service-Event-ID': 'x' } },
    ['customHeaders.X-Service-Event-ID'],
  ],
  [{ ...minimal, signingSecret: 'short' }, ['signingSecret']],
  [{ eventTypes: ['*'] }, ['url']],
  [{ ...minimal, eventTypes: [] }, ['eventTypes']],
])('%j is refused, and the field named', async (body, fields) => {
  const answer = await tenant.call('POST', '/endpoints', body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  expect(paths(answer)).toEqual(fields)
})

test('a blocked host is refused at once, by create and by change', async () => {
  const blocked = { status: 400, body: { code: 'DESTINATION_BLOCKED' } }
  for (const url of ['http://127.0.0.1/x', 'http://169.254.169.254/', 'http://localhost:1/']) {
    expect(await tenant.call('POST', '/endpoints', { ...minimal, url })).toMatchObject(blocked)
  }
  const { id } = await create()
  expect(await tenant.call('PATCH', `/endpoints/${id}`, { url: 'http://10.0.0.1/' })).toMatchObject(
    blocked,
  )
  expect(await versions(id)).toHaveLength(1)
})

test('each change of the configuration makes a version with what changed and by whom', async () => {
  const { id } = await create({ ...minimal, description: 'first', customHeaders: { A: '1' } })
  const changed = await tenant.call('PATCH', `/endpoints/${id}`, {
    description: null,
    allowedCIDRs: ['10.0.0.0/8'],
    retryBackoffMult: 1.5,
  })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      version: 2,
      description: null,
      allowedCidrs: ['10.0.0.0/8'],
      retryBackoffMult: 1.5,
      customHeaders: { A: '1' },
    },
  })
  const [, second] = await versions(id)
  expect(second.changes.sort()).toEqual(['allowedCidrs', 'description', 'retryBackoffMult'])
  expect(second).toMatchObject({ version: 2, changed_by: `api-key:${tenant.keyId}` })
  expect(second.config).toMatchObject({ ...minimal, retryBackoffMult: 1.5 })
  expect(await portal.configVersion(tenant.tenantId)).toBe(3)
})

test('a change that changes nothing makes no version and touches nothing', async () => {
  const { signingSecret: _, ...created } = await create({ ...minimal, signingSecret: SECRET })
  const same = { ...minimal, maxRetries: 5, description: null, signingSecret: SECRET }
  for (const body of [{}, same]) {
    expect((await tenant.call('PATCH', `/endpoints/${created.id}`, body)).body).toEqual(created)
  }
  expect(await versions(created.id)).toHaveLength(1)
  expect(await portal.configVersion(tenant.tenantId)).toBe(2)
  expect(portal.changes).toHaveLength(1)
})

test('a changed secret makes no version, and null goes back to the global one', async () => {
  const { id } = await create()
  const set = await tenant.call('PATCH', `/endpoints/${id}`, { signingSecret: SECRET })
  expect(set.body).toMatchObject({ version: 1, signingSecretHint: 'sign' })
  expect(await portal.configVersion(tenant.tenantId)).toBe(3)
  const unset = await tenant.call('PATCH', `/endpoints/${id}`, { signingSecret: null })
  expect(unset.body).toMatchObject({ version: 1, signingSecretHint: null })
  expect(await versions(id)).toHaveLength(1)
})

test('a secret whose master key is lost can be replaced by another', async () => {
  const { id } = await create({ ...minimal, signingSecret: SECRET })
  const lost = createSeal([Buffer.alloc(32, 9).toString('base64')]).seal(SECRET, ownPlace(id))
  await portal.pool.query('UPDATE endpoints SET signing_secret = $1 WHERE id = $2', [lost, id])
  expect((await tenant.call('PATCH', `/endpoints/${id}`, { signingSecret: SECRET })).status).toBe(
    200,
  )
  const { rows } = await portal.pool.query('SELECT signing_secret FROM endpoints WHERE id = $1', [
    id,
  ])
  expect(portal.seal.open(rows[0].signing_secret, ownPlace(id))).toBe(SECRET)
})

test('a PATCH is checked as a whole: null where it is not allowed, back-offs after merging', async () => {
  const { id } = await create({ ...minimal, retryBackoffMax: 2_000 })
  for (const [body, field] of [
    [{ url: null }, 'url'],
    [{ maxRetries: null }, 'maxRetries'],
    [{ retryBackoffMs: 3_000 }, 'retryBackoffMax'],
    [{ filter: {} }, 'filter'],
  ] as const) {
    const answer = await tenant.call('PATCH', `/endpoints/${id}`, body)
    expect(answer.status).toBe(400)
    expect(paths(answer)).toEqual([field])
  }
})

test('changes at once each get a version of their own', async () => {
  const { id } = await create()
  const timeouts = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000]
  const answers = await Promise.all(
    timeouts.map((timeoutMs) => tenant.call('PATCH', `/endpoints/${id}`, { timeoutMs })),
  )
  expect(answers.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6, 7])
  expect(await versions(id)).toHaveLength(7)
})

test('pause and resume may be repeated, make no version, and a resume wakes what is parked', async () => {
  const { id } = await create()
  const target = newId()
  await portal.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id) VALUES
      ($1, $2, 2, now() + interval '1 hour', false, $2),
      ($1, $3, 1, now() + interval '1 hour', false, $2)`,
    [tenant.tenantId, id, target],
  )
  const dueNow = async (): Promise<string[]> =>
    (
      await portal.pool.query('SELECT id FROM due WHERE tenant_id = $1 AND due_at <= now()', [
        tenant.tenantId,
      ])
    ).rows.map((row) => row.id)

  for (let times = 0; times < 2; times += 1) {
    expect((await tenant.call('POST', `/endpoints/${id}/pause`)).body).toMatchObject({
      status: 'paused',
      version: 1,
    })
  }
  expect(await portal.configVersion(tenant.tenantId)).toBe(3)
  expect(await dueNow()).toEqual([])
  for (let times = 0; times < 2; times += 1) {
    expect((await tenant.call('POST', `/endpoints/${id}/resume`)).body).toMatchObject({
      status: 'active',
      version: 1,
    })
  }
  expect(await portal.configVersion(tenant.tenantId)).toBe(4)
  expect(await dueNow()).toEqual([id]) // what backs off keeps its time
})

test('a disabled endpoint stays disabled when paused, and is active when resumed', async () => {
  const { id } = await create()
  await portal.pool.query(
    `UPDATE endpoints SET status = 'disabled', disabled_reason = 'gone' WHERE id = $1`,
    [id],
  )
  expect((await tenant.call('POST', `/endpoints/${id}/pause`)).body.status).toBe('disabled')
  expect((await tenant.call('POST', `/endpoints/${id}/resume`)).body.status).toBe('active')
  const { rows } = await portal.pool.query('SELECT disabled_reason FROM endpoints WHERE id = $1', [
    id,
  ])
  expect(rows[0].disabled_reason).toBeNull()
})

test('a deleted endpoint is gone for every route, and all that waits for it is due at once', async () => {
  const { id } = await create()
  const delivery = newId()
  await portal.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id) VALUES
      ($1, $2, 2, now() + interval '1 hour', false, $2),
      ($1, $3, 1, now() + interval '1 hour', false, $2)`,
    [tenant.tenantId, id, delivery],
  )
  const deleted = await tenant.call('DELETE', `/endpoints/${id}`)
  expect(deleted).toMatchObject({ status: 204, text: '' })
  const { rows } = await portal.pool.query(
    'SELECT id FROM due WHERE tenant_id = $1 AND due_at <= now() ORDER BY id',
    [tenant.tenantId],
  )
  expect(rows.map((row) => row.id)).toEqual([id, delivery])
  expect(await portal.configVersion(tenant.tenantId)).toBe(3)
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { timeoutMs: 1_000 }],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
  ] as const) {
    expect((await tenant.call(method, `/endpoints/${id}${path}`, body)).status).toBe(404)
  }
  expect((await tenant.call('GET', '/endpoints')).body.data).toEqual([])
})

test('lists are newest first, in pages', async () => {
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift((await create()).id)
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; page < 3; page += 1) {
    const { body } = await tenant.call('GET', `/endpoints?limit=2${cursor}`)
    seen.push(...body.data.map((row: Json) => row.id))
    expect(body.pagination.hasMore).toBe(page < 2)
    cursor = `&cursor=${body.pagination.cursor}`
  }
  expect(seen).toEqual(ids)
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=%21']) {
    expect((await tenant.call('GET', `/endpoints?${query}`)).status).toBe(400)
  }
  expect((await tenant.call('GET', '/endpoints?limit=100')).body.data).toHaveLength(5)
})

test('another tenant’s endpoint, and another project’s, does not exist', async () => {
  const { id } = await create()
  const project = await tenant.call('POST', '/projects', { name: 'P' })
  const inProject = { 'X-Project-ID': project.body.id }
  const own = await create(minimal, inProject)
  expect(own.projectId).toBe(project.body.id)

  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { timeoutMs: 1_000 }],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
  ] as const) {
    expect((await other.call(method, `/endpoints/${id}${path}`, body)).status).toBe(404)
    expect((await tenant.call(method, `/endpoints/${id}${path}`, body, inProject)).status).toBe(404)
    expect((await tenant.call(method, `/endpoints/no-uuid${path}`, body)).status).toBe(404)
  }
  const listed = async (headers?: Record<string, string>): Promise<string[]> =>
    (await tenant.call('GET', '/endpoints', undefined, headers)).body.data.map(
      (row: Json) => row.id,
    )
  expect(await listed()).toEqual([own.id, id])
  expect(await listed(inProject)).toEqual([own.id])
  expect(await listed({ 'X-Project-ID': tenant.projectId })).toEqual([id])
  expect((await other.call('GET', '/endpoints')).body.data).toEqual([])
})

test('the addresses that deliveries come from', async () => {
  expect((await tenant.call('GET', '/egress-ips')).body).toEqual({ ips: ['203.0.113.7'] })
})
