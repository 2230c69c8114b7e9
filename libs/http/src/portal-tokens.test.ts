import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { createPortalTokens, type PortalClaims } from './portal-tokens.ts'

const KEY = Buffer.alloc(32, 1)
const NOW = Date.parse('2026-01-01T00:00:00Z')
const tokens = createPortalTokens([KEY], () => NOW)
const CLAIMS: PortalClaims = {
  jti: randomUUID(),
  sub: randomUUID(),
  cid: randomUUID(),
  scp: ['events:read', 'endpoints:write'],
  aud: 'session',
  iat: NOW / 1_000,
  exp: NOW / 1_000 + 60,
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of any shape, with a signature that is right for its text. */
function forge(header: unknown, payload: unknown, key = KEY, digest = 'sha256'): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`
}

const HS256 = { alg: 'HS256', typ: 'JWT' }

test('a token comes back as it was signed, and by another implementation’s signature', () => {
  expect(tokens.verify(tokens.sign(CLAIMS), 'session')).toEqual({ ...CLAIMS, isOver: false })
  expect(tokens.verify(forge(HS256, CLAIMS), 'session')).toEqual({ ...CLAIMS, isOver: false })
})

test('another key verifies, and the first one signs', () => {
  const former = createPortalTokens([Buffer.alloc(32, 2)], () => NOW).sign(CLAIMS)
  expect(tokens.verify(former, 'session')).toBeNull()
  const both = createPortalTokens([KEY, Buffer.alloc(32, 2)], () => NOW)
  expect(both.verify(former, 'session')).toMatchObject(CLAIMS)
  expect(both.sign(CLAIMS)).toBe(tokens.sign(CLAIMS))
  expect(() => createPortalTokens([], () => NOW)).toThrow('no key')
})

test('a token is over at its end, and says so', () => {
  const at = (now: number) =>
    createPortalTokens([KEY], () => now).verify(tokens.sign(CLAIMS), 'session')
  expect(at(NOW + 59_999)?.isOver).toBe(false)
  expect(at(NOW + 60_000)?.isOver).toBe(true)
  expect(at(NOW + 61_000)?.isOver).toBe(true)
})

test('each audience is refused in the place of the other', () => {
  expect(tokens.verify(tokens.sign(CLAIMS), 'exchange')).toBeNull()
  expect(tokens.verify(tokens.sign({ ...CLAIMS, aud: 'exchange' }), 'session')).toBeNull()
})

describe('a token whose header names another algorithm is refused', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  test.each([
    ['none', `${encode({ alg: 'none' })}.${encode(CLAIMS)}.`],
    ['None', `${encode({ alg: 'None' })}.${encode(CLAIMS)}.`],
    ['none, with a signature', forge({ alg: 'none' }, CLAIMS)],
    ['HS512', forge({ alg: 'HS512' }, CLAIMS, KEY, 'sha512')],
    ['HS384', forge({ alg: 'HS384' }, CLAIMS, KEY, 'sha384')],
    ['HS512 by name alone', forge({ alg: 'HS512' }, CLAIMS)],
    ['hs256', forge({ alg: 'hs256' }, CLAIMS)],
    ['RS256', jwt.sign(CLAIMS, privateKey, { algorithm: 'RS256' })],
    ['RS256 by name alone', forge({ alg: 'RS256' }, CLAIMS)],
    ['HS256 by a public key', forge(HS256, CLAIMS, Buffer.from(pem))],
    ['no algorithm', forge({ typ: 'JWT' }, CLAIMS)],
    ['critical headers', forge({ ...HS256, crit: ['exp'] }, CLAIMS)],
  ])('%s', (_name, token) => expect(tokens.verify(token, 'session')).toBeNull())

  test('also where our key is a public key’s text', () => {
    const ours = createPortalTokens([Buffer.from(pem)], () => NOW)
    const theirs = jwt.sign(CLAIMS, privateKey, { algorithm: 'RS256' })
    expect(ours.verify(theirs, 'session')).toBeNull()
  })
})

test.each(['jti', 'sub', 'cid', 'scp', 'aud', 'iat', 'exp'] as const)(
  'a token of ours without %s is refused',
  (claim) => {
    const { [claim]: _, ...rest } = CLAIMS
    expect(tokens.verify(forge(HS256, rest), 'session')).toBeNull()
  },
)

test.each([
  [{ aud: ['session', 'exchange'] }],
  [{ exp: '9999999999' }],
  [{ exp: null }],
  [{ scp: ['events:write'] }],
  [{ scp: [] }],
  [{ sub: "' OR true --" }],
  [{ jti: 1 }],
])('a token of ours with %j is refused', (claims) => {
  expect(tokens.verify(forge(HS256, { ...CLAIMS, ...claims }), 'session')).toBeNull()
})

test('a changed, spliced or endless token is refused', () => {
  const [header = '', payload = '', signature = ''] = tokens.sign(CLAIMS).split('.')
  const others = tokens.sign({ ...CLAIMS, jti: randomUUID() }).split('.')
  const more = encode({ ...CLAIMS, scp: ['events:read', 'endpoints:read', 'endpoints:write'] })
  // The last character has spare bits, so another one may stand for the same bytes.
  const last = signature.slice(0, -1) + (signature.endsWith('A') ? 'B' : 'A')
  for (const token of [
    `${header}.${more}.${signature}`,
    `${header}.${others[1]}.${signature}`,
    `${header}.${payload}.${others[2]}`,
    `${header}.${payload}.${last}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}..${signature}`,
    '',
    '..',
    'null',
    `${header}.${'a'.repeat(3_000)}.${signature}`,
    forge({ ...HS256, x: 'a'.repeat(3_000) }, CLAIMS),
  ])
    expect(tokens.verify(token, 'session')).toBeNull()
})
