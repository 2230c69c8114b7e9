import { expect, test } from '@jest/globals'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './asana.ts'

const { answerTo } = createPlatformVerifier(preset)
const handshake = { headers: { 'X-Hook-Secret': 's3cret' }, body: '{}' }

test('the secret is stored and sent back, once', () => {
  expect(answerTo(handshake, {})).toEqual({
    status: 200,
    headers: { 'X-Hook-Secret': 's3cret' },
    body: '',
    learned: { secret: 's3cret' },
  })
  expect(answerTo(handshake, { secret: 'known' })).toBeNull()
})

test('a secret that could end a header, or comes with a signature, is no handshake', () => {
  expect(answerTo({ headers: { 'X-Hook-Secret': 'a\r\nb: c' } }, {})).toBeNull()
  const signed = { headers: { ...handshake.headers, 'X-Hook-Signature': '00' } }
  expect(answerTo(signed, {})).toBeNull()
})
