import { expect, test } from '@jest/globals'
import { PUBLIC_URL } from '../portal.fixture.ts'
import { loginErrorPath } from './return-path.ts'
import {
  addPerson,
  browser,
  callWith,
  membersOf,
  newEmail,
  peer,
  portal,
  proveDomain,
  signedInAs,
  TRUSTED,
  useSso,
} from './sso.fixture.ts'

useSso()

const LOGIN = '/auth/sso/oidc/login'
const endsAt = (path: string): URL => new URL(path, PUBLIC_URL)

/** Somebody at the provider. */
function accountOf(email: string, more: { verified?: boolean; sub?: string } = {}): void {
  const { verified = true, sub = `sub-of-${email}` } = more
  peer.account = { sub, email, email_verified: verified, name: 'Ann' }
}

test('the providers are listed with where their buttons lead', async () => {
  const { status, body } = await callWith('', 'GET', '/auth/providers')
  expect(status).toBe(200)
  const loginUrl = `${PUBLIC_URL}/auth/sso/oidc/login`
  expect(body).toEqual({ providers: [{ id: 'oidc', name: 'Our own', loginUrl }] })
})

test('a verified user comes in, with a code, PKCE, state, nonce and iss', async () => {
  const person = await addPerson()
  accountOf(person.email)
  const one = browser()
  const asked: URLSearchParams[] = []
  peer.tamperAuthorization = (parameters) => void asked.push(new URLSearchParams(parameters))
  const callback = await one.goToCallback(`${LOGIN}?return=/endpoints%3Fa=1`)
  expect(Object.fromEntries(asked[0] as URLSearchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(callback.searchParams.get('iss')).toBe(peer.issuer)
  expect(await one.go(callback.href)).toEqual(endsAt('/endpoints?a=1'))
  expect(await signedInAs(one)).toEqual({ userId: person.id, tenantId: person.tenantId })
  expect([...one.cookies.keys()]).toEqual(['service_session'])
  // The second time they are known by the identity, whatever their address has become there.
  accountOf(newEmail(), { sub: `sub-of-${person.email}`, verified: false })
  const again = browser()
  await again.go(LOGIN)
  expect(await signedInAs(again)).toMatchObject({ userId: person.id })
})

test("the session's cookie and the flow's", async () => {
  const person = await addPerson()
  accountOf(person.email)
  const response = await fetch(`${portal.url}${LOGIN}`, { redirect: 'manual' })
  expect(response.status).toBe(303)
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^service_sso=[\w-]{43}; Path=\/auth\/sso; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ])
})

test('14: a callback without state, of another browser, used twice or too old makes no session', async () => {
  const person = await addPerson()
  accountOf(person.email)
  const expired = endsAt(loginErrorPath('flow_expired'))

  const victim = browser()
  const callback = await victim.goToCallback(LOGIN)
  const withoutState = new URL(callback)
  withoutState.searchParams.delete('state')
  expect(await victim.go(withoutState.href)).toEqual(expired)
  const otherState = new URL(callback)
  otherState.searchParams.set('state', 'a'.repeat(43))
  expect(await victim.go(otherState.href)).toEqual(expired)
  // Who is handed somebody's callback has no cookie of the flow, or one of a flow of their own.
  const attacker = browser()
  expect(await attacker.go(callback.href)).toEqual(expired)
  await attacker.goToCallback(LOGIN)
  expect(await attacker.go(callback.href)).toEqual(expired)
  for (const one of [victim, attacker]) expect(await signedInAs(one)).toBeNull()
  // None of that has used the flow up; it can be used once.
  const cookie = victim.cookies.get('service_sso') as string
  expect(await victim.go(callback.href)).toEqual(endsAt('/'))
  const repeated = browser()
  repeated.cookies.set('service_sso', cookie)
  expect(await repeated.go(callback.href)).toEqual(expired)
  expect(await signedInAs(repeated)).toBeNull()

  const late = browser()
  const lateCallback = await late.goToCallback(LOGIN)
  await portal.pool.query(`UPDATE sso_flows SET expires_at = now() - interval '1 s'`)
  expect(await late.go(lateCallback.href)).toEqual(expired)
  expect(await signedInAs(late)).toBeNull()
})

test('14: of three callbacks at once one makes a session', async () => {
  const person = await addPerson()
  accountOf(person.email)
  const one = browser()
  const callback = await one.goToCallback(LOGIN)
  const flow = one.cookies.get('service_sso') as string
  const browsers = [1, 2, 3].map(() => browser())
  for (const each of browsers) each.cookies.set('service_sso', flow)
  await Promise.all(browsers.map((each) => each.go(callback.href)))
  const sessions = await Promise.all(browsers.map(signedInAs))
  expect(sessions.filter((session) => session !== null)).toHaveLength(1)
})

test('14: a code that was used, with a flow of its own, makes no session', async () => {
  const person = await addPerson()
  accountOf(person.email)
  const first = browser()
  const used = await first.goToCallback(LOGIN)
  await first.go(used.href)
  const second = browser()
  const callback = await second.goToCallback(LOGIN)
  callback.searchParams.set('code', used.searchParams.get('code') as string)
  expect(await second.go(callback.href)).toEqual(endsAt(loginErrorPath('provider_error')))
  expect(await signedInAs(second)).toBeNull()
})

test.each<[string, (callback: URL) => void]>([
  [
    'iss of another issuer (mix-up)',
    ({ searchParams }) => searchParams.set('iss', 'https://evil.example'),
  ],
  ['no iss', ({ searchParams }) => searchParams.delete('iss')],
  ['no code', ({ searchParams }) => searchParams.delete('code')],
])('section 3: %s is refused', async (_name, change) => {
  const person = await addPerson()
  accountOf(person.email)
  const one = browser()
  const callback = await one.goToCallback(LOGIN)
  change(callback)
  expect(await one.go(callback.href)).toEqual(endsAt(loginErrorPath('provider_error')))
  expect(await signedInAs(one)).toBeNull()
})

test.each<[string, (parameters: URLSearchParams) => void]>([
  ['nonce', (parameters) => parameters.set('nonce', 'another')],
  ['PKCE challenge', (parameters) => parameters.set('code_challenge', 'A'.repeat(43))],
])('section 3: a wrong %s is refused', async (_name, tamper) => {
  const person = await addPerson()
  accountOf(person.email)
  peer.tamperAuthorization = tamper
  const one = browser()
  expect(await one.go(LOGIN)).toEqual(endsAt(loginErrorPath('provider_error')))
  expect(await signedInAs(one)).toBeNull()
})

test.each<[string, (token: string) => string | undefined]>([
  ['whose claims were changed', (token) => withClaims(token, { sub: 'somebody-else' })],
  ['whose signature is cut off', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
  ['that claims to need no signature', (token) => withHeader(token, { alg: 'none' })],
  ['that is missing', () => undefined],
])('section 3: an ID token %s is refused', async (_name, change) => {
  const person = await addPerson()
  accountOf(person.email)
  peer.tamperTokens = (answer) => {
    if (typeof answer['id_token'] === 'string') answer['id_token'] = change(answer['id_token'])
  }
  const one = browser()
  expect(await one.go(LOGIN)).toEqual(endsAt(loginErrorPath('provider_error')))
  expect(await signedInAs(one)).toBeNull()
})

function withClaims(token: string, claims: object): string {
  const [header, payload = '', signature] = token.split('.')
  return [header, changed(payload, claims), signature].join('.')
}

function withHeader(token: string, header: object): string {
  const [before = '', payload] = token.split('.')
  return [changed(before, header), payload, ''].join('.')
}

function changed(part: string, fields: object): string {
  const before = JSON.parse(Buffer.from(part, 'base64url').toString()) as object
  return Buffer.from(JSON.stringify({ ...before, ...fields })).toString('base64url')
}

test('15: an address that the provider has not verified links nobody', async () => {
  const person = await addPerson()
  accountOf(person.email, { verified: false })
  const one = browser()
  expect(await one.go(LOGIN)).toEqual(endsAt(loginErrorPath('email_not_verified')))
  expect(await signedInAs(one)).toBeNull()
  const { rows } = await portal.pool.query('SELECT FROM sso_identities WHERE user_id = $1', [
    person.id,
  ])
  expect(rows).toEqual([])
})

test('16: who signed up as somebody else is out once the owner comes by single sign-on', async () => {
  const email = newEmail()
  const person = await addPerson({ email, verified: false, mfa: true })
  const { id, tenantId } = person
  await portal.database.userSession.create({
    data: {
      id,
      tokenHash: new Uint8Array(32).fill(1),
      tenantId,
      userId: id,
      expiresAt: new Date(Date.now() + 60_000),
    },
  })
  await portal.database.recoveryCode.create({
    data: { userId: id, codeHash: new Uint8Array(32).fill(2) },
  })
  await portal.database.oneTimeToken.create({
    data: {
      tokenHash: new Uint8Array(32).fill(3),
      purpose: 'reset_password',
      userId: id,
      expiresAt: new Date(Date.now() + 60_000),
    },
  })
  accountOf(email)
  const owner = browser()
  expect(await owner.go(LOGIN)).toEqual(endsAt('/'))
  expect(await signedInAs(owner)).toEqual({ userId: id, tenantId })
  const user = await portal.database.user.findUniqueOrThrow({ where: { id } })
  expect(user).toMatchObject({ passwordHash: null, mfaEnabled: false, totpSecret: null })
  expect(user.emailVerifiedAt).not.toBeNull()
  const of = { where: { userId: id } }
  expect(await portal.database.userSession.count(of)).toBe(1)
  expect(await portal.database.recoveryCode.count(of)).toBe(0)
  expect(await portal.database.oneTimeToken.count(of)).toBe(0)
  expect(portal.changes).toContainEqual({ v: 1, tenantId, what: 'sessions' })
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example'])(
  '17: return=%s stays on our own origin',
  async (text) => {
    const person = await addPerson()
    accountOf(person.email)
    const one = browser()
    expect(await one.go(`${LOGIN}?return=${encodeURIComponent(text)}`)).toEqual(endsAt('/'))
    expect(await signedInAs(one)).not.toBeNull()
  },
)

test('a stranger has no account, unless the domain is proved or trusted', async () => {
  accountOf(newEmail())
  const stranger = browser()
  expect(await stranger.go(LOGIN)).toEqual(endsAt(loginErrorPath('no_account')))
  expect(await signedInAs(stranger)).toBeNull()

  const admin = await addPerson()
  const domain = `${admin.id}.example`
  await proveDomain(admin, domain)
  const email = newEmail(domain)
  accountOf(email)
  const colleague = browser()
  expect(await colleague.go(LOGIN)).toEqual(endsAt('/'))
  expect(await signedInAs(colleague)).toMatchObject({ tenantId: admin.tenantId })
  expect(await membersOf(admin.tenantId)).toContainEqual({ email, role: 'viewer', source: 'sso' })

  const trusted = newEmail(TRUSTED)
  accountOf(trusted)
  const employee = browser()
  expect(await employee.go(LOGIN)).toEqual(endsAt('/'))
  const { rows } = await portal.pool.query<{ id: string }>(
    'SELECT id FROM tenants ORDER BY created_at, id LIMIT 1',
  )
  expect(await signedInAs(employee)).toMatchObject({ tenantId: rows[0]?.id })
})

test('two first sign-ins of one person at once make one user', async () => {
  const admin = await addPerson()
  const domain = `${admin.id}.example`
  await proveDomain(admin, domain)
  const email = newEmail(domain)
  accountOf(email)
  const browsers = [browser(), browser(), browser()]
  const callbacks = await Promise.all(browsers.map((one) => one.goToCallback(LOGIN)))
  const ends = await Promise.all(
    browsers.map((one, index) => one.go((callbacks[index] as URL).href)),
  )
  expect(ends).toEqual(browsers.map(() => endsAt('/')))
  const users = (await Promise.all(browsers.map(signedInAs))).map((session) => session?.userId)
  expect(new Set(users).size).toBe(1)
  expect(await membersOf(admin.tenantId)).toHaveLength(2)
})

test("a user's own second factor is still asked for", async () => {
  const person = await addPerson({ mfa: true })
  accountOf(person.email)
  const one = browser()
  expect(await one.go(`${LOGIN}?return=/endpoints`)).toEqual(
    endsAt('/login?mfa=required&return=%2Fendpoints'),
  )
  expect(await signedInAs(one)).toBeNull()
  expect([...one.cookies.keys()]).toEqual(['service_mfa'])
})

test('whoever says no at the provider, or has it fail, is told so', async () => {
  for (const [error, code] of [
    ['access_denied', 'access_denied'],
    ['server_error', 'provider_error'],
  ] as const) {
    const one = browser()
    const callback = await one.goToCallback(LOGIN)
    callback.searchParams.delete('code')
    callback.searchParams.set('error', error)
    expect(await one.go(callback.href)).toEqual(endsAt(loginErrorPath(code)))
  }
  const unknown = endsAt(loginErrorPath('unknown_provider'))
  for (const provider of ['nobody', '0190f5d2-0000-7000-8000-000000000000']) {
    expect(await browser().go(`/auth/sso/${provider}/login`)).toEqual(unknown)
    expect(await browser().go(`/auth/sso/${provider}/callback?code=a&state=b`)).toEqual(unknown)
  }
})

test('what happened is in the audit of sign-ins', async () => {
  const person = await addPerson()
  accountOf(person.email)
  await browser().go(LOGIN)
  const { rows } = await portal.pool.query(
    'SELECT event, subject, metadata FROM auth_audit_logs WHERE tenant_id = $1',
    [person.tenantId],
  )
  expect(rows).toEqual([
    { event: 'sso.login.success', subject: person.email, metadata: { connection: 'oidc' } },
  ])
})
