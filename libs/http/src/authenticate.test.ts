import { expect, test } from '@jest/globals'
import { apiKeyDigest } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import type { Caller } from './handlers.ts'
import { createAuthenticate, type FoundKey } from './authenticate.ts'

const [TENANT, HOME, OTHER] = [newId(), newId(), newId()]

function keyOf(change: Partial<FoundKey> = {}): FoundKey {
  return {
    tenantId: TENANT,
    keyId: newId(),
    scopes: ['*'],
    rateLimit: null,
    expiresAt: null,
    revoked: false,
    keyProjectId: null,
    projects: [
      { id: HOME, environment: 'production' },
      { id: OTHER, environment: 'staging' },
    ],
    ...change,
  }
}

function setUp(change: Partial<FoundKey> = {}) {
  const key = keyOf(change)
  const state = { found: key as FoundKey | null, lookups: 0, ms: 0 }
  const authenticate = createAuthenticate({
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
    const named = project === undefined ? {} : { 'x-project-id': project }
    const key = await authenticate({ 'x-api-key': 'k', ...named })
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
  const failing = createAuthenticate({
    findKeys: async () => Promise.reject(new Error('down')),
    now: () => 0,
  })
  await expect(failing({ 'x-api-key': 'k' })).rejects.toThrow('down')
  await expect(failing({ 'x-api-key': 'k' })).rejects.toThrow('down')
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
  for (let n = 0; n < 100; n += 1) expect((await authenticate(headers)).rateLimit).toBe(1)
  expect(state.lookups).toBe(1)
})

test('keys that nobody has drive out none that is known', async () => {
  const state = { lookups: 0 }
  const own = apiKeyDigest('own')
  const authenticate = createAuthenticate({
    findKeys: async (digests) => {
      state.lookups += digests.includes(own) ? 1 : 0
      return new Map(digests.includes(own) ? [[own, keyOf()]] : [])
    },
    now: () => 0,
    monotonicMs: () => 0,
  })
  await authenticate({ 'x-api-key': 'own' })
  for (let n = 0; n < 11_000; n += 1) {
    await expect(authenticate({ 'x-api-key': `made up ${n}` })).rejects.toThrow('unknown')
  }
  await authenticate({ 'x-api-key': 'own' })
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
