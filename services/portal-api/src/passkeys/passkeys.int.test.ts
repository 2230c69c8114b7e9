import { expect, test } from '@jest/globals'
import {
  addPerson,
  authEvents,
  type Browser,
  logIn,
  openBrowser,
  type Person,
  tokenOf,
} from '../auth/auth.fixture.ts'
import { type ApiResponse, portal, PUBLIC_URL, usePortal } from '../portal.fixture.ts'
import { addPersonWithMfa, pendingBrowser } from '../mfa/mfa.fixture.ts'
import { type Ceremony, createSoftPasskey, type SoftPasskey } from './authenticator.fixture.ts'

usePortal('for-all-tests')

const SITE = { origin: PUBLIC_URL, rpId: new URL(PUBLIC_URL).hostname }
const REFUSED = { status: 401, body: { code: 'UNAUTHORIZED' } }

async function register(browser: Browser, name = 'Laptop'): Promise<SoftPasskey> {
  const soft = createSoftPasskey()
  const { body: options } = await browser.call('POST', '/auth/passkeys/options')
  const response = soft.attest({ ...SITE, challenge: options.challenge })
  const answer = await browser.call('POST', '/auth/passkeys', { name, response })
  if (answer.status !== 201) throw new Error(answer.text)
  return soft
}

async function signIn(
  soft: SoftPasskey,
  browser: Browser,
  bent: Partial<Ceremony> = {},
): Promise<ApiResponse> {
  const { body: options } = await browser.call('POST', '/auth/passkeys/login/options')
  const response = soft.assert({ ...SITE, challenge: options.challenge, ...bent })
  return await browser.call('POST', '/auth/passkeys/login', { response })
}

test('a passkey is added, listed, used to sign in, and removed', async () => {
  const { browser, email, user } = await addPerson()
  const { body: options } = await browser.call('POST', '/auth/passkeys/options')
  expect(options).toMatchObject({
    rp: { id: SITE.rpId, name: 'Service' },
    user: {
      id: Buffer.from(user.id.replaceAll('-', ''), 'hex').toString('base64url'),
      name: email,
    },
    attestation: 'none',
    excludeCredentials: [],
  })
  const soft = await register(browser)
  const { body: next } = await browser.call('POST', '/auth/passkeys/options')
  expect(next.excludeCredentials).toEqual([
    { id: soft.id, type: 'public-key', transports: ['internal'] },
  ])

  const stranger = openBrowser()
  const signedIn = await signIn(soft, stranger, { userHandle: options.user.id })
  expect(signedIn).toMatchObject({ status: 200, body: { user: { id: user.id }, role: 'admin' } })
  expect((await stranger.call('GET', '/auth/session')).body.user.email).toBe(email)
  expect(await authEvents(email)).toEqual(
    expect.arrayContaining(['passkey.register.success', 'passkey.login.success']),
  )
  const { body: list } = await browser.call('GET', '/auth/passkeys')
  expect(list.data).toEqual([
    {
      id: expect.any(String),
      name: 'Laptop',
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: expect.stringMatching(/Z$/),
    },
  ])
  const path = `/auth/passkeys/${list.data[0].id}`
  expect((await (await addPerson()).browser.call('DELETE', path)).status).toBe(404)
  expect((await browser.call('DELETE', path)).status).toBe(204)
  expect(await signIn(soft, openBrowser())).toMatchObject(REFUSED)
})

test('it is two factors in one: no code is asked for', async () => {
  const { browser } = await addPersonWithMfa()
  const soft = await register(browser)
  expect((await signIn(soft, openBrowser())).body.user.mfaEnabled).toBe(true)
  // Without a PIN or a finger it is one factor.
  expect(await signIn(soft, openBrowser(), { userVerified: false })).toMatchObject(REFUSED)
})

test('it ends a login that waits for its second factor, where a touch is enough', async () => {
  const { browser, email, user } = await addPersonWithMfa()
  const soft = await register(browser)
  const pending = await pendingBrowser(email)
  const { body: options } = await pending.call('POST', '/auth/mfa/passkey/options')
  expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([soft.id])
  const response = soft.assert({ ...SITE, challenge: options.challenge, userVerified: false })
  const done = await pending.call('POST', '/auth/mfa/passkey/verify', { response })
  expect(done).toMatchObject({ status: 200, body: { user: { id: user.id } } })
  expect([...pending.cookies.keys()]).toEqual(['service_session'])
})

test("another's passkey, or another challenge, is no second factor", async () => {
  const owner = await addPersonWithMfa()
  await register(owner.browser)
  const thief = await addPerson()
  const stolen = await register(thief.browser)
  const pending = await pendingBrowser(owner.email)
  const attempt = async (options: ApiResponse): Promise<ApiResponse> => {
    const response = stolen.assert({ ...SITE, challenge: options.body.challenge })
    return await pending.call('POST', '/auth/mfa/passkey/verify', { response })
  }
  expect(await attempt(await pending.call('POST', '/auth/mfa/passkey/options'))).toMatchObject(
    REFUSED,
  )
  expect(await attempt(await pending.call('POST', '/auth/passkeys/login/options'))).toMatchObject(
    REFUSED,
  )
  expect((await openBrowser().call('POST', '/auth/mfa/passkey/options')).body.code).toBe(
    'INVALID_STATE',
  )
})

test('a challenge of a second factor signs nobody in by itself', async () => {
  const { browser, email } = await addPersonWithMfa()
  const soft = await register(browser)
  const pending = await pendingBrowser(email)
  const { body } = await pending.call('POST', '/auth/mfa/passkey/options')
  const response = soft.assert({ ...SITE, challenge: body.challenge })
  expect(await openBrowser().call('POST', '/auth/passkeys/login', { response })).toMatchObject(
    REFUSED,
  )
})

test('a signature counts once, also two at once', async () => {
  const { browser } = await addPerson()
  const soft = await register(browser)
  const { body } = await browser.call('POST', '/auth/passkeys/login/options')
  const response = soft.assert({ ...SITE, challenge: body.challenge })
  const answers = await Promise.all(
    [1, 2, 3].map(() => openBrowser().call('POST', '/auth/passkeys/login', { response })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
})

const BENT: [string, Partial<Ceremony>][] = [
  ['of another site', { origin: 'https://evil.example' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['of a challenge that nobody asked for', { challenge: 'A'.repeat(43) }],
  ['whose counter goes back', { counter: 1 }],
  ['with the handle of another person', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['of the type of a registration', { type: 'webauthn.create' }],
]
test.each(BENT)('a signature %s is refused', async (_, bent) => {
  const { browser } = await addPerson()
  const soft = await register(browser)
  expect(await signIn(soft, openBrowser(), bent)).toMatchObject(REFUSED)
})

test('a registration needs a challenge of the same person, once', async () => {
  const [ann, bob]: Person[] = await Promise.all([addPerson(), addPerson()])
  const { body } = await (ann as Person).browser.call('POST', '/auth/passkeys/options')
  const response = createSoftPasskey().attest({ ...SITE, challenge: body.challenge })
  const registration = { name: 'K', response }
  expect(await bob?.browser.call('POST', '/auth/passkeys', registration)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_TOKEN' },
  })
  // Whoever presents a challenge uses it up.
  expect(await ann?.browser.call('POST', '/auth/passkeys', registration)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_TOKEN' },
  })
})

test('a passkey belongs to one person, and a person has at most 20', async () => {
  const { browser, user } = await addPerson()
  const soft = await register(browser)
  const other = (await addPerson()).browser
  const { body } = await other.call('POST', '/auth/passkeys/options')
  const response = soft.attest({ ...SITE, challenge: body.challenge })
  expect(await other.call('POST', '/auth/passkeys', { name: 'mine', response })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  })
  await portal.pool.query(
    `INSERT INTO passkeys (credential_id, id, user_id, public_key, counter, name)
      SELECT sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), $1, '', 0, 'k'
      FROM generate_series(1, 19)`,
    [user.id],
  )
  expect((await browser.call('POST', '/auth/passkeys/options')).body.code).toBe('INVALID_STATE')
})

test('where a company wants its own sign-in, a passkey does not get around it', async () => {
  const { browser, user, client } = await addPerson({ email: `ann${process.pid}@sso.example` })
  const soft = await register(browser)
  await portal.pool.query(
    `INSERT INTO sso_connections (tenant_id, id, type, name, slug, domains, enforced, config)
      VALUES ($1, gen_random_uuid(), 'oidc', 'C', 'c', '{sso.example}', true, '{}')`,
    [client.id],
  )
  await portal.pool.query(
    `INSERT INTO sso_domains (tenant_id, id, domain, proof, verified_at)
      VALUES ($1, gen_random_uuid(), 'sso.example', 'p', now())`,
    [client.id],
  )
  const refused = { status: 403, body: { code: 'SSO_REQUIRED' } }
  expect(await signIn(soft, openBrowser())).toMatchObject(refused)
  const email = `bob${process.pid}@sso.example`
  await browser.call('POST', '/api/v1/team/invite', { email, role: 'viewer' })
  const token = await tokenOf(email, 'invite')
  const invited = { token, name: 'Bob', password: 'a much longer password' }
  expect(await openBrowser().call('POST', '/auth/accept-invite', invited)).toMatchObject(refused)
  // The one who is named for the day on which the provider is down.
  await portal.pool.query('UPDATE sso_connections SET break_glass_user_id = $1', [user.id])
  expect((await signIn(soft, openBrowser())).status).toBe(200)
})

test('a member who is no longer one is not signed in', async () => {
  const { browser, user, email } = await addPerson()
  const soft = await register(browser)
  await portal.pool.query(`UPDATE memberships SET status = 'deactivated' WHERE user_id = $1`, [
    user.id,
  ])
  expect((await signIn(soft, openBrowser())).status).toBe(403)
  expect((await logIn(openBrowser(), email)).status).toBe(403)
})
