import { expect, test } from '@jest/globals'
import { PUBLIC_URL, type Json } from '../portal.fixture.ts'
import { loginErrorPath } from './return-path.ts'
import {
  addPerson,
  browser,
  callAsPerson,
  callWith,
  membersOf,
  newEmail,
  peer,
  type Person,
  portal,
  proveDomain,
  setPlan,
  signedInAs,
  TRUSTED,
  txtRecords,
  useSso,
} from './sso.fixture.ts'
import { createSsoRequiredFor } from './sso-required.ts'

useSso()

const CONNECTIONS = '/api/v1/sso/connections'
const DOMAINS = '/api/v1/sso/domains'
const endsAt = (path: string): URL => new URL(path, PUBLIC_URL)

function ownOidc(more: object = {}): object {
  const { issuer, clientId, clientSecret } = peer
  return { type: 'oidc', name: 'Our Own', oidc: { issuer, clientId, clientSecret }, ...more }
}

async function connect(person: Person, more: object = {}): Promise<Json> {
  const call = await callAsPerson(person)
  const { status, body } = await call('POST', CONNECTIONS, ownOidc(more))
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

async function adminOf(domain: string): Promise<Person> {
  const person = await addPerson({ email: newEmail(domain) })
  if (domain !== TRUSTED) await proveDomain(person, domain)
  return person
}

let domains = 0
const newDomain = (): string => `d${(domains += 1)}.example`

test('are made, read, changed and deleted; the secret is never shown', async () => {
  const person = await addPerson()
  const call = await callAsPerson(person)
  const made = await connect(person)
  const { issuer, clientId, clientSecret } = peer
  expect(made).toEqual({
    id: made.id,
    type: 'oidc',
    name: 'Our Own',
    slug: expect.stringMatching(/^our-own-[0-9a-f]{4}$/),
    domains: [],
    enforced: false,
    defaultRole: 'viewer',
    breakGlassUserId: null,
    status: 'active',
    loginUrl: `${PUBLIC_URL}/auth/sso/${made.id}/login`,
    oidc: { issuer, clientId, callbackUrl: `${PUBLIC_URL}/auth/sso/${made.id}/callback` },
    saml: null,
    createdAt: expect.any(String),
    updatedAt: made.createdAt,
  })
  const path = `${CONNECTIONS}/${made.id}`
  expect((await call('GET', path)).body).toEqual(made)
  expect((await call('GET', CONNECTIONS)).body.data).toEqual([made])
  const changes = {
    name: 'New',
    slug: 'new',
    defaultRole: 'editor',
    domains: ['A.example', 'a.example'],
  }
  const changed = await call('PATCH', path, changes)
  expect(changed.body).toMatchObject({ ...changes, domains: ['a.example'] })
  const row = await portal.database.ssoConnection.findUniqueOrThrow({ where: { id: made.id } })
  expect(JSON.stringify(row)).not.toContain(clientSecret)
  expect(changed.text).not.toContain(clientSecret)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
  expect((await call('DELETE', path)).status).toBe(404)
})

test("are nobody else's, and an admin's only", async () => {
  const person = await addPerson()
  const { id } = await connect(person)
  const { tenantId } = person
  const stranger = await callAsPerson(await addPerson())
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { name: 'mine' } : undefined
    expect((await stranger(method, `${CONNECTIONS}/${id}`, body)).status).toBe(404)
  }
  expect((await stranger('GET', CONNECTIONS)).body.data).toEqual([])
  for (const role of ['editor', 'viewer'] as const) {
    const call = await callAsPerson(await addPerson({ tenantId, role }))
    for (const path of [CONNECTIONS, DOMAINS]) {
      expect(await call('GET', path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  }
  const unverified = await callAsPerson(await addPerson({ tenantId, verified: false }))
  expect(await unverified('POST', CONNECTIONS, ownOidc())).toMatchObject({
    status: 403,
    body: { code: 'EMAIL_NOT_VERIFIED' },
  })
})

test('19: need the plan: sso for both, saml for SAML', async () => {
  const saml = {
    type: 'saml',
    name: 'S',
    saml: {
      idpEntityId: 'https://idp.example',
      idpSsoUrl: 'https://idp.example/sso',
      idpCertificates: ['x'],
    },
  }
  const starter = await callAsPerson(await addPerson({ plan: 'starter' }))
  const refused = { status: 403, body: { code: 'PLAN_REQUIRED' } }
  expect(await starter('POST', CONNECTIONS, ownOidc())).toMatchObject(refused)
  const growth = await callAsPerson(await addPerson({ plan: 'growth' }))
  expect((await growth('POST', CONNECTIONS, ownOidc())).status).toBe(201)
  expect(await growth('POST', CONNECTIONS, saml)).toMatchObject({
    ...refused,
    body: { ...refused.body, details: { plan: 'scale', feature: 'saml' } },
  })
})

test('are checked', async () => {
  const person = await addPerson()
  const call = await callAsPerson(person)
  const { issuer, clientId, clientSecret } = peer
  const at = (url: string): object => ({ oidc: { issuer: url, clientId, clientSecret } })
  for (const [body, code] of [
    [at('http://idp.example'), 'BAD_REQUEST'],
    [at('https://idp.example/?a=b'), 'BAD_REQUEST'],
    [at('https://login.microsoftonline.com/common/v2.0'), 'BAD_REQUEST'],
    [at('https://login.microsoftonline.com/organizations/v2.0'), 'BAD_REQUEST'],
    [at('https://169.254.169.254/'), 'DESTINATION_BLOCKED'],
    [at('http://10.0.0.1/'), 'DESTINATION_BLOCKED'],
    [{ oidc: undefined }, 'BAD_REQUEST'],
    [{ saml: {} }, 'BAD_REQUEST'],
    [{ slug: 'No Slug' }, 'BAD_REQUEST'],
    [{ domains: ['localhost'] }, 'BAD_REQUEST'],
    [{ breakGlassUserId: person.tenantId }, 'INVALID_STATE'],
    [{ enforced: true }, 'INVALID_STATE'],
    [{ enforced: true, domains: ['not-proved.example'] }, 'INVALID_STATE'],
  ] as const) {
    expect((await call('POST', CONNECTIONS, ownOidc(body))).body).toMatchObject({ code })
  }
  const made = await connect(person, { slug: 'one' })
  const again = await call('POST', CONNECTIONS, ownOidc({ slug: 'one' }))
  expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  // The secret that was given for one issuer is not sent to another.
  const moved = { oidc: { issuer: 'https://evil.example' } }
  expect((await call('PATCH', `${CONNECTIONS}/${made.id}`, moved)).status).toBe(400)
  const known = await call('PATCH', `${CONNECTIONS}/${made.id}`, {
    oidc: { issuer, clientId: 'b' },
  })
  expect(known.body.oidc).toMatchObject({ issuer, clientId: 'b' })
})

test('a domain is proved by its TXT record, and belongs to whoever has proved it', async () => {
  const domain = newDomain()
  const [first, second] = [
    await callAsPerson(await addPerson()),
    await callAsPerson(await addPerson()),
  ]
  const mine = (await first('POST', DOMAINS, { domain: domain.toUpperCase() })).body
  expect(mine).toMatchObject({
    domain,
    status: 'pending',
    txtRecord: expect.stringMatching(/^service-domain-verification=[0-9a-f]{32}$/),
    verifiedAt: null,
  })
  expect((await first('POST', DOMAINS, { domain })).body.code).toBe('CONFLICT')
  const theirs = (await second('POST', DOMAINS, { domain })).body
  const verify = (call: typeof first, { id }: Json) => call('POST', `${DOMAINS}/${id}/verify`)
  expect((await verify(first, mine)).body.status).toBe('pending')
  txtRecords.set(domain, [['v=spf1 -all'], [theirs.txtRecord]])
  expect((await verify(first, mine)).body.status).toBe('pending')
  // A long record comes in several strings.
  txtRecords.set(domain, [
    [mine.txtRecord.slice(0, 20), mine.txtRecord.slice(20)],
    [theirs.txtRecord],
  ])
  expect((await verify(first, mine)).body).toMatchObject({ status: 'verified' })
  expect(await verify(second, theirs)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect((await second('GET', DOMAINS)).body.data).toMatchObject([
    { id: theirs.id, status: 'pending' },
  ])
  expect((await verify(second, mine)).status).toBe(404)
  expect((await second('DELETE', `${DOMAINS}/${mine.id}`)).status).toBe(404)
  expect((await first('DELETE', `${DOMAINS}/${mine.id}`)).status).toBe(204)
  expect((await verify(second, theirs)).body.status).toBe('verified')
})

test("people of a proved domain come in by their workspace's connection, and join", async () => {
  const domain = newDomain()
  const admin = await adminOf(domain)
  const { id } = await connect(admin, { domains: [domain], defaultRole: 'editor' })
  const email = newEmail(domain)
  peer.account = { sub: email, email, email_verified: true, name: 'Ben' }
  const one = browser()
  expect(await one.go(`/auth/sso/${id}/login?return=/events`)).toEqual(endsAt('/events'))
  expect(await signedInAs(one)).toMatchObject({ tenantId: admin.tenantId })
  expect(await membersOf(admin.tenantId)).toContainEqual({ email, role: 'editor', source: 'sso' })
  const { rows } = await portal.pool.query(
    'SELECT event FROM auth_audit_logs WHERE tenant_id = $1 ORDER BY id',
    [admin.tenantId],
  )
  expect(rows.map(({ event }) => event)).toEqual(['sso.login.jit', 'sso.login.success'])

  // A provider that says nothing of an address is believed for the workspace's own domain.
  const silent = newEmail(domain)
  peer.account = { sub: silent, email: silent }
  expect(await browser().go(`/auth/sso/${id}/login`)).toEqual(endsAt('/'))
  for (const [account, code] of [
    [{ email: newEmail(domain), email_verified: false }, 'email_not_verified'],
    [{ email: newEmail(), email_verified: true }, 'domain_not_proved'],
    [{}, 'email_missing'],
  ] as const) {
    peer.account = { sub: newEmail(), ...account }
    const refused = browser()
    expect(await refused.go(`/auth/sso/${id}/login`)).toEqual(endsAt(loginErrorPath(code)))
    expect(await signedInAs(refused)).toBeNull()
  }
})

test("a connection brings in nobody of another workspace's, nor a flow of another connection", async () => {
  const victim = await addPerson({ email: newEmail(TRUSTED) })
  const attacker = await addPerson()
  const { id } = await connect(attacker, { domains: [TRUSTED] })
  peer.account = { sub: victim.email, email: victim.email, email_verified: true }
  const one = browser()
  const refused = endsAt(loginErrorPath('other_workspace'))
  expect(await one.go(`/auth/sso/${id}/login`)).toEqual(refused)
  expect(await signedInAs(one)).toBeNull()
  expect(await membersOf(attacker.tenantId)).toHaveLength(1)

  const other = browser()
  const callback = await other.goToCallback('/auth/sso/oidc/login')
  const moved = callback.href.replace('/sso/oidc/', `/sso/${id}/`)
  expect(await other.go(moved)).toEqual(endsAt(loginErrorPath('flow_expired')))
  expect(await signedInAs(other)).toBeNull()
})

test('is closed once it is switched off, or the plan no longer has it', async () => {
  const domain = newDomain()
  const admin = await adminOf(domain)
  const { id } = await connect(admin, { domains: [domain] })
  const call = await callAsPerson(admin)
  const closed = endsAt(loginErrorPath('unknown_provider'))
  const login = `/auth/sso/${id}/login`
  peer.account = { sub: admin.email, email: admin.email, email_verified: true }
  expect(await browser().go(login)).toEqual(endsAt('/'))
  await setPlan(admin.tenantId, 'starter')
  expect(await browser().go(login)).toEqual(closed)
  await setPlan(admin.tenantId, 'growth')
  expect(await browser().go(login)).toEqual(endsAt('/'))
  await call('PATCH', `${CONNECTIONS}/${id}`, { status: 'inactive' })
  expect(await browser().go(login)).toEqual(closed)
})

test('13: discovery answers by the domain alone', async () => {
  const domain = newDomain()
  const admin = await adminOf(domain)
  const { id } = await connect(admin, { domains: [domain, 'unproved.example'] })
  const discover = async (email: string): Promise<string> => {
    const answer = await callWith(
      '',
      'GET',
      `/auth/sso/discover?email=${encodeURIComponent(email)}`,
    )
    expect(answer.status).toBe(200)
    return answer.text
  }
  const own = JSON.stringify({ method: 'oauth', redirectUrl: `${PUBLIC_URL}/auth/sso/${id}/login` })
  expect(await discover(admin.email)).toBe(own)
  expect(await discover(newEmail(domain).toUpperCase())).toBe(own)
  const password = JSON.stringify({ method: 'password' })
  const person = await addPerson({ email: newEmail('unproved.example') })
  expect(await discover(person.email)).toBe(password)
  expect(await discover(newEmail('unproved.example'))).toBe(password)
  expect(await discover('no address')).toBe(password)
})

test('enforced, it binds all of its domains but the break-glass admin, whatever the provider', async () => {
  const domain = newDomain()
  const admin = await adminOf(domain)
  const config = { trustedDomains: [TRUSTED], defaultPlan: 'self_hosted' } as const
  const isRequired = createSsoRequiredFor(portal.database, config)
  const colleague = await addPerson({ email: newEmail(domain), tenantId: admin.tenantId })
  const { id } = await connect(admin, { domains: [domain] })
  expect(await isRequired(colleague.email)).toBe(false)
  const call = await callAsPerson(admin)
  const enforced = await call('PATCH', `${CONNECTIONS}/${id}`, { enforced: true })
  expect(enforced.body).toMatchObject({ enforced: true, breakGlassUserId: admin.id })
  expect(await isRequired(colleague.email.toUpperCase())).toBe(true)
  expect(await isRequired(newEmail(domain))).toBe(true)
  expect(await isRequired(admin.email)).toBe(false)
  expect(await isRequired(newEmail())).toBe(false)

  peer.account = { sub: colleague.email, email: colleague.email, email_verified: true }
  const around = browser()
  const required = endsAt(loginErrorPath('sso_required'))
  expect(await around.go('/auth/sso/oidc/login')).toEqual(required)
  expect(await signedInAs(around)).toBeNull()
  expect(await browser().go(`/auth/sso/${id}/login`)).toEqual(endsAt('/'))
  await setPlan(admin.tenantId, 'starter')
  expect(await isRequired(colleague.email)).toBe(false)
})

test("enforced for a trusted domain, it does not bind another workspace's people", async () => {
  const config = { trustedDomains: [TRUSTED], defaultPlan: 'self_hosted' } as const
  const isRequired = createSsoRequiredFor(portal.database, config)
  const [admin, other] = [await addPerson(), await addPerson({ email: newEmail(TRUSTED) })]
  const member = await addPerson({ email: newEmail(TRUSTED), tenantId: admin.tenantId })
  const { id } = await connect(admin, { domains: [TRUSTED], enforced: true })
  expect(await isRequired(member.email)).toBe(true)
  expect(await isRequired(other.email)).toBe(false)
  const call = await callAsPerson(admin)
  await call('DELETE', `${CONNECTIONS}/${id}`)
  expect(await isRequired(member.email)).toBe(false)
})
