import { hashSync } from '@node-rs/argon2'
import { expect, test } from '@jest/globals'
import { portal, usePortal } from '../portal.fixture.ts'
import {
  addPerson,
  authEvents,
  logIn,
  newEmail,
  openBrowser,
  PASSWORD,
  tokenOf,
} from './auth.fixture.ts'

usePortal('for-all-tests')

const WRONG = { status: 401, body: { code: 'UNAUTHORIZED' } }
const LOCKED = { status: 429, body: { code: 'RATE_LIMITED' } }

test('row 2: ten failures lock an address, known or not, and sessions go on', async () => {
  const { email, browser } = await addPerson()
  const unknown = newEmail()
  const startedAt = performance.now()
  for (const address of [email, unknown]) {
    for (let n = 0; n < 10; n += 1) {
      expect(await logIn(openBrowser(), address, 'a wrong password')).toMatchObject(WRONG)
    }
  }
  const answers = [await logIn(openBrowser(), email), await logIn(openBrowser(), unknown)]
  // The first of them has been locked while the other one's guesses were hashed.
  const elapsedSeconds = Math.ceil((performance.now() - startedAt) / 1_000)
  for (const answer of answers) {
    expect(answer).toMatchObject(LOCKED)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(899 - elapsedSeconds)
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(900)
  }
  expect(answers[0]?.text).toBe(answers[1]?.text)
  expect((await browser.call('GET', '/auth/session')).status).toBe(200)
  const events = await authEvents(unknown)
  expect(events.slice(-2)).toEqual(['password.login.fail', 'password.login.locked'])
  expect(events).toHaveLength(11)
})

test('row 2: a reset ends the lock', async () => {
  const { email } = await addPerson()
  for (let n = 0; n < 11; n += 1) await logIn(openBrowser(), email, 'a wrong password')
  await openBrowser().call('POST', '/auth/forgot-password', { email })
  const reset = { token: await tokenOf(email, 'reset_password'), newPassword: 'another password' }
  expect((await openBrowser().call('POST', '/auth/reset-password', reset)).status).toBe(200)
  expect((await logIn(openBrowser(), email, 'another password')).status).toBe(200)
})

test('row 3: of 200 wrong logins at once at most ten are verified', async () => {
  const { email } = await addPerson()
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => logIn(openBrowser(), email, 'a wrong password')),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(190)
})

test('row 3: logins that no thread has time for are told to come again', async () => {
  const answers = await Promise.all(
    Array.from({ length: 160 }, (_, n) => logIn(openBrowser(), newEmail(), `password ${n}`)),
  )
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].sort()).toEqual([401, 503])
  const { email } = await addPerson()
  expect((await logIn(openBrowser(), email)).status).toBe(200)
})

test('row 7: a cookie that came before the login is no session after it', async () => {
  const { email } = await addPerson()
  const browser = openBrowser()
  browser.cookies.set('service_session', 'A'.repeat(43))
  expect((await logIn(browser, email)).status).toBe(200)
  const first = browser.cookies.get('service_session')
  expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(first).not.toBe('A'.repeat(43))
  await logIn(browser, email)
  expect(browser.cookies.get('service_session')).not.toBe(first)
})

test('row 8: the cookie of a session', async () => {
  const { email } = await addPerson()
  const [line = ''] = (await logIn(openBrowser(), email)).headers.getSetCookie()
  expect(line.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=604800',
    'Path=/',
    'SameSite=Lax',
    // PUBLIC_URL is https.
    'Secure',
  ])
})

test('row 5: a page of another origin signs nobody in, out or up', async () => {
  const { email, browser } = await addPerson()
  const body = { email, password: PASSWORD }
  const foreign: Record<string, string>[] = [
    { Origin: 'http://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]
  for (const headers of foreign) {
    const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }
    const other = openBrowser()
    expect(await other.call('POST', '/auth/login', body, headers)).toMatchObject(forbidden)
    expect(other.cookies.size).toBe(0)
    const signUp = { ...body, email: newEmail(), companyName: 'Evil' }
    expect(await other.call('POST', '/auth/signup', signUp, headers)).toMatchObject(forbidden)
    const project = await browser.call('POST', '/api/v1/projects', { name: 'x' }, headers)
    expect(project).toMatchObject(forbidden)
    const signOut = await browser.call('DELETE', '/auth/session', undefined, headers)
    expect(signOut).toMatchObject(forbidden)
  }
  expect((await browser.call('GET', '/api/v1/projects')).body.data).toHaveLength(1)
  expect((await logIn(openBrowser(), email)).status).toBe(200)
})

test('a hash of before is replaced when its password is right', async () => {
  const { email, user } = await addPerson()
  const old = hashSync(PASSWORD, { memoryCost: 8_192, timeCost: 1 })
  const hashOf = async (): Promise<string> => {
    const { rows } = await portal.pool.query('SELECT password_hash FROM users WHERE id = $1', [
      user.id,
    ])
    return rows[0].password_hash
  }
  await portal.pool.query('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, old])
  await logIn(openBrowser(), email, 'a wrong password')
  expect(await hashOf()).toBe(old)
  expect((await logIn(openBrowser(), email)).status).toBe(200)
  expect(await hashOf()).toMatch(/m=19456,t=2,p=1/)
  expect((await logIn(openBrowser(), email)).status).toBe(200)
})

test('a user without a password, or with a broken hash, is answered like anybody', async () => {
  const { email, user } = await addPerson()
  for (const hash of [null, 'broken']) {
    await portal.pool.query('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, hash])
    expect(await logIn(openBrowser(), email)).toMatchObject(WRONG)
  }
})

test('with a second factor the password alone makes no session', async () => {
  const { email, user } = await addPerson()
  await portal.pool.query('UPDATE users SET mfa_enabled = true WHERE id = $1', [user.id])
  const browser = openBrowser()
  const answer = await logIn(browser, email)
  expect(answer).toMatchObject({ status: 200, body: { mfaRequired: true } })
  expect([...browser.cookies.keys()]).toEqual(['service_mfa'])
  expect(answer.headers.getSetCookie()[0]).toMatch(/Max-Age=300; HttpOnly; SameSite=Lax; Secure/)
  browser.cookies.set('service_session', browser.cookies.get('service_mfa') ?? '')
  expect((await browser.call('GET', '/auth/session')).status).toBe(401)
  await portal.pool.query('UPDATE users SET mfa_enabled = false WHERE id = $1', [user.id])
  expect((await logIn(browser, email)).status).toBe(200)
  expect([...browser.cookies.keys()]).toEqual(['service_session'])
  await portal.pool.query('UPDATE users SET mfa_enabled = true WHERE id = $1', [user.id])
  await logIn(openBrowser(), email)
  // The right password does not give the guesses at the code back.
  for (let n = 0; n < 9; n += 1) await logIn(openBrowser(), email)
  expect(await logIn(openBrowser(), email)).toMatchObject(LOCKED)
})

test('where the company signs in by its identity provider, a password does not', async () => {
  const { email, user, client } = await addPerson({ email: `ada.${process.pid}@corp.example` })
  await portal.pool.query(
    `INSERT INTO sso_connections (tenant_id, id, type, name, slug, domains, enforced, config)
      VALUES ($1, gen_random_uuid(), 'oidc', 'Corp', 'corp', '{corp.example}', true, '{}')`,
    [client.id],
  )
  // A connection does not speak for a domain that its workspace has not proved.
  const stranger = await addPerson({ email: `bob.${process.pid}@corp.example` })
  for (const each of [email, stranger.email])
    expect((await logIn(openBrowser(), each)).status).toBe(200)
  await portal.pool.query(
    `INSERT INTO sso_domains (tenant_id, id, domain, proof, verified_at)
      VALUES ($1, gen_random_uuid(), 'corp.example', 'x', now())`,
    [client.id],
  )
  for (const each of [email, stranger.email]) {
    expect(await logIn(openBrowser(), each)).toMatchObject({
      status: 403,
      body: { code: 'SSO_REQUIRED' },
    })
  }
  expect(await logIn(openBrowser(), email, 'a wrong password')).toMatchObject(WRONG)
  await portal.pool.query(
    'UPDATE sso_connections SET break_glass_user_id = $2 WHERE tenant_id = $1',
    [client.id, user.id],
  )
  expect((await logIn(openBrowser(), email)).status).toBe(200)
})

test('somebody who is no active member of any workspace is not let in', async () => {
  const { email, user } = await addPerson()
  await portal.pool.query(`UPDATE memberships SET status = 'deactivated' WHERE user_id = $1`, [
    user.id,
  ])
  const browser = openBrowser()
  expect(await logIn(browser, email)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(browser.cookies.size).toBe(0)
})
