import { expect, test } from '@jest/globals'
import { sign } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { crc32 } from 'node:zlib'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { certificate, keyPairOf } from '../signers/keys.fixture.ts'
import { preset } from './paypal.ts'

const AT = '2023-11-14T22:13:20Z'
const URL_OF = 'https://api.paypal.com/v1/notifications/certs/'
const own = certificate('rsa:1', 'messageverificationcerts.paypal.com')
const { resultOf } = createPlatformVerifier(preset, {
  [`${URL_OF}own`]: own,
  [`${URL_OF}named-otherwise`]: certificate('rsa:1', 'paypal.com.example.net'),
  [`${URL_OF}with-a-strange-issuer`]: own + certificate('rsa:2', 'somebody'),
  [`${URL_OF}with-a-root-that-did-not-issue-it`]: `${own}${rootCertificates[0]}`,
  [`${URL_OF}none`]: 'nothing',
  'https://api.paypal.com.example.net/v1/notifications/certs/own': own,
})
const config = { webhook_id: 'W1' }

function sent(given: { url?: string; body?: string; signed?: string; algorithm?: string } = {}) {
  const { url = `${URL_OF}own`, body = '{}', signed = `id|${AT}|W1|${crc32('{}')}` } = given
  const signature = sign('sha256', Buffer.from(signed), keyPairOf('rsa:1').privateKey)
  return {
    body,
    headers: {
      'PAYPAL-TRANSMISSION-ID': 'id',
      'PAYPAL-TRANSMISSION-TIME': AT,
      'PAYPAL-CERT-URL': url,
      'PAYPAL-AUTH-ALGO': given.algorithm ?? 'SHA256withRSA',
      'PAYPAL-TRANSMISSION-SIG': signature.toString('base64'),
    },
  }
}

test('id, time, webhook and checksum of the body are signed, the checksum without a sign', async () => {
  expect(await resultOf(sent(), config)).toBe('verified')
  // A checksum with its first bit set, which some implementations write as a negative number.
  const body = '{"n":3}'
  expect(crc32(body)).toBeGreaterThan(0x7fffffff)
  const signed = `id|${AT}|W1|${crc32(body)}`
  expect(await resultOf(sent({ body, signed }), config)).toBe('verified')
  expect(await resultOf(sent({ body: '{ }' }), config)).toBe('wrong_signature')
  expect(await resultOf(sent(), { webhook_id: 'W2' })).toBe('wrong_signature')
  expect(await resultOf({ body: '{}' }, config)).toBe('no_signature')
  expect(await resultOf(sent({ algorithm: 'SHA1withRSA' }), config)).toBe('malformed_signature')
})

test.each([
  'named-otherwise',
  'with-a-strange-issuer',
  'with-a-root-that-did-not-issue-it',
  'none',
])('a certificate that is %s is not believed', async (name) => {
  expect(await resultOf(sent({ url: URL_OF + name }), config)).toBe('unknown_key')
})

test.each([
  'https://api.paypal.com.example.net/v1/notifications/certs/own',
  'http://api.paypal.com/v1/notifications/certs/own',
  'https://api.paypal.com:8443/v1/notifications/certs/own',
  'https://user@api.paypal.com/v1/notifications/certs/own',
  'https://api.paypal.com/v1/notifications/certs/../../x',
  'nowhere',
])('nothing is fetched from %s', async (url) => {
  expect(await resultOf(sent({ url }), config)).toBe('unknown_key')
})

test('while PayPal can’t be reached the sender is to try again', async () => {
  expect(await resultOf(sent({ url: `${URL_OF}gone` }), config)).toBe('unavailable')
})
