import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { portal, usePortal } from '../portal.fixture.ts'
import {
  addPerson,
  authEvents,
  type Browser,
  logIn,
  mailsTo,
  newEmail,
  openBrowser,
  PASSWORD,
  tokenOf,
} from './auth.fixture.ts'

usePortal('for-all-tests')

const NEW = 'another long password'
const INVALID = { status: 400, body: { code: 'INVALID_TOKEN' } }
const forgot = (email: string, headers = {}) =>
  openBrowser().call('POST', '/auth/forgot-password', { email }, headers)
const reset = (token: string, newPassword = NEW) =>
  openBrowser().call('POST', '/auth/reset-password', { token, newPassword })
const statusOf = async (browser: Browser) => (await browser.call('GET', '/auth/session')).status

test('row 9: a token of a reset works once, also when it is used twice at once', async () => {
  const { email } = await addPerson()
  await forgot(email)
  const token = await tokenOf(email, 'reset_password')
  const both = await Promise.all([reset(token), reset(token)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await reset(token)).toMatchObject(INVALID)
  expect((await logIn(openBrowser(), email)).status).toBe(401)
  expect((await logIn(openBrowser(), email, NEW)).status).toBe(200)
  expect((await mailsTo(email))[0]?.kind).toBe('password_changed')
  expect(await authEvents(email)).toEqual(
    expect.arrayContaining(['password.reset.request', 'password.reset.success']),
  )
})

test('row 9: it works for an hour, for a reset alone, and until the next is asked for', async () => {
  const { email, user } = await addPerson({ verified: false })
  await forgot(email)
  const first = await tokenOf(email, 'reset_password')
  expect(await openBrowser().call('POST', '/auth/verify-email', { token: first })).toMatchObject(
    INVALID,
  )
  expect(await reset(await tokenOf(email, 'verify_email'))).toMatchObject(INVALID)
  await forgot(email)
  expect(await reset(first)).toMatchObject(INVALID)
  const token = await tokenOf(email, 'reset_password')
  const { rows } = await portal.pool.query(
    `UPDATE one_time_tokens SET expires_at = expires_at - interval '1 hour'
      WHERE user_id = $1 AND purpose = 'reset_password'
      RETURNING extract(epoch FROM expires_at - created_at)::int AS left`,
    [user.id],
  )
  expect(Math.abs(rows[0].left)).toBeLessThan(60)
  expect(await reset(token)).toMatchObject(INVALID)
  expect((await logIn(openBrowser(), email)).status).toBe(200)
})

test('a password that is refused leaves the token as it was', async () => {
  const { email } = await addPerson()
  await forgot(email)
  const token = await tokenOf(email, 'reset_password')
  for (const bad of ['short', '1234567890', email]) {
    const answer = await reset(token, bad)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'newPassword' }] } })
  }
  expect((await reset(token)).status).toBe(200)
})

test('row 10: forgot-password answers alike, and links lead to our own address', async () => {
  const { email } = await addPerson()
  const known = await forgot(email, { Host: 'evil.example' })
  const unknown = await forgot(newEmail())
  expect([known.status, known.text]).toEqual([200, '{}'])
  expect([unknown.status, unknown.text]).toEqual([200, '{}'])
  // A path alone: whoever renders the mail puts PUBLIC_URL before it.
  expect((await mailsTo(email))[0]?.link).toMatch(/^\/reset\?token=[\w-]{43}$/)
})

test('an address gets a bounded number of mails', async () => {
  const { email } = await addPerson()
  for (let n = 0; n < 15; n += 1) expect((await forgot(email)).status).toBe(200)
  const resets = (await mailsTo(email)).filter(({ kind }) => kind === 'reset_password')
  // One of the ten was the mail of the sign-up.
  expect(resets).toHaveLength(9)
})

test('row 6: a reset ends all sessions, and proves the address', async () => {
  const { email, browser } = await addPerson({ verified: false })
  const second = openBrowser()
  await logIn(second, email)
  await forgot(email)
  await reset(await tokenOf(email, 'reset_password'))
  expect([await statusOf(browser), await statusOf(second)]).toEqual([401, 401])
  expect((await logIn(second, email, NEW)).body.user.emailVerified).toBe(true)
})

test('row 16: whoever signed up with an address of somebody else is out after the reset', async () => {
  const victim = newEmail()
  const attacker = await addPerson({ verified: false, email: victim })
  await forgot(victim)
  await reset(await tokenOf(victim, 'reset_password'))
  expect(await statusOf(attacker.browser)).toBe(401)
  expect((await logIn(openBrowser(), victim)).status).toBe(401)
})

test('a reset ends a login that awaits its second factor', async () => {
  const { email, user } = await addPerson()
  await portal.pool.query('UPDATE users SET mfa_enabled = true WHERE id = $1', [user.id])
  await logIn(openBrowser(), email)
  await forgot(email)
  await reset(await tokenOf(email, 'reset_password'))
  const { rows } = await portal.pool.query('SELECT 1 FROM one_time_tokens WHERE user_id = $1', [
    user.id,
  ])
  expect(rows).toEqual([])
})

test('a login with the old password that meets a reset leaves no session behind', async () => {
  const { email, user } = await addPerson()
  for (let round = 0; round < 5; round += 1) {
    const [old, next] = round % 2 === 0 ? [PASSWORD, NEW] : [NEW, PASSWORD]
    await forgot(email)
    const token = await tokenOf(email, 'reset_password')
    await Promise.all([
      ...Array.from({ length: 3 }, () => logIn(openBrowser(), email, old)),
      reset(token, next),
    ])
    const { rows } = await portal.pool.query('SELECT 1 FROM user_sessions WHERE user_id = $1', [
      user.id,
    ])
    expect(rows).toEqual([])
  }
})

test('a change needs the current password, keeps this session and ends the others', async () => {
  const { email, browser } = await addPerson()
  const other = openBrowser()
  await logIn(other, email)
  const change = (currentPassword: string, newPassword = NEW) =>
    browser.call('POST', '/auth/change-password', { currentPassword, newPassword })
  expect((await change('a wrong password')).status).toBe(401)
  expect((await change(PASSWORD, 'Widgets Widgets')).status).toBe(200)
  expect((await change('Widgets Widgets', 'qwertyuiop')).body.details).toMatchObject([
    { path: 'newPassword' },
  ])
  expect((await change('Widgets Widgets')).body).toEqual({})
  expect([await statusOf(browser), await statusOf(other)]).toEqual([200, 401])
  expect((await logIn(openBrowser(), email, NEW)).status).toBe(200)
  expect((await mailsTo(email))[0]?.kind).toBe('password_changed')
})

test('guesses at the current password lock the address', async () => {
  const { email, browser } = await addPerson()
  const guess = { currentPassword: 'a wrong password', newPassword: NEW }
  for (let n = 0; n < 10; n += 1) await browser.call('POST', '/auth/change-password', guess)
  expect((await browser.call('POST', '/auth/change-password', guess)).status).toBe(429)
  expect((await logIn(openBrowser(), email)).status).toBe(429)
  await eventually(async () => (await statusOf(browser)) === 200)
})
