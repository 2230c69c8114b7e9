import { expect, test } from '@jest/globals'
import {
  addPerson,
  type Browser,
  logIn,
  mailsTo,
  newEmail,
  openBrowser,
  PASSWORD,
  tokenOf,
} from '../auth/auth.fixture.ts'
import { type Json, portal, usePortal } from '../portal.fixture.ts'

usePortal('for-all-tests')

const TEAM = '/api/v1/team'
const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } }
const LAST_ADMIN = { status: 409, body: { code: 'INVALID_STATE' } }

async function invite(browser: Browser, role: string, email = newEmail()): Promise<Json> {
  const { status, body } = await browser.call('POST', `${TEAM}/invite`, { email, role })
  expect(status).toBe(201)
  return body
}

async function join(
  browser: Browser,
  role: string,
): Promise<{ browser: Browser; userId: string; email: string }> {
  const { email } = await invite(browser, role)
  const invited = openBrowser()
  const token = await tokenOf(email, 'invite')
  const joined = await invited.call('POST', '/auth/accept-invite', {
    token,
    name: 'Ada',
    password: PASSWORD,
  })
  expect(joined.status).toBe(200)
  return { browser: invited, userId: joined.body.user.id, email }
}

test('the list has members and open invitations, newest first, in pages', async () => {
  const { browser, email, user } = await addPerson()
  const editor = await join(browser, 'editor')
  const invited = await invite(browser, 'viewer')
  expect(invited).toEqual({
    userId: expect.any(String),
    email: invited.email,
    name: null,
    role: 'viewer',
    status: 'invited',
    source: 'invite',
    lastLoginAt: null,
    createdAt: expect.stringMatching(/Z$/),
  })
  const { body } = await browser.call('GET', TEAM)
  expect(body.data).toHaveLength(3)
  expect(body.data).toEqual(
    expect.arrayContaining([
      invited,
      expect.objectContaining({
        userId: editor.userId,
        email: editor.email,
        name: 'Ada',
        role: 'editor',
        status: 'active',
        source: 'invite',
        lastLoginAt: expect.stringMatching(/Z$/),
      }),
      expect.objectContaining({ userId: user.id, email, role: 'admin', source: 'signup' }),
    ]),
  )
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body: page } = await browser.call('GET', `${TEAM}?limit=1${cursor}`)
    seen.push(...page.data.map((row: Json) => row.userId))
    if (!page.pagination.hasMore) break
    cursor = `&cursor=${page.pagination.cursor}`
  }
  expect(seen).toEqual(body.data.map((row: Json) => row.userId))
})

test('row 22: a viewer and an editor read the team and change nothing in it', async () => {
  const { browser } = await addPerson()
  const { userId } = await invite(browser, 'viewer')
  for (const role of ['viewer', 'editor']) {
    const member = await join(browser, role)
    expect((await member.browser.call('GET', TEAM)).status).toBe(200)
    const email = newEmail()
    for (const [method, path, body] of [
      ['POST', `${TEAM}/invite`, { email, role: 'viewer' }],
      ['POST', `${TEAM}/invite`, { email, role: 'admin' }],
      ['PATCH', `${TEAM}/${userId}`, { role: 'admin' }],
      ['PATCH', `${TEAM}/${member.userId}`, { role: 'admin' }],
      ['DELETE', `${TEAM}/${userId}`, undefined],
      ['POST', '/api/v1/api-keys', { name: 'k', scopes: ['events:read'] }],
      ['PATCH', '/api/v1/me/security', { requireMfa: true }],
    ] as const) {
      expect(await member.browser.call(method, path, body)).toMatchObject(FORBIDDEN)
    }
    expect(await mailsTo(email)).toEqual([])
  }
})

test('row 23: the last active admin stays', async () => {
  const { browser, user } = await addPerson()
  const path = `${TEAM}/${user.id}`
  const editor = await join(browser, 'editor')
  await invite(browser, 'admin')
  const refusedAll = async (): Promise<void> => {
    expect(await browser.call('PATCH', path, { role: 'editor' })).toMatchObject(LAST_ADMIN)
    expect(await browser.call('DELETE', path)).toMatchObject(LAST_ADMIN)
  }
  await refusedAll()
  expect((await browser.call('PATCH', path, { role: 'admin' })).status).toBe(200)
  // A deactivated admin does not count.
  await browser.call('PATCH', `${TEAM}/${editor.userId}`, { role: 'admin' })
  const set = 'UPDATE memberships SET status = $2 WHERE user_id = $1'
  await portal.pool.query(set, [editor.userId, 'deactivated'])
  await refusedAll()
  await portal.pool.query(set, [editor.userId, 'active'])
  expect((await browser.call('PATCH', path, { role: 'viewer' })).body.role).toBe('viewer')
})

test('row 23: of two admins who demote or remove each other at once one stays', async () => {
  for (const [method, body] of [
    ['PATCH', { role: 'viewer' }],
    ['DELETE', undefined],
  ] as const) {
    const first = await addPerson()
    const second = await join(first.browser, 'admin')
    const answers = await Promise.all([
      first.browser.call(method, `${TEAM}/${second.userId}`, body),
      second.browser.call(method, `${TEAM}/${first.user.id}`, body),
    ])
    const statuses = answers.map(({ status }) => status)
    // Who comes second is refused as the last admin, or because they are none any more.
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
    const { rows } = await portal.pool.query(
      `SELECT count(*)::int AS admins FROM memberships WHERE tenant_id = $1 AND role = 'admin'`,
      [first.client.id],
    )
    expect(rows).toEqual([{ admins: 1 }])
  }
})

test('row 6: a new role and a removal hold in the next request', async () => {
  const { browser } = await addPerson()
  const member = await join(browser, 'editor')
  const write = async () =>
    await member.browser.call('POST', '/api/v1/event-types', { name: `t${Math.random()}` })
  expect((await write()).status).toBe(201)
  const path = `${TEAM}/${member.userId}`
  expect((await browser.call('PATCH', path, { role: 'viewer' })).body.role).toBe('viewer')
  expect(await write()).toMatchObject(FORBIDDEN)
  expect((await browser.call('DELETE', path)).status).toBe(204)
  expect((await member.browser.call('GET', '/auth/session')).status).toBe(401)
  expect((await browser.call('DELETE', path)).status).toBe(404)
  expect((await browser.call('PATCH', path, { role: 'viewer' })).status).toBe(404)
  // A person of no workspace is forgotten, and the address is free again.
  expect((await logIn(openBrowser(), member.email)).status).toBe(401)
  await invite(browser, 'viewer', member.email)
})

test('whoever is a member elsewhere loses only this workspace', async () => {
  const { browser } = await addPerson()
  const guest = await addPerson()
  await invite(browser, 'viewer', guest.email)
  const token = await tokenOf(guest.email, 'invite')
  const visit = openBrowser()
  const joined = await visit.call('POST', '/auth/accept-invite', { token, password: PASSWORD })
  expect(joined.status).toBe(200)
  expect((await browser.call('DELETE', `${TEAM}/${guest.user.id}`)).status).toBe(204)
  expect((await visit.call('GET', '/auth/session')).status).toBe(401)
  expect((await guest.browser.call('GET', '/auth/session')).status).toBe(200)
})

test("another workspace's members and invitations do not exist", async () => {
  const { browser } = await addPerson()
  const other = await addPerson()
  const invitation = await invite(other.browser, 'viewer')
  for (const id of [other.user.id, invitation.userId]) {
    expect((await browser.call('PATCH', `${TEAM}/${id}`, { role: 'admin' })).status).toBe(404)
    expect((await browser.call('DELETE', `${TEAM}/${id}`)).status).toBe(404)
  }
  expect((await other.browser.call('GET', TEAM)).body.data).toHaveLength(2)
})
