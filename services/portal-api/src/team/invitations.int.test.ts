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
import { addPersonWithMfa, codeOf } from '../mfa/mfa.fixture.ts'
import { type ApiResponse, portal, usePortal } from '../portal.fixture.ts'

usePortal('for-all-tests')

const INVALID = { status: 400, body: { code: 'INVALID_TOKEN' } }
const NEW = { name: 'Ada', password: 'a much longer password' }

async function invite(browser: Browser, email: string, role = 'editor'): Promise<ApiResponse> {
  return await browser.call('POST', '/api/v1/team/invite', { email, role })
}

async function statusOf(token: string): Promise<ApiResponse> {
  return await openBrowser().call('GET', `/auth/invite-status?token=${token}`)
}

async function accept(
  token: string,
  body: object = NEW,
  browser = openBrowser(),
): Promise<ApiResponse> {
  return await browser.call('POST', '/auth/accept-invite', { token, ...body })
}

test('a new person accepts with a name and a password, once, and is signed in', async () => {
  const { browser, client } = await addPerson()
  const email = newEmail()
  await invite(browser, email)
  const token = await tokenOf(email, 'invite')
  expect((await statusOf(token)).body).toEqual({
    email,
    clientName: 'Widgets',
    role: 'editor',
    status: 'pending',
    existingUser: false,
  })
  for (const body of [
    { name: 'Ada' },
    { password: NEW.password },
    { ...NEW, password: 'too short' },
    { ...NEW, password: email },
  ]) {
    expect((await accept(token, body)).body.code).toBe('BAD_REQUEST')
  }
  const answers = await Promise.all([1, 2].map(() => accept(token)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const won = answers.find(({ status }) => status === 200)
  expect(won?.body).toMatchObject({
    user: { email, name: 'Ada', emailVerified: true },
    client: { id: client.id },
    role: 'editor',
  })
  expect(await accept(token)).toMatchObject(INVALID)
  expect((await statusOf(token)).body).toMatchObject({ status: 'accepted', existingUser: true })
  expect((await logIn(openBrowser(), email, NEW.password)).status).toBe(200)
  const again = await invite(browser, email)
  expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

test('inviting again sends a new link under the same id; the old one is void', async () => {
  const { browser } = await addPerson()
  const email = newEmail()
  const first = await invite(browser, email)
  const old = await tokenOf(email, 'invite')
  const second = await invite(browser, email.toUpperCase(), 'viewer')
  expect(second.body).toMatchObject({ userId: first.body.userId, role: 'viewer' })
  expect(await mailsTo(email)).toHaveLength(2)
  expect(await accept(old)).toMatchObject(INVALID)
  expect(await statusOf(old)).toMatchObject(INVALID)
  const answers = await Promise.all([1, 2, 3].map(() => invite(browser, email)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.userId)).size).toBe(1)
})

test('nobody’s inbox is flooded: ten mails an hour go to one address', async () => {
  const { browser } = await addPerson()
  const email = newEmail()
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await invite(browser, email)).status)
  expect(statuses).toEqual([...Array(10).fill(201), 429])
  expect(await mailsTo(email)).toHaveLength(10)
})

test('an invitation is changed, revoked, and runs out', async () => {
  const { browser } = await addPerson()
  const email = newEmail()
  const { body } = await invite(browser, email)
  const path = `/api/v1/team/${body.userId}`
  const token = await tokenOf(email, 'invite')
  expect((await browser.call('PATCH', path, { role: 'admin' })).body).toMatchObject({
    role: 'admin',
    status: 'invited',
  })
  expect((await statusOf(token)).body).toMatchObject({ role: 'admin', status: 'pending' })
  const end = (to: string): Promise<unknown> =>
    portal.pool.query(`UPDATE invitations SET expires_at = now() + $2::interval WHERE id = $1`, [
      body.userId,
      to,
    ])
  await end('-1 second')
  expect((await statusOf(token)).body.status).toBe('expired')
  expect(await accept(token)).toMatchObject(INVALID)
  await end('1 day')
  expect((await browser.call('DELETE', path)).status).toBe(204)
  expect((await statusOf(token)).body.status).toBe('revoked')
  expect(await accept(token)).toMatchObject(INVALID)
  expect((await browser.call('DELETE', path)).status).toBe(404)
  // A new one can be sent.
  expect((await invite(browser, email)).body.userId).not.toBe(body.userId)
})

test('known and unknown addresses get one answer; a known one joins by its password', async () => {
  const { browser, client } = await addPerson()
  const known = await addPerson()
  const shape = ({ status, body }: ApiResponse): unknown => ({
    status,
    body: { ...body, userId: '', email: '', createdAt: '' },
  })
  expect(shape(await invite(browser, known.email))).toEqual(
    shape(await invite(browser, newEmail())),
  )
  const token = await tokenOf(known.email, 'invite')
  expect((await statusOf(token)).body.existingUser).toBe(true)
  const refused = { status: 401, body: { code: 'UNAUTHORIZED' } }
  expect(await accept(token, {})).toMatchObject(refused)
  expect(await accept(token, NEW)).toMatchObject(refused)
  const joined = await accept(token, { name: 'Mallory', password: PASSWORD })
  expect(joined).toMatchObject({
    status: 200,
    body: { user: { id: known.user.id, name: known.user.name }, client: { id: client.id } },
  })
  const { body } = await known.browser.call('GET', '/auth/session')
  expect(body.clients).toHaveLength(2)
})

test('a session of the invited person is enough, that of another is not', async () => {
  const { browser, client } = await addPerson()
  const known = await addPerson()
  await invite(browser, known.email)
  const token = await tokenOf(known.email, 'invite')
  expect((await accept(token, {}, (await addPerson()).browser)).status).toBe(401)
  const joined = await accept(token, {}, known.browser)
  expect(joined).toMatchObject({ status: 200, body: { client: { id: client.id } } })
})

test('a wrong password counts into the lockout', async () => {
  const { browser } = await addPerson()
  const known = await addPerson()
  await invite(browser, known.email)
  const token = await tokenOf(known.email, 'invite')
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await accept(token, NEW)).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  expect((await accept(token, { password: PASSWORD })).status).toBe(429)
})

test('a second factor is asked for before the session', async () => {
  const { browser, client } = await addPerson()
  const known = await addPersonWithMfa()
  await invite(browser, known.email)
  const visit = openBrowser()
  const token = await tokenOf(known.email, 'invite')
  const joined = await accept(token, { password: PASSWORD }, visit)
  expect(joined).toMatchObject({ status: 200, body: { mfaRequired: true } })
  expect((await visit.call('GET', '/auth/session')).status).toBe(401)
  const done = await visit.call('POST', '/auth/mfa/verify', { code: codeOf(known.secret) })
  expect(done.body.client.id).toBe(client.id)
})

test('an account that was never proved is taken over by who holds the link', async () => {
  const { browser, client } = await addPerson()
  const squatter = await addPerson({ verified: false })
  await invite(browser, squatter.email)
  const token = await tokenOf(squatter.email, 'invite')
  expect((await statusOf(token)).body.existingUser).toBe(false)
  const joined = await accept(token)
  expect(joined).toMatchObject({
    status: 200,
    body: { user: { name: 'Ada', emailVerified: true }, client: { id: client.id } },
  })
  // The one who made the account is out.
  expect((await squatter.browser.call('GET', '/auth/session')).status).toBe(401)
  expect((await logIn(openBrowser(), squatter.email)).status).toBe(401)
  expect((await logIn(openBrowser(), squatter.email, NEW.password)).status).toBe(200)
})

test('an inviter must have verified their own address; so must who makes a key', async () => {
  const { browser } = await addPerson({ verified: false })
  const refused = { status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } }
  const email = newEmail()
  expect(await invite(browser, email)).toMatchObject(refused)
  expect(await mailsTo(email)).toEqual([])
  const key = { name: 'k', scopes: ['events:read'] }
  expect(await browser.call('POST', '/api/v1/api-keys', key)).toMatchObject(refused)
})

test('row 11: tricks in the address are refused, and nobody gets a mail', async () => {
  const { browser, client } = await addPerson()
  for (const email of [
    'a@x.example\r\nBcc: eve@example.com',
    'a@x.example,eve@example.com',
    'a@x.example\0',
    'Ann <a@x.example>',
    'a@x.example;eve@example.com',
    `${'a'.repeat(250)}@x.example`,
  ]) {
    expect((await invite(browser, email)).body.code).toBe('BAD_REQUEST')
  }
  const { rows } = await portal.pool.query(
    `SELECT count(*)::int AS mails FROM mails WHERE kind = 'invite' AND tenant_id = $1`,
    [client.id],
  )
  expect(rows).toEqual([{ mails: 0 }])
})

test('an API key invites too, and who did is written down', async () => {
  const { browser, client } = await addPerson()
  const scopes = ['team:write']
  const { body } = await browser.call('POST', '/api/v1/api-keys', { name: 'k', scopes })
  const call = portal.callAs(body.key)
  const email = newEmail()
  expect((await call('POST', '/team/invite', { email, role: 'viewer' })).status).toBe(201)
  const { rows } = await portal.pool.query(
    'SELECT invited_by FROM invitations WHERE tenant_id = $1',
    [client.id],
  )
  expect(rows).toEqual([{ invited_by: `api-key:${body.id}` }])
})
