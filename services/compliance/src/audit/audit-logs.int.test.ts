import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { AuditAction, CallerActor } from '@posthorn/contracts/audit'
import { idAt, newId } from '@posthorn/domain/ids'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { type AuditedTenant, startTestLogs, type TestLogs } from './audit.fixture.ts'

let logs: TestLogs
let tenant: AuditedTenant
const ada: CallerActor = { type: 'user', id: newId(), name: 'ada@example.com', userId: null }

beforeAll(async () => {
  logs = await startTestLogs()
})
afterAll(async () => await logs.close())
beforeEach(async () => {
  tenant = await logs.addTenant()
})

async function record(
  action: AuditAction,
  more: { actor?: CallerActor; resourceId?: string; tenantId?: string } = {},
): Promise<void> {
  const { actor = ada, resourceId = newId(), tenantId = tenant.tenantId } = more
  const from = { ip: '203.0.113.9', userAgent: 'Test/1', requestId: 'r-1' }
  const scope = { tenantId, action, actor, ...from, isRecorded: false }
  const changes = [{ field: 'status', from: 'active', to: 'paused' }]
  await recordAudit(logs.pool, scope, { resourceId, changes })
  expect(scope.isRecorded).toBe(true)
}

async function actions(query: string): Promise<string[]> {
  const { status, body } = await tenant.byKey(`/audit-logs?${query}`)
  expect(status).toBe(200)
  return body.data.map(({ action }: { action: string }) => action)
}

test('a row has who, what, where from and when', async () => {
  const before = Date.now()
  const key: CallerActor = { type: 'api_key', id: tenant.keyId, name: 'Deploy', userId: ada.id }
  await record('endpoint.pause', { actor: key, resourceId: 'e-1' })
  const { body } = await tenant.byKey('/audit-logs')
  expect(body).toEqual({
    data: [
      {
        id: expect.any(String),
        resource: 'endpoint',
        resourceId: 'e-1',
        action: 'endpoint.pause',
        actorUserId: ada.id,
        actor: { type: 'api_key', id: tenant.keyId, name: 'Deploy' },
        metadata: { changes: [{ field: 'status', from: 'active', to: 'paused' }] },
        ip: '203.0.113.9',
        userAgent: 'Test/1',
        requestId: 'r-1',
        createdAt: expect.any(String),
      },
    ],
    pagination: { hasMore: false, cursor: null },
  })
  const at = Date.parse(body.data[0].createdAt)
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now())
})

test('filters by resource, action, prefix, and their combinations', async () => {
  for (const action of ['endpoint.create', 'endpoint.pause', 'endpoints.create', 'api_key.create'])
    await record(action as AuditAction)
  const cases: [string, string[]][] = [
    ['resource=endpoint', ['endpoint.pause', 'endpoint.create']],
    ['action=endpoint.create', ['endpoint.create']],
    ['action=endpoint.', ['endpoint.pause', 'endpoint.create']],
    ['action=endpoint', []],
    ['action=endpoint.pa', []],
    ['action=.', []],
    ['action=endpoint.pause.', []],
    ['action=%25.', []],
    ['action=api_key.', ['api_key.create']],
    ['action=api%25key.', []],
    ['action=apiXkey.', []],
    ['resource=endpoint&action=endpoint.pause', ['endpoint.pause']],
    ['resource=endpoints&action=endpoint.', []],
  ]
  for (const [query, expected] of cases)
    expect([query, await actions(query)]).toEqual([query, expected])
})

test('an actor is found by their id, by their address, and by the keys that they made', async () => {
  const member = await logs.addMember(tenant.tenantId, 'editor')
  const stranger = await logs.addMember((await logs.addTenant()).tenantId, 'admin')
  const own: CallerActor = { type: 'user', id: member.id, name: member.email, userId: member.id }
  const key: CallerActor = { type: 'api_key', id: tenant.keyId, name: 'K', userId: member.id }
  const system: CallerActor = { type: 'system', id: null, name: 'system', userId: null }
  await record('project.create', { actor: own })
  await record('project.update', { actor: key })
  await record('endpoint.disable', { actor: system })
  expect(await actions(`actor=${member.id}`)).toEqual(['project.update', 'project.create'])
  expect(await actions(`actor=${member.email.toUpperCase()}`)).toHaveLength(2)
  expect(await actions(`actor=${tenant.keyId}`)).toEqual(['project.update'])
  expect(await actions(`actor=${member.id}&action=project.create`)).toEqual(['project.create'])
  expect(await actions('actor=system')).toEqual(['endpoint.disable'])
  expect(await actions(`actor=${stranger.email}`)).toEqual([])
  expect(await actions('actor=nobody@example.com')).toEqual([])
})

test('pages go on where the last one ended, also over days and filters', async () => {
  for (let n = 0; n < 7; n += 1) await record(n % 2 === 0 ? 'endpoint.create' : 'project.create')
  const seen: string[] = []
  let cursor = ''
  for (;;) {
    const { body } = await tenant.byKey(`/audit-logs?limit=2&resource=endpoint${cursor}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.pagination.hasMore) break
    cursor = `&cursor=${body.pagination.cursor}`
  }
  expect(seen).toHaveLength(4)
  expect(seen).toEqual([...new Set(seen)].sort().toReversed())
})

test('`from` is inclusive, `to` exclusive, and rows older than a month are found', async () => {
  const DAY_MS = 86_400_000
  const old = await logs.addTenant()
  // A workspace of last year, with a row of 100 days ago.
  const tenantId = idAt(Date.now() - 400 * DAY_MS).slice(0, 18) + newId().slice(18)
  await logs.pool.query(
    `WITH old AS (
       INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'Old', 'self_hosted', '')
       RETURNING id
     ), project AS (
       INSERT INTO projects (tenant_id, id, name, environment, is_default)
       SELECT id, $2, 'Default', 'production', true FROM old
     )
     SELECT`,
    [tenantId, newId()],
  )
  const at = Math.floor(Date.now() / DAY_MS - 100) * DAY_MS + 5_000
  await makeDay(at)
  await logs.pool.query(
    `INSERT INTO audit_logs (tenant_id, id, action, resource, actor_type, created_at)
     VALUES ($1, $2, 'project.create', 'project', 'system', to_timestamp($3::float8 / 1000))`,
    [tenantId, idAt(at), at],
  )
  const { key } = await logs.addKey(tenantId, ['audit:read'])
  const read = async (query: string): Promise<number> =>
    (await logs.callAs(key)(`/audit-logs?${query}`)).body.data.length
  const [exact, later] = [new Date(at).toISOString(), new Date(at + 1).toISOString()]
  expect(await read('')).toBe(1)
  expect(await read('action=project.')).toBe(1)
  expect(await read(`from=${exact}`)).toBe(1)
  expect(await read(`from=${later}`)).toBe(0)
  expect(await read(`to=${exact}`)).toBe(0)
  expect(await read(`from=${exact}&to=${later}`)).toBe(1)
  expect((await old.byKey('/audit-logs')).body.data).toEqual([])
  const wrong = await logs.callAs(key)(`/audit-logs?from=${later}&to=${exact}`)
  expect(wrong).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
})

/** The partition of a day, as `ensurePartitions` made it in its time. */
async function makeDay(at: number): Promise<void> {
  const DAY_MS = 86_400_000
  const from = Math.floor(at / DAY_MS) * DAY_MS
  const name = `audit_logs_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`
  await logs.pool.query(`CREATE TABLE ${name} PARTITION OF audit_logs
    FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + DAY_MS)}')`)
}

test('a workspace sees its own rows, and those of a sub-account by its header', async () => {
  const child = await logs.addTenant(tenant.tenantId)
  await record('project.create')
  await record('endpoint.create', { tenantId: child.tenantId })
  await record('team.invite', { tenantId: (await logs.addTenant()).tenantId })
  expect(await actions('')).toEqual(['project.create'])
  const inChild = await tenant.byKey('/audit-logs', { 'X-Sub-Account-ID': child.tenantId })
  expect(inChild.body.data).toMatchObject([{ action: 'endpoint.create' }])
})

test('a session of any role or a key with the scope reads it', async () => {
  const viewer = await logs.addMember(tenant.tenantId, 'viewer')
  expect((await viewer.read('/audit-logs')).status).toBe(200)
  const { key } = await logs.addKey(tenant.tenantId, ['events:read'])
  expect(await logs.callAs(key)('/audit-logs')).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
})

test('what jsonb does not take is replaced', async () => {
  const { tenantId } = tenant
  const action = 'project.update' as const
  const from = { ip: null, userAgent: null, requestId: null }
  const scope = { tenantId, action, actor: ada, ...from, isRecorded: false }
  const metadata = { 'n\0ame': 'a\0b', half: '\ud800', path: 'C:\\u0000', long: 'x'.repeat(10) }
  await recordAudit(logs.pool, scope, { resourceId: 'p', metadata })
  const { body } = await tenant.byKey('/audit-logs')
  const shown = { 'n\ufffdame': 'a\ufffdb', half: '\ufffd', path: 'C:\\u0000', long: 'xxxxxxxxxx' }
  expect(body.data[0].metadata).toEqual(shown)
})
