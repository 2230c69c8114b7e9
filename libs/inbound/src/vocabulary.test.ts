import { expect, test } from '@jest/globals'
import { SOURCE_REF } from './platform-verifier.fixture.ts'
import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Preset } from './preset.ts'
import type { Verification } from './verification-rules.ts'
import { createFetchedKeys } from './fetched-keys.ts'
import type { Credentials, InboundRequest } from './request.ts'
import { createVerifier } from './verifier.ts'
import { isCheckable } from './verify.ts'

const NOW = 1_700_000_000_000
const asked: string[] = []
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const verifier = createVerifier({
  now: () => NOW,
  fetchText(url) {
    asked.push(url.href)
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1' }
    return Promise.resolve(JSON.stringify({ keys: [jwk] }))
  },
})

function request(given: { query?: string; headers?: Record<string, string>; body?: string }) {
  return {
    method: 'POST',
    url: new URL(`https://hooks.example.com/inbound/abcdefgh${given.query ?? ''}`),
    headers: new Map(Object.entries(given.headers ?? {}).map(([name, value]) => [name, [value]])),
    body: Buffer.from(given.body ?? '{}'),
    receivedAt: NOW,
  } satisfies InboundRequest
}

async function outcomeOf(verify: Verification, sent: InboundRequest, credentials: Credentials) {
  const preset = { verify } as Preset
  return (await verifier.verify(preset, sent, credentials, SOURCE_REF)).outcome
}

function tokenIn(query: string, needs: readonly string[]): Verification {
  return { kind: 'token', at: { query }, config: 'secret', needs }
}

test.each([
  ['mode', {}, false],
  ['mode', { mode: 'x' }, true],
  ['!mode', {}, true],
  ['!mode', { mode: 'x' }, false],
  ['mode=x', { mode: 'x' }, true],
  ['mode=x', { mode: 'y' }, false],
  ['mode=x', {}, false],
  ['mode?=x', {}, true],
  ['mode?=x', { mode: 'x' }, true],
  ['mode?=x', { mode: 'y' }, false],
])('a rule that needs %s, with %j configured: %s', async (need, config, isUsed) => {
  const verify: Verification = { kind: 'any', of: [tokenIn('t', [need])] }
  const sent = request({ query: '?t=s' })
  const outcome = await outcomeOf(verify, sent, { ...config, secret: 's' })
  expect(outcome).toBe(isUsed ? 'verified' : 'rejected')
  expect(isCheckable(verify, config)).toBe(isUsed)
})

test('a token stands where the user says: in a parameter, or a member of the body', async () => {
  const inQuery: Verification = {
    kind: 'token',
    at: { queryNamedBy: 'param', or: 'code' },
    config: 'secret',
  }
  const secret = { secret: 's' }
  expect(await outcomeOf(inQuery, request({ query: '?code=s' }), secret)).toBe('verified')
  const named = { ...secret, param: 'key' }
  expect(await outcomeOf(inQuery, request({ query: '?key=s' }), named)).toBe('verified')
  expect(await outcomeOf(inQuery, request({ query: '?code=s' }), named)).toBe('rejected')
  const inBody: Verification = { kind: 'token', at: { memberNamedBy: 'name' }, config: 'secret' }
  const quoted = { ...secret, name: 'a "b\\.c' }
  const body = JSON.stringify({ [quoted.name]: 's' })
  expect(await outcomeOf(inBody, request({ body }), quoted)).toBe('verified')
  expect(await outcomeOf(inBody, request({ body: '{"a":"s"}' }), quoted)).toBe('rejected')
  expect(await outcomeOf(inBody, request({ body }), secret)).toBe('rejected')
})

test('where a scheme is optional the configured value may have it too', async () => {
  const verify: Verification = {
    kind: 'token',
    at: { header: 'authorization' },
    scheme: 'Bearer ',
    optionalScheme: true,
    config: 'secret',
  }
  const outcome = (authorization: string, secret: string) =>
    outcomeOf(verify, request({ headers: { authorization } }), { secret })
  expect(await outcome('Bearer abc', 'abc')).toBe('verified')
  expect(await outcome('abc', 'abc')).toBe('verified')
  expect(await outcome('Bearer abc', 'Bearer abc')).toBe('verified')
  expect(await outcome('Basic abc', 'abc')).toBe('rejected')
  // A header's bytes are read as Latin-1.
  const secret = 'ключ \u{1f511}'
  const sent = Buffer.from(`Bearer ${secret}`, 'utf8').toString('latin1')
  expect(await outcome(sent, secret)).toBe('verified')
  expect(await outcome(sent, 'ключ \u{1f512}')).toBe('rejected')
})

test('a key set’s address and an issuer may be the user’s', async () => {
  const verify: Verification = {
    kind: 'jwt',
    at: { header: 'authorization' },
    scheme: 'Bearer ',
    algorithms: ['RS256'],
    key: { jwks: 'https://keys.example.com/{config:tenant}/keys' },
    issuer: 'https://issuer.example.com/{config:tenant}/',
    audience: { config: 'audience', or: 'webhook-url' },
    claims: [{ claim: 'verified', is: { text: 'true' } }],
  }
  const bearer = async (claims: Record<string, unknown>) => {
    const token = await new SignJWT({ verified: true, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(privateKey)
    return request({ headers: { authorization: `Bearer ${token}` } })
  }
  const iss = 'https://issuer.example.com/a%2Fb/'
  const aud = 'https://hooks.example.com/inbound/abcdefgh'
  const tenant = { tenant: 'a/b' }
  expect(await outcomeOf(verify, await bearer({ iss, aud }), tenant)).toBe('verified')
  expect(asked).toEqual(['https://keys.example.com/a%2Fb/keys'])
  expect(await outcomeOf(verify, await bearer({ iss, aud: 'x' }), tenant)).toBe('rejected')
  const mine = { ...tenant, audience: 'x' }
  expect(await outcomeOf(verify, await bearer({ iss, aud: 'x' }), mine)).toBe('verified')
  expect(await outcomeOf(verify, await bearer({ iss: 'x', aud }), tenant)).toBe('rejected')
  expect(await outcomeOf(verify, await bearer({ iss, aud, verified: false }), tenant)).toBe(
    'rejected',
  )
})

test('a token that nobody can have signed is refused, whatever it says of itself', async () => {
  const verify: Verification = {
    kind: 'jwt',
    at: { header: 'x-token' },
    algorithms: ['HS256'],
    key: { config: 'secret', as: 'utf8' },
  }
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .sign(createSecretKey(Buffer.from('s')))
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`
  const outcome = (text: string, credentials: Credentials) =>
    outcomeOf(verify, request({ headers: { 'x-token': text } }), credentials)
  expect(await outcome(token, { secret: 's' })).toBe('verified')
  expect(await outcome(token, { secret: 't' })).toBe('rejected')
  expect(await outcome(token, {})).toBe('rejected')
  expect(await outcome(none, { secret: 's' })).toBe('rejected')
})

test('a token that was issued tomorrow, or is not yet valid, is refused as out of time', async () => {
  const verify: Verification = {
    kind: 'jwt',
    at: { header: 'x-token' },
    algorithms: ['HS256'],
    key: { config: 'secret', as: 'utf8' },
  }
  const resultOf = async (claims: Record<string, number>) => {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(createSecretKey(Buffer.from('s')))
    const sent = request({ headers: { 'x-token': token } })
    return await verifier.verify({ verify } as Preset, sent, { secret: 's' }, SOURCE_REF)
  }
  const now = NOW / 1000
  const late = { outcome: 'rejected', reason: 'too_old' }
  expect(await resultOf({ iat: now + 50 })).toMatchObject({ outcome: 'verified' })
  expect(await resultOf({ iat: now + 70 })).toMatchObject(late)
  expect(await resultOf({ nbf: now + 70 })).toMatchObject(late)
  expect(await resultOf({ exp: now - 70 })).toMatchObject(late)
})

test('keys that one customer is shown are cached apart from those of another', async () => {
  const seen: (string | undefined)[] = []
  const keys = createFetchedKeys({
    now: () => NOW,
    fetchText(_, options) {
      const who = options?.headers['authorization']
      seen.push(who)
      return who === 'wrong' ? Promise.reject(new Error('401')) : Promise.resolve(`key of ${who}`)
    },
  }).of(SOURCE_REF)
  const url = new URL('https://keys.example.com/1')
  const as = (authorization: string) => keys.text(url, { headers: { authorization } })
  await expect(as('wrong')).rejects.toThrow('401')
  expect(await as('a')).toBe('key of a')
  expect(await as('a')).toBe('key of a')
  expect(await keys.text(url)).toBe('key of undefined')
  expect(seen).toEqual(['wrong', 'a', undefined])
})
