import { expect, test } from '@jest/globals'
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { createPlatformVerifier, NOW } from '../platform-verifier.fixture.ts'
import { preset } from './plaid.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' })
const asked: string[] = []

function plaidVerifier(expired_at: number | null = null) {
  return createPlatformVerifier(preset, {
    'https://sandbox.plaid.com/webhook_verification_key/get': (asking) => {
      asked.push(asking?.body ?? '')
      const { secret, key_id } = JSON.parse(asking?.body ?? '{}') as Record<string, string>
      if (secret !== 'api' || key_id !== 'k1') {
        throw Object.assign(new Error('answered 400'), { status: 400 })
      }
      return JSON.stringify({ key: { ...jwk, alg: 'ES256', kid: 'k1', expired_at } })
    },
  })
}
const config = { client_id: 'c', secret: 'api', environment: 'sandbox' }

async function sent(given: { kid?: string; body?: string; age?: number; key?: KeyObject } = {}) {
  const { kid = 'k1', body = '{}', age = 0, key = privateKey } = given
  const hash = createHash('sha256').update('{}').digest('hex')
  const token = await new SignJWT({ request_body_sha256: hash, iat: NOW / 1000 - age })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(key)
  return { headers: { 'Plaid-Verification': token }, body }
}

test('the key is asked for with the customer’s own credentials, once', async () => {
  const { resultOf } = plaidVerifier()
  expect(await resultOf(await sent(), config)).toBe('verified')
  expect(await resultOf(await sent(), config)).toBe('verified')
  expect(asked).toEqual([JSON.stringify({ client_id: 'c', secret: 'api', key_id: 'k1' })])
})

test('another body, an old token, another’s key and a withdrawn one are refused', async () => {
  const { resultOf } = plaidVerifier()
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  expect(await resultOf(await sent({ body: '{ }' }), config)).toBe('wrong_signature')
  expect(await resultOf(await sent({ age: 400 }), config)).toBe('too_old')
  expect(await resultOf(await sent({ key: other }), config)).toBe('wrong_signature')
  expect(await resultOf(await sent({ kid: 'k2' }), config)).toBe('unknown_key')
  expect(await resultOf(await sent(), { ...config, secret: 'x' })).toBe('unknown_key')
  expect(await plaidVerifier(1_600_000_000).resultOf(await sent(), config)).toBe('unknown_key')
  expect(await resultOf(await sent(), { ...config, environment: 'production' })).toBe('unavailable')
})

test('nothing is asked for what is no token of Plaid’s', async () => {
  const { resultOf } = plaidVerifier()
  const before = asked.length
  const unsigned = new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'k1' })
  const headers = { 'Plaid-Verification': await unsigned.sign(Buffer.from('secret')) }
  expect(await resultOf({ headers, body: '{}' }, config)).toBe('malformed_signature')
  expect(await resultOf({ body: '{}' }, config)).toBe('no_signature')
  expect(asked.length).toBe(before)
})
