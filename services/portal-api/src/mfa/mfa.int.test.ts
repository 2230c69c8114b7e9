import { expect, test } from '@jest/globals'
import { authEvents, logIn, mailsTo, openBrowser, PASSWORD } from '../auth/auth.fixture.ts'
import { portal, tenant, usePortal } from '../portal.fixture.ts'
import { addPersonWithMfa, codeOf, forgetStep, pendingBrowser, wrongCodeOf } from './mfa.fixture.ts'

usePortal('for-all-tests')

const REFUSED = { status: 401, body: { code: 'UNAUTHORIZED' } }

test('the password alone makes no session; the code ends the login', async () => {
  const { email, secret, user, client } = await addPersonWithMfa()
  const browser = openBrowser()
  const first = await logIn(browser, email)
  expect(first).toMatchObject({ status: 200, body: { mfaRequired: true } })
  const cookie = first.headers.getSetCookie().join()
  expect(cookie).toMatch(/^service_mfa=[\w-]{43}; .*Max-Age=300; HttpOnly; SameSite=Lax; Secure$/)
  expect(browser.cookies.has('service_session')).toBe(false)
  expect(await browser.call('GET', '/auth/session')).toMatchObject(REFUSED)
  const pending = browser.cookies.get('service_mfa') ?? ''
  const asSession = { Cookie: `service_session=${pending}` }
  expect(await openBrowser().call('GET', '/auth/session', undefined, asSession)).toMatchObject(
    REFUSED,
  )

  const done = await browser.call('POST', '/auth/mfa/verify', { code: codeOf(secret) })
  expect(done).toMatchObject({
    status: 200,
    body: { user: { id: user.id, mfaEnabled: true }, client: { id: client.id }, role: 'admin' },
  })
  expect([...browser.cookies.keys()]).toEqual(['service_session'])
  expect((await browser.call('GET', '/auth/session')).status).toBe(200)
  expect(await authEvents(email)).toEqual(
    expect.arrayContaining(['mfa.enroll.success', 'mfa.verify.success']),
  )
  expect((await mailsTo(email))[0]).toMatchObject({ kind: 'mfa_changed' })
})

test('row 12: a code is taken once, also two at once, and an older one never', async () => {
  const { email, secret, browser } = await addPersonWithMfa()
  const pending = await Promise.all([pendingBrowser(email), pendingBrowser(email)])
  const code = codeOf(secret)
  const answers = await Promise.all(
    pending.map((one) => one.call('POST', '/auth/mfa/verify', { code })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  const next = await pendingBrowser(email)
  for (const late of [code, codeOf(secret, 30), codeOf(secret, 90)]) {
    expect(await next.call('POST', '/auth/mfa/verify', { code: late })).toMatchObject(REFUSED)
  }
  await forgetStep(browser)
  const old = { code: codeOf(secret, 90) }
  expect(await next.call('POST', '/auth/mfa/verify', old)).toMatchObject(REFUSED)
  // A wrong code leaves the login pending.
  expect((await next.call('POST', '/auth/mfa/verify', { code: codeOf(secret) })).status).toBe(200)
})

test('one pending login makes one session, also with two right factors at once', async () => {
  const { email, secret, recoveryCodes } = await addPersonWithMfa()
  const browser = await pendingBrowser(email)
  const headers = { Cookie: `service_mfa=${browser.cookies.get('service_mfa')}` }
  const answers = await Promise.all(
    [{ code: codeOf(secret) }, { recoveryCode: recoveryCodes[0] }].map((body) =>
      openBrowser().call('POST', '/auth/mfa/verify', body, headers),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

test('row 12: eleven guesses lock the address, for the right code and the password too', async () => {
  const { email, secret, browser } = await addPersonWithMfa()
  const pending = await pendingBrowser(email)
  const code = wrongCodeOf(secret)
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) {
    statuses.push((await pending.call('POST', '/auth/mfa/verify', { code })).status)
  }
  // The password of the pending login was a guess too.
  expect(statuses).toEqual([...Array(9).fill(401), 429, 429])
  const locked = { status: 429, body: { code: 'RATE_LIMITED' } }
  const right = await pending.call('POST', '/auth/mfa/verify', { code: codeOf(secret) })
  expect(right).toMatchObject(locked)
  expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(await logIn(openBrowser(), email)).toMatchObject(locked)
  // Sessions go on.
  expect((await browser.call('GET', '/auth/session')).status).toBe(200)
  expect((await authEvents(email)).filter((event) => event === 'mfa.verify.fail')).toHaveLength(9)
})

test('a recovery code is taken once, however it is typed, also two at once', async () => {
  const { email, recoveryCodes } = await addPersonWithMfa()
  expect(new Set(recoveryCodes).size).toBe(10)
  const [first = '', second = ''] = recoveryCodes
  const typed = { recoveryCode: ` ${first.toUpperCase().replace('-', ' ')}` }
  const pending = await Promise.all([pendingBrowser(email), pendingBrowser(email)])
  const answers = await Promise.all(
    pending.map((one) => one.call('POST', '/auth/mfa/verify', typed)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  const next = await pendingBrowser(email)
  expect(await next.call('POST', '/auth/mfa/verify', typed)).toMatchObject(REFUSED)
  expect((await next.call('POST', '/auth/mfa/verify', { recoveryCode: second })).status).toBe(200)
  expect(await authEvents(email)).toEqual(
    expect.arrayContaining(['mfa.recovery.success', 'mfa.recovery.fail']),
  )
})

test('new recovery codes void the old ones and need a code', async () => {
  const { email, secret, recoveryCodes, browser } = await addPersonWithMfa()
  const wrong = await browser.call('POST', '/auth/mfa/recovery-codes', {
    code: wrongCodeOf(secret),
  })
  expect(wrong).toMatchObject(REFUSED)
  const { body } = await browser.call('POST', '/auth/mfa/recovery-codes', { code: codeOf(secret) })
  expect(body.recoveryCodes).toHaveLength(10)
  const pending = await pendingBrowser(email)
  const old = await pending.call('POST', '/auth/mfa/verify', { recoveryCode: recoveryCodes[0] })
  expect(old).toMatchObject(REFUSED)
  const fresh = { recoveryCode: body.recoveryCodes[0] }
  expect((await pending.call('POST', '/auth/mfa/verify', fresh)).status).toBe(200)
})

test('it is turned off by the password, and can be set up again', async () => {
  const { email, browser } = await addPersonWithMfa()
  const state = { status: 409, body: { code: 'INVALID_STATE' } }
  expect(await browser.call('POST', '/auth/mfa/enroll')).toMatchObject(state)
  const wrong = await browser.call('DELETE', '/auth/mfa', { password: 'not the password' })
  expect(wrong).toMatchObject(REFUSED)
  expect((await browser.call('DELETE', '/auth/mfa', { password: PASSWORD })).status).toBe(204)
  expect(await browser.call('DELETE', '/auth/mfa', { password: PASSWORD })).toMatchObject(state)
  expect((await logIn(openBrowser(), email)).body.user).toMatchObject({ mfaEnabled: false })
  const { rows } = await portal.pool.query(
    `SELECT u.totp_secret, count(c.*)::int AS codes FROM users u
      LEFT JOIN recovery_codes c ON c.user_id = u.id WHERE u.email = $1 GROUP BY u.id`,
    [email],
  )
  expect(rows).toEqual([{ totp_secret: null, codes: 0 }])
  expect((await browser.call('POST', '/auth/mfa/enroll')).status).toBe(200)
})

test('a secret counts once a code of it was given', async () => {
  const { browser, email, secret } = await addPersonWithMfa()
  await browser.call('DELETE', '/auth/mfa', { password: PASSWORD })
  const { body } = await browser.call('POST', '/auth/mfa/enroll')
  expect(body.otpauthUrl).toContain(body.secret)
  // The secret of before is no more, and the new one asks for nothing yet.
  const before = await browser.call('POST', '/auth/mfa/activate', { code: codeOf(secret) })
  expect(before).toMatchObject(REFUSED)
  expect((await logIn(openBrowser(), email)).body.mfaRequired).toBeUndefined()
})

test('secrets are sealed and codes are hashed', async () => {
  const { secret, recoveryCodes, email } = await addPersonWithMfa()
  const { rows } = await portal.pool.query(
    `SELECT row_to_json(u)::text || coalesce(string_agg(c.code_hash::text, ''), '') AS text
      FROM users u LEFT JOIN recovery_codes c ON c.user_id = u.id WHERE u.email = $1 GROUP BY u.id`,
    [email],
  )
  for (const hidden of [
    secret,
    ...recoveryCodes,
    Buffer.from(recoveryCodes[0] ?? '').toString('hex'),
  ])
    expect(rows[0].text).not.toContain(hidden)
})

test('a session of an API key has no second factor', async () => {
  const browser = openBrowser()
  await browser.call('POST', '/auth/session', { apiKey: tenant.key })
  expect(await browser.call('POST', '/auth/mfa/enroll')).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
})
