import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { createPlatformVerifier, NOW } from '../platform-verifier.fixture.ts'
import { preset } from './hubspot.ts'

const { resultOf } = createPlatformVerifier(preset)

function sent(signedUrl: string, url: string, at = NOW) {
  const content = `POST${signedUrl}[]${at}`
  const signature = createHmac('sha256', 'key').update(content).digest('base64')
  const headers = {
    'X-HubSpot-Signature-v3': signature,
    'X-HubSpot-Request-Timestamp': String(at),
  }
  return { url, headers, body: '[]' }
}

test('some escapes of the URL are undone, and no others', async () => {
  const url = 'https://hooks.example.com/inbound/abcdefgh?a=x%3Ay%2fz%20%26b%3D'
  const signedUrl = 'https://hooks.example.com/inbound/abcdefgh?a=x:y/z%20%26b%3D'
  const key = { secret: 'key' }
  expect(await resultOf(sent(signedUrl, url), key)).toBe('verified')
  expect(await resultOf(sent(url, url), key)).toBe('wrong_signature')
  expect(await resultOf(sent(signedUrl, url, NOW - 301_000), key)).toBe('too_old')
  const entered = { ...key, webhook_url: 'https://www.example.com/in' }
  expect(await resultOf(sent('https://www.example.com/in', url), entered)).toBe('verified')
})
