import { describe, expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { hmacKey, hmacSha256 } from './hmac.ts'

const inNode = (key: Uint8Array, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding)

describe('it is what Node makes', () => {
  test.each([0, 1, 16, 24, 63, 64, 65, 128, 200])('of a key of %i bytes', (length) => {
    const key = Buffer.from(Array.from({ length }, (_, n) => (n * 37 + 200) & 0xff))
    expect(hmacSha256(hmacKey(key), 'text', 'hex')).toBe(inNode(key, 'text', 'hex'))
  })

  test.each([0, 1, 55, 56, 64, 16_384, 16_385, 300_000])('of %i characters', (length) => {
    const key = Buffer.from('a secret')
    for (const character of ['x', 'é', '鍵']) {
      const text = character.repeat(length)
      expect(hmacSha256(hmacKey(key), text, 'base64')).toBe(inNode(key, text, 'base64'))
    }
  })

  test('of any key and any text, also one with half a character in it', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
        (bytes, parts) => {
          const text = parts.join('\ud83d')
          const key = Buffer.from(bytes)
          expect(hmacSha256(hmacKey(key), text, 'hex')).toBe(inNode(key, text, 'hex'))
        },
      ),
    )
  })
})

test('test cases 1, 2 and 6 of RFC 4231', () => {
  const of = (key: Buffer, text: string): string => hmacSha256(hmacKey(key), text, 'hex')
  expect(of(Buffer.alloc(20, 0x0b), 'Hi There')).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  )
  expect(of(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
  expect(
    of(Buffer.alloc(131, 0xaa), 'Test Using Larger Than Block-Size Key - Hash Key First'),
  ).toBe('60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54')
})
