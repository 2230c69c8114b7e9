import { expect, test } from '@jest/globals'
import { portal, usePortal } from '../portal.fixture.ts'
import {
  addPerson,
  authEvents,
  logIn,
  mailsTo,
  newEmail,
  openBrowser,
  PASSWORD,
  tokenOf,
} from './auth.fixture.ts'

usePortal('for-all-tests')

const signUp = (body: object) =>
  openBrowser().call('POST', '/auth/signup', {
    password: PASSWORD,
    companyName: 'Widgets',
    ...body,
  })

test('a sign-up makes a workspace, its default project and an admin, and no session', async () => {
  const email = newEmail()
  const answer = await signUp({ email, name: 'Ada' })
  expect(answer).toMatchObject({ status: 201, body: { email, verificationSent: true } })
  expect(answer.headers.getSetCookie()).toEqual([])
  const browser = openBrowser()
  expect(await logIn(browser, email)).toMatchObject({
    status: 200,
    body: {
      user: { email, name: 'Ada', emailVerified: false, mfaEnabled: false },
      client: { name: 'Widgets', plan: 'self_hosted', onboardingComplete: false },
      role: 'admin',
    },
  })
  const { body } = await browser.call('GET', '/api/v1/projects')
  expect(body.data).toMatchObject([{ name: 'Default', isDefault: true }])
  expect((await browser.call('GET', '/api/v1/signing-secret')).status).toBe(200)
  expect(await authEvents(email)).toEqual(['signup.success', 'password.login.success'])
})

test('the mail verifies the address, once', async () => {
  const { email, browser } = await addPerson({ verified: false })
  const first = await tokenOf(email, 'verify_email')
  expect((await browser.call('POST', '/auth/resend-verification', { email })).body).toEqual({})
  const token = await tokenOf(email, 'verify_email')
  const verify = (one: string) => openBrowser().call('POST', '/auth/verify-email', { token: one })
  const invalid = { status: 400, body: { code: 'INVALID_TOKEN' } }
  expect(await verify(first)).toMatchObject(invalid)
  expect(await verify('x')).toMatchObject(invalid)
  const both = await Promise.all([verify(token), verify(token)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await browser.call('GET', '/auth/session')).body.user.emailVerified).toBe(true)
  const sent = (await mailsTo(email)).length
  await browser.call('POST', '/auth/resend-verification', { email })
  expect(await mailsTo(email)).toHaveLength(sent)
})

test('a known address gets the same answer, and its owner a mail', async () => {
  const { email } = await addPerson()
  const again = await signUp({ email: email.toUpperCase(), companyName: 'Other', name: 'Eve' })
  expect(again).toMatchObject({
    status: 201,
    body: { email, verificationSent: true },
  })
  expect((await mailsTo(email))[0]).toMatchObject({ kind: 'known_email' })
  const browser = openBrowser()
  await logIn(browser, email)
  const { body } = await browser.call('GET', '/auth/session')
  expect([body.user.name, body.clients.length]).toEqual([null, 1])
})

test('of two sign-ups with one address at once one makes an account', async () => {
  const email = newEmail()
  const both = await Promise.all([signUp({ email }), signUp({ email })])
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  const kinds = (await mailsTo(email)).map(({ kind }) => kind)
  expect(kinds.sort()).toEqual(['known_email', 'verify_email'])
})

test('row 4: passwords that are too short, too long, common or known are refused', async () => {
  for (const password of ['a1b2c3d4z', 'x'.repeat(129), '1234567890', '🐎'.repeat(9), 'Widgets']) {
    const answer = await signUp({ email: newEmail(), password })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'password' }] } })
  }
  expect((await signUp({ email: newEmail(), password: '🐎'.repeat(10) })).status).toBe(201)
  const email = `first.lastname.${newEmail()}`
  const known = await signUp({ email, password: email.split('@')[0] })
  expect(known.body.details).toMatchObject([{ path: 'password' }])
})

test('row 11: what would be two recipients, or another header, is no address', async () => {
  const { rows: before } = await portal.pool.query('SELECT count(*) FROM mails')
  for (const email of [
    'a@example.com\r\nBcc: e@example.com',
    'a@example.com,e@example.com',
    'a@example.com\u0000',
    'a@example.com, ',
    ' a@example.com',
    '"a@example.com"@',
    `${'a'.repeat(250)}@example.com`,
  ]) {
    for (const [path, body] of [
      ['/auth/signup', { email, password: PASSWORD, companyName: 'W' }],
      ['/auth/forgot-password', { email }],
      ['/auth/resend-verification', { email }],
    ] as const) {
      expect((await openBrowser().call('POST', path, body)).status).toBe(400)
    }
  }
  const injected = await signUp({ email: newEmail(), companyName: 'W\r\nBcc: e@example.com' })
  expect(injected.status).toBe(400)
  expect((await portal.pool.query('SELECT count(*) FROM mails')).rows).toEqual(before)
})

test('a body that is too large for a password is refused before it is read', async () => {
  const huge = await signUp({ email: newEmail(), password: 'x'.repeat(100_000) })
  expect(huge.status).toBe(413)
  const long = await signUp({ email: newEmail(), password: 'x'.repeat(2_000) })
  expect(long).toMatchObject({ status: 400, body: { details: [{ path: 'password' }] } })
})
