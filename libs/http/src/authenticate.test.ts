import { expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { createAuthenticate, type FoundKey } from './authenticate.ts'

const [TENANT, HOME, OTHER] = [newId(), newId(), newId()]

function setUp(change: Partial<FoundKey> = {}) {
  const key: FoundKey = {
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
  const state = { found: key as FoundKey | null, lookups: 0, ms: 0 }
  const authenticate = createAuthenticate({
    findKey: async () => {
      state.lookups += 1
      return state.found
    },
    now: () => 1_000_000 + state.ms,
    monotonicMs: () => state.ms,
  })
  const ask = (project?: string) =>
    authenticate({
      'x-api-key': 'k',
      ...(project === undefined ? {} : { 'x-project-id': project }),
    })
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
    findKey: async () => Promise.reject(new Error('down')),
    now: () => 0,
  })
  await expect(failing({ 'x-api-key': 'k' })).rejects.toThrow('down')
  await expect(failing({ 'x-api-key': 'k' })).rejects.toThrow('down')
})

test('a flood of unknown keys is refused instead of queued', async () => {
  const pending = Promise.withResolvers<null>()
  const authenticate = createAuthenticate({ findKey: () => pending.promise, now: () => 0 })
  const asked = Array.from({ length: 201 }, (_, n) => authenticate({ 'x-api-key': `k${n}` }))
  await expect(asked[200]).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 })
  const rest = Promise.allSettled(asked)
  pending.resolve(null)
  expect((await rest).filter(({ status }) => status === 'rejected')).toHaveLength(201)
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
