import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { AuthEventName } from '@posthorn/contracts/audit'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type AuditedTenant, type ReadLog, startTestLogs, type TestLogs } from './audit.fixture.ts'

let logs: TestLogs
let tenant: AuditedTenant
let admin: { id: string; email: string; read: ReadLog }

beforeAll(async () => {
  logs = await startTestLogs()
})
afterAll(async () => await logs.close())
beforeEach(async () => {
  tenant = await logs.addTenant()
  admin = await logs.addMember(tenant.tenantId, 'admin')
})

async function record(
  event: AuthEventName,
  subject: string | null = admin.email,
  tenantId: string | null = tenant.tenantId,
): Promise<void> {
  const origin = { ip: '203.0.113.9', userAgent: 'Test/1' }
  const metadata = { factor: 'totp' }
  await recordAuthEvent(logs.pool, {
    event,
    tenantId,
    userId: admin.id,
    subject,
    ...origin,
    metadata,
  })
}

async function events(query: string): Promise<string[]> {
  const { status, body } = await admin.read(`/auth-audit?${query}`)
  expect(status).toBe(200)
  return body.data.map(({ event }: { event: string }) => event)
}

test('a row has who, what, where from and when', async () => {
  await record('mfa.verify.success')
  const { body } = await admin.read('/auth-audit')
  expect(body).toEqual({
    data: [
      {
        id: expect.any(String),
        event: 'mfa.verify.success',
        userId: admin.id,
        subject: admin.email,
        ip: '203.0.113.9',
        userAgent: 'Test/1',
        metadata: { factor: 'totp' },
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ],
    pagination: { hasMore: false, cursor: null },
  })
})

test('filters by event, by how it begins, by subject, and by all of them', async () => {
  await record('password.login.fail')
  await record('password.login.success', 'bob@example.com')
  await record('password.reset.request')
  await record('mfa.verify.fail')
  const all = [
    'mfa.verify.fail',
    'password.reset.request',
    'password.login.success',
    'password.login.fail',
  ]
  const subject = encodeURIComponent(admin.email)
  const cases: [string, string[]][] = [
    ['', all],
    ['event=password.', all.slice(1)],
    ['event=password.login.', all.slice(2)],
    ['event=password.login.fail', ['password.login.fail']],
    ['event=password', []],
    ['event=pass%25.', []],
    ['event=password_login.', []],
    [`subject=${subject}`, all.filter((event) => event !== 'password.login.success')],
    [`subject=${subject}&event=password.login.`, ['password.login.fail']],
    ['from=2999-01-01T00:00:00Z', []],
    ['to=2999-01-01T00:00:00Z&limit=1', ['mfa.verify.fail']],
  ]
  for (const [query, expected] of cases)
    expect([query, await events(query)]).toEqual([query, expected])
})

test('a page of a prefix goes on where the last one ended', async () => {
  for (let n = 0; n < 3; n += 1) {
    await record('password.login.fail')
    await record('password.reset.request')
    await record('mfa.verify.fail')
  }
  const seen: string[] = []
  let cursor = ''
  for (;;) {
    const { body } = await admin.read(`/auth-audit?limit=4&event=password.${cursor}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.pagination.hasMore) break
    cursor = `&cursor=${body.pagination.cursor}`
  }
  expect(seen).toHaveLength(6)
  expect(seen).toEqual([...new Set(seen)].sort().toReversed())
})

test('rows of other workspaces, and of none, are not shown', async () => {
  await record('password.login.fail', admin.email, (await logs.addTenant()).tenantId)
  await record('password.login.fail', admin.email, null)
  expect(await events('')).toEqual([])
})

test('only an admin who is signed in reads it', async () => {
  const editor = await logs.addMember(tenant.tenantId, 'editor')
  const { key } = await logs.addKey(tenant.tenantId, ['*'])
  for (const read of [editor.read, logs.callAs(key)]) {
    expect(await read('/auth-audit')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  }
  const inSubAccount = await admin.read('/auth-audit', { 'X-Sub-Account-ID': tenant.tenantId })
  expect(inSubAccount).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
})
