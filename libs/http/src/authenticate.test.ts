import type { IncomingMessage } from 'node:http'
import { expect, test } from '@jest/globals'
import { apiKeyDigest } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { newSecretToken, secretTokenDigest } from '@posthorn/domain/secret-token'
import type { Caller } from './handlers.ts'
import { type AuthenticateDeps, createAuthenticate } from './authenticate.ts'
import type { FoundKey } from './key-credentials.ts'
import { type FoundSession, SESSION_MS } from './session-credentials.ts'

const [TENANT, HOME, OTHER] = [newId(), newId(), newId()]

function keyOf(change: Partial<FoundKey> = {}): FoundKey {
  return {
    tenantId: TENANT,
    keyId: newId(),
    name: 'Key',
    createdByUser: null,
    scopes: ['*'],
    rateLimit: null,
    expiresAt: null,
    revoked: false,
    keyProjectId: null,
    plan: null,
    projects: [
      { id: HOME, environment: 'production' },
      { id: OTHER, environment: 'staging' },
    ],
    ...change,
  }
}

const CONFIG = {
  brand: 'Service',
  publicOrigin: 'https://hooks.example.com',
  defaultPlan: 'self_hosted',
} as const

/** Authenticates by what is given; nobody has anything else. */
function authenticateBy(deps: Partial<AuthenticateDeps>) {
  return createAuthenticate(CONFIG, {
    findKeys: async () => new Map(),
    findSessions: async () => new Map(),
    findScimTokens: async () => new Map(),
    findSubAccounts: async () => new Map(),
    changedTenants: async () => 'unknown',
    extendSession: async () => {},
    now: () => 0,
    ...deps,
  })
}

/** A request with these headers. */
function from(headers: Record<string, string>, method = 'GET'): IncomingMessage {
  return { method, headers } as unknown as IncomingMessage
}

function setUp(change: Partial<FoundKey> = {}) {
  const key = keyOf(change)
  const state = { found: key as FoundKey | null, lookups: 0, ms: 0 }
  const authenticate = authenticateBy({
    findKeys: async (digests) => {
      state.lookups += 1
      return new Map(
        state.found === null ? [] : digests.map((digest) => [digest, state.found as FoundKey]),
      )
    },
    now: () => 1_000_000 + state.ms,
    monotonicMs: () => state.ms,
  })
  const ask = async (project?: string): Promise<{ caller: Caller }> => {
    const headers: Record<string, string> = { 'x-api-key': 'k' }
    if (project !== undefined) headers['x-project-id'] = project
    const key = await authenticate.member(from(headers))
    return { caller: await key.caller() }
  }
  return { state, authenticate, ask }
}

test('a key is looked up once a second, however many ask at once', async () => {
  const { state, ask } = setUp()
  await Promise.all([ask(), ask(), ask()])
  await ask()
  expect(state.lookups).toBe(1)
  state.ms = 1_000
  await ask()
  expect(state.lookups).toBe(2)
})

test('a project that was just made is found, though the key is remembered', async () => {
  const { state, ask } = setUp()
  await ask()
  const made = newId()
  state.found = structuredClone(state.found)
  state.found?.projects.push({ id: made, environment: 'staging' })
  expect((await ask(made)).caller.projectId).toBe(made)
})

test('an unknown key is remembered as well', async () => {
  const { state, ask } = setUp()
  state.found = null
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(state.lookups).toBe(1)
})

test('a look-up that began before an invalidation is not remembered', async () => {
  const { state, authenticate, ask } = setUp()
  const running = ask()
  authenticate.invalidateTenant(TENANT)
  await running
  await ask()
  expect(state.lookups).toBe(2)
  authenticate.invalidateTenant(TENANT)
  await ask()
  expect(state.lookups).toBe(3)
})

test('an expiry is in force at its time, though the key is remembered', async () => {
  const { state, ask } = setUp({ expiresAt: 1_000_500 })
  await ask()
  state.ms = 500
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a failed look-up is not remembered', async () => {
  const failing = authenticateBy({
    findKeys: async () => Promise.reject(new Error('down')),
    now: () => 0,
  })
  await expect(failing.member(from({ 'x-api-key': 'k' }))).rejects.toThrow('down')
  await expect(failing.member(from({ 'x-api-key': 'k' }))).rejects.toThrow('down')
})

test('a thousand questions for a project that is not there are two look-ups', async () => {
  const { state, ask } = setUp()
  await ask()
  const asked = await Promise.allSettled(Array.from({ length: 1_000 }, () => ask(newId())))
  expect(asked.every(({ status }) => status === 'rejected')).toBe(true)
  expect(state.lookups).toBeLessThanOrEqual(3)
})

test('whether a project is there is asked for only once the rate allows it', async () => {
  const { state, authenticate } = setUp({ rateLimit: 1 })
  const headers = { 'x-api-key': 'k', 'x-project-id': newId() }
  for (let n = 0; n < 100; n += 1)
    expect((await authenticate.member(from(headers))).rateLimit).toBe(1)
  expect(state.lookups).toBe(1)
})

test('keys that nobody has drive out none that is known', async () => {
  const state = { lookups: 0 }
  const own = apiKeyDigest('own')
  const authenticate = authenticateBy({
    findKeys: async (digests) => {
      state.lookups += digests.includes(own) ? 1 : 0
      return new Map(digests.includes(own) ? [[own, keyOf()]] : [])
    },
    now: () => 0,
    monotonicMs: () => 0,
  })
  await authenticate.member(from({ 'x-api-key': 'own' }))
  for (let n = 0; n < 11_000; n += 1) {
    await expect(authenticate.member(from({ 'x-api-key': `made up ${n}` }))).rejects.toThrow(
      'unknown',
    )
  }
  await authenticate.member(from({ 'x-api-key': 'own' }))
  expect(state.lookups).toBe(1)
})

test.each([
  ['free, nothing asked', {}, undefined, { projectId: null, homeProjectId: HOME }],
  [
    'free, another asked',
    {},
    OTHER.toUpperCase(),
    { projectId: OTHER, homeProjectId: OTHER, environment: 'staging' },
  ],
  [
    'bound, nothing asked',
    { keyProjectId: OTHER },
    undefined,
    { projectId: OTHER, homeProjectId: OTHER },
  ],
  [
    'bound, the same asked',
    { keyProjectId: OTHER },
    OTHER,
    { projectId: OTHER, keyProjectId: OTHER },
  ],
])('project of a key: %s', async (_name, change, asked, caller) => {
  const { ask } = setUp(change)
  expect((await ask(asked)).caller).toMatchObject(caller)
})

test.each([
  [{}, 'no-uuid', 'NOT_FOUND'],
  [{}, newId(), 'NOT_FOUND'],
  [{ keyProjectId: OTHER }, newId(), 'NOT_FOUND'],
  [{ keyProjectId: OTHER }, HOME, 'FORBIDDEN'],
])('%j asking for %s is %s', async (change, asked, code) => {
  await expect(setUp(change).ask(asked)).rejects.toMatchObject({ code })
})

const TOKEN = newSecretToken()
const USER = {
  id: newId(),
  email: 'ada@example.com',
  name: 'Ada',
  emailVerified: true,
  mfaEnabled: false,
}
const NOW = 1_000_000

function sessionOf(change: Partial<FoundSession> = {}): FoundSession {
  return {
    tenantId: TENANT,
    sessionId: newId(),
    expiresAt: NOW + SESSION_MS,
    member: { user: USER, role: 'editor' },
    key: null,
    requireMfa: false,
    plan: null,
    projects: [{ id: HOME, environment: 'production' }],
    ...change,
  }
}

function withSession(change: Partial<FoundSession> = {}) {
  const extended: number[] = []
  const state = { found: sessionOf(change) as FoundSession | null, ms: 0 }
  const authenticate = authenticateBy({
    findSessions: async ([digest = '']) =>
      new Map(state.found === null ? [] : [[digest, state.found]]),
    extendSession: async (_digest, expiresAt) => void extended.push(expiresAt),
    now: () => NOW + state.ms,
    monotonicMs: () => state.ms,
  })
  const signIn = (headers: Record<string, string> = {}) =>
    authenticate.session(from({ cookie: `service_session=${TOKEN}`, ...headers }))
  return { state, authenticate, signIn, extended }
}

test('a session is its person, with the scopes of their role', async () => {
  const caller = await (await withSession().signIn()).caller()
  expect(caller).toMatchObject({
    tenantId: TENANT,
    keyId: null,
    user: USER,
    role: 'editor',
    plan: 'self_hosted',
    homeProjectId: HOME,
  })
  expect(caller.scopes).toContain('endpoints:write')
  expect(caller.scopes).not.toContain('team:write')
})

test('an API key comes before a cookie, and does for a session’s own routes not', async () => {
  const { authenticate } = withSession()
  const headers = { cookie: `service_session=${TOKEN}`, 'x-api-key': 'k' }
  await expect(authenticate.member(from(headers))).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await authenticate.session(from(headers))).toMatchObject({ keyId: null })
  await expect(authenticate.session(from({ 'x-api-key': 'k' }))).rejects.toThrow('signed in')
})

test.each([
  ['that nobody has', null],
  ['that is over', { expiresAt: NOW }],
  ['whose key is revoked', { member: null, key: { ...keyOf(), revoked: true } }],
  ['whose key has expired', { member: null, key: { ...keyOf(), expiresAt: NOW } }],
])('a session %s lets nobody in', async (_, change) => {
  const { state, signIn } = withSession(change ?? {})
  if (change === null) state.found = null
  await expect(signIn()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('the session of a key has its scopes, and with * it is an admin’s', async () => {
  const full = withSession({ member: null, key: keyOf() })
  expect(await (await full.signIn()).caller()).toMatchObject({ role: 'admin', user: null })
  const narrow = withSession({ member: null, key: keyOf({ scopes: ['events:read'] }) })
  expect(await (await narrow.signIn()).caller()).toMatchObject({
    role: null,
    scopes: ['events:read'],
  })
})

test('a session that is used goes on, written at most once an hour', async () => {
  const { state, signIn, extended } = withSession()
  expect((await signIn()).extendedUntil).toBeNull()
  state.ms = 3_600_000
  expect((await signIn()).extendedUntil).toBe(NOW + 3_600_000 + SESSION_MS)
  expect((await signIn()).extendedUntil).toBeNull()
  expect(extended).toEqual([NOW + 3_600_000 + SESSION_MS])
})

test('a person without a second factor must set one up where the workspace wants it', async () => {
  expect((await withSession({ requireMfa: true }).signIn()).mustEnrol).toBe(true)
  const enrolled = { user: { ...USER, mfaEnabled: true }, role: 'editor' as const }
  expect((await withSession({ requireMfa: true, member: enrolled }).signIn()).mustEnrol).toBe(false)
  const ofKey = withSession({ requireMfa: true, member: null, key: keyOf() })
  expect((await ofKey.signIn()).mustEnrol).toBe(false)
})

test('a SCIM token is a bearer token', async () => {
  const found = { tenantId: TENANT, tokenId: newId(), plan: 'scale' as string | null }
  const authenticate = authenticateBy({
    findScimTokens: async (digests) =>
      new Map(digests.filter((each) => each === secretTokenDigest('t')).map((d) => [d, found])),
  })
  const ask = (authorization?: string) =>
    authenticate.scimToken(from(authorization === undefined ? {} : { authorization }))
  expect(await ask('Bearer t')).toEqual(found)
  expect(await ask('bearer t')).toEqual(found)
  for (const refused of [undefined, 'Bearer u', 'Basic t', 'Bearer ', 'Bearer a b'])
    await expect(ask(refused)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a page of another origin changes nothing', () => {
  const { authenticate } = withSession()
  const evil = { origin: 'https://evil.example', host: 'hooks.example.com' }
  expect(() => authenticate.checkOrigin(from(evil, 'POST'))).toThrow('another origin')
  authenticate.checkOrigin(from(evil))
  authenticate.checkOrigin(from({ origin: 'https://hooks.example.com' }, 'POST'))
})
