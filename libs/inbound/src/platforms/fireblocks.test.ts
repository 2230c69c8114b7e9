import { expect, test } from '@jest/globals'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './fireblocks.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const set = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] })
const { resultOf } = createPlatformVerifier(preset, {
  'https://eu-keys.fireblocks.io/.well-known/jwks.json': set,
})
const eu = { environment: 'eu' }
const body = '{"eventType":"transaction.created"}'

function sent(header: Record<string, string>, key = privateKey) {
  const part = (text: string) => Buffer.from(text).toString('base64url')
  const head = part(JSON.stringify(header))
  const signature = sign('sha512', Buffer.from(`${head}.${part(body)}`), key).toString('base64url')
  return { headers: { 'Fireblocks-Webhook-Signature': `${head}..${signature}` }, body }
}
const named = { alg: 'RS512', kid: 'k1' }

test('the body is bound by the detached signature', async () => {
  expect(await resultOf(sent(named), eu)).toBe('verified')
  expect(await resultOf({ ...sent(named), body: `${body} ` }, eu)).toBe('wrong_signature')
  const other = createPrivateKey(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
  )
  expect(await resultOf(sent(named, other), eu)).toBe('wrong_signature')
  expect(await resultOf(sent(named), {})).toBe('unavailable')
})

test('another algorithm, an unknown key and half a signature are refused', async () => {
  expect(await resultOf(sent({ alg: 'none', kid: 'k1' }), eu)).toBe('malformed_signature')
  expect(await resultOf(sent({ alg: 'RS512', kid: 'k2' }), eu)).toBe('unknown_key')
  expect(await resultOf(sent({ alg: 'RS512' }), eu)).toBe('unknown_key')
  const half = { headers: { 'Fireblocks-Webhook-Signature': 'a.b' }, body }
  expect(await resultOf(half, eu)).toBe('malformed_signature')
  expect(await resultOf({ body }, eu)).toBe('no_signature')
})
