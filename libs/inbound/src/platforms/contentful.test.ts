import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { createPlatformVerifier, NOW } from '../platform-verifier.fixture.ts'
import { preset } from './contentful.ts'

const { resultOf } = createPlatformVerifier(preset)
const key = { secret: 'key' }
const NAMES = 'x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic'

function sent(path: string, names = NAMES, at = NOW) {
  const topic = 'ContentManagement.Entry.publish'
  const pairs = [
    `x-contentful-signed-headers:${names}`,
    ...(names.includes('timestamp') ? [`x-contentful-timestamp:${at}`] : []),
    `x-contentful-topic:${topic}`,
  ]
  const content = `POST\n${path}\n${pairs.join(';')}\n{}`
  return {
    url: path.replace(/%253D/, '='),
    headers: {
      'x-contentful-signature': createHmac('sha256', 'key').update(content).digest('hex'),
      'x-contentful-signed-headers': names,
      'x-contentful-timestamp': String(at),
      'X-Contentful-Topic': topic,
    },
    body: '{}',
  }
}

test('method, path, named headers and body are bound by the signature', async () => {
  const right = sent('/inbound/abcdefgh')
  expect(await resultOf(right, key)).toBe('verified')
  expect(await resultOf(sent('/inbound/abcdefgh?a%253Db'), key)).toBe('verified')
  expect(await resultOf(sent('/inbound/abcdefgh?a=b'), key)).toBe('verified')
  expect(await resultOf({ ...right, url: '/inbound/other' }, key)).toBe('wrong_signature')
  const headers = { ...right.headers, 'X-Contentful-Topic': 'other' }
  expect(await resultOf({ ...right, headers }, key)).toBe('wrong_signature')
  expect(await resultOf({ ...right, body: '{ }' }, key)).toBe('wrong_signature')
  expect(await resultOf(sent('/inbound/abcdefgh', NAMES, NOW - 31_000), key)).toBe('too_old')
})

test('a signature that does not cover the time is refused', async () => {
  const unbound = sent('/inbound/abcdefgh', 'x-contentful-signed-headers,x-contentful-topic')
  expect(await resultOf(unbound, key)).toBe('wrong_signature')
})
