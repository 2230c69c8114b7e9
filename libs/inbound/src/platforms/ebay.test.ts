import { expect, test } from '@jest/globals'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createPlatformVerifier, SOURCE_URL } from '../platform-verifier.fixture.ts'
import { preset } from './ebay.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (publicKey.export({ type: 'spki', format: 'pem' }) as string).replaceAll('\n', '')
const { resultOf, answerTo } = createPlatformVerifier(preset, {
  'https://api.ebay.com/identity/v1/oauth2/token': (asking) => {
    const basic = `Basic ${Buffer.from('app:cert').toString('base64')}`
    if (asking?.headers['authorization'] !== basic || asking.body === undefined) throw new Error()
    return '{"access_token":"t0ken","expires_in":7200}'
  },
  'https://api.ebay.com/commerce/notification/v1/public_key/k1': (asking) => {
    if (asking?.headers['authorization'] !== 'Bearer t0ken') throw new Error()
    return JSON.stringify({ key: pem, algorithm: 'ECDSA', digest: 'SHA1' })
  },
})
const config = { client_id: 'app', client_secret: 'cert', verification_token: 'verify' }

function sent(fields: Record<string, string>, body = '{}') {
  const signature = sign('sha1', Buffer.from('{}'), privateKey).toString('base64')
  const named = { alg: 'ecdsa', kid: 'k1', signature, digest: 'SHA1', ...fields }
  const header = Buffer.from(JSON.stringify(named)).toString('base64')
  return { headers: { 'x-ebay-signature': header }, body }
}

test('the key is asked for with a token, and binds the body', async () => {
  expect(await resultOf(sent({}), config)).toBe('verified')
  expect(await resultOf(sent({}, '{ }'), config)).toBe('wrong_signature')
  expect(await resultOf(sent({}), { ...config, client_id: 'other' })).toBe('unavailable')
  expect(await resultOf(sent({ kid: '../x' }), config)).toBe('malformed_signature')
  expect(await resultOf(sent({ digest: 'MD5' }), config)).toBe('malformed_signature')
  const nonsense = { headers: { 'x-ebay-signature': 'nonsense' }, body: '{}' }
  expect(await resultOf(nonsense, config)).toBe('malformed_signature')
})

test('its handshake is answered with a hash of code, token and URL', () => {
  const ask = { method: 'GET' as const, url: '?challenge_code=c0de' }
  const hash = (endpoint: string) =>
    JSON.stringify({
      challengeResponse: createHash('sha256').update(`c0deverify${endpoint}`).digest('hex'),
    })
  expect(answerTo(ask, config)?.body).toBe(hash(SOURCE_URL))
  const entered = { ...config, endpoint_url: 'https://www.example.com/e' }
  expect(answerTo(ask, entered)?.body).toBe(hash('https://www.example.com/e'))
})
