import { expect, test } from '@jest/globals'
import { addPerson, mailsTo, newEmail, openBrowser } from '../auth/auth.fixture.ts'
import { portal, usePortal } from '../portal.fixture.ts'

usePortal('for-all-tests')

const KEYS = '/api/v1/api-keys'
const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } }

test('an admin makes any key, which tells who made it', async () => {
  const { browser, user } = await addPerson()
  const { status, body } = await browser.call('POST', KEYS, { name: 'all', scopes: ['*'] })
  expect(status).toBe(201)
  const { rows } = await portal.pool.query('SELECT created_by FROM api_keys WHERE id = $1', [
    body.id,
  ])
  expect(rows).toEqual([{ created_by: `user:${user.id}` }])
})

test('an admin who was demoted a moment ago makes none', async () => {
  const { browser, user } = await addPerson()
  expect((await browser.call('GET', KEYS)).status).toBe(200)
  // Behind the back of this instance, which keeps the session for a second.
  await portal.pool.query(`UPDATE memberships SET role = 'editor' WHERE user_id = $1`, [user.id])
  const made = await browser.call('POST', KEYS, { name: 'late', scopes: ['events:read'] })
  expect(made).toMatchObject(FORBIDDEN)
})

test('row 24: the session of a key makes no key that may do more than its own', async () => {
  const { browser } = await addPerson()
  const bounds = { scopes: ['api-keys:write', 'events:write'], rateLimit: 10 }
  const { body } = await browser.call('POST', KEYS, { name: 'maker', ...bounds })
  const visit = openBrowser()
  await visit.call('POST', '/auth/session', { apiKey: body.key })
  for (const [wanted, status] of [
    [{ scopes: ['*'], rateLimit: 10 }, 403],
    [{ scopes: ['endpoints:read'], rateLimit: 10 }, 403],
    [{ scopes: ['events:read'] }, 403],
    [{ scopes: ['events:read'], rateLimit: 11 }, 403],
    [{ scopes: ['events:read'], rateLimit: 10 }, 201],
  ] as const) {
    const made = await visit.call('POST', KEYS, { name: 'n', ...wanted })
    expect([wanted, made.status]).toEqual([wanted, status])
  }
})

test('row 24: a key that is bound to a project makes keys of no other', async () => {
  const { browser, client } = await addPerson()
  const { body: project } = await browser.call('POST', '/api/v1/projects', { name: 'P' })
  const inProject = { 'X-Project-ID': project.id }
  const scopes = { scopes: ['api-keys:write', 'projects:read'] }
  const { body } = await browser.call('POST', KEYS, { name: 'bound', ...scopes }, inProject)
  expect(body.projectId).toBe(project.id)
  const { rows } = await portal.pool.query(
    'SELECT id FROM projects WHERE tenant_id = $1 AND is_default',
    [client.id],
  )
  const call = portal.callAs(body.key)
  const elsewhere = { 'X-Project-ID': rows[0].id }
  const asked = { name: 'n', scopes: ['projects:read'] }
  expect(await call('POST', '/api-keys', asked, elsewhere)).toMatchObject(FORBIDDEN)
  expect((await call('POST', '/api-keys', asked)).body.projectId).toBe(project.id)
})

test('row 24: a key that is bound to a project gets nobody into the workspace', async () => {
  const { browser, user } = await addPerson()
  const { body: project } = await browser.call('POST', '/api/v1/projects', { name: 'P' })
  const inProject = { 'X-Project-ID': project.id }
  const all = { name: 'bound', scopes: ['*'] }
  const { body } = await browser.call('POST', KEYS, all, inProject)
  const call = portal.callAs(body.key)
  const email = newEmail()
  for (const [method, path, wanted] of [
    ['POST', '/team/invite', { email, role: 'admin' }],
    ['PATCH', `/team/${user.id}`, { role: 'viewer' }],
    ['DELETE', `/team/${user.id}`, undefined],
    ['PATCH', '/me/security', { requireMfa: true }],
  ] as const) {
    expect(await call(method, path, wanted)).toMatchObject(FORBIDDEN)
  }
  expect(await mailsTo(email)).toEqual([])
})
