import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import {
  newSigningSecret,
  secretHint,
  serviceSignature,
  signingKeys,
  standardSignature,
  verifyServiceSignature,
} from './signature.ts'

test('the public vector of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const signature = standardSignature(secret, id, 1_614_265_330, '{"test": 2432232314}')
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test.each(['no prefix at all, 16 to 256', 'whsec_', 'whsec_not base64!', 'whsec_a-b_'])(
  'a secret that is not whsec_ and base64 has no such signature: %s',
  (secret) => {
    expect(standardSignature(secret, 'id', 1, '{}')).toBeNull()
  },
)

test('our own scheme: the secret as written is the key, over <timestamp>.<body>, in hex', () => {
  // RFC 4231, test case 2 with its data split at the dot that the scheme adds.
  const rfc = createHmac('sha256', 'Jefe').update('what do ya want for nothing?').digest('hex')
  expect(rfc).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const expected = createHmac('sha256', Buffer.from(secret))
    .update('1614265330.{"é":1}', 'utf8')
    .digest('hex')
  expect(serviceSignature(secret, 1_614_265_330, '{"é":1}')).toBe(`v1=${expected}`)
})

test('a received signature is verified whole', () => {
  const good = serviceSignature('a secret of a tenant', 17, 'body')
  const verify = (header: string): boolean =>
    verifyServiceSignature(header, 'a secret of a tenant', 17, 'body')
  expect(verify(good)).toBe(true)
  expect(verify(good.slice(0, -1))).toBe(false)
  expect(verify(`${good}0`)).toBe(false)
  expect(verify(good.replace('v1=', 'v2='))).toBe(false)
  expect(verify('')).toBe(false)
  expect(verifyServiceSignature(good, 'another secret of it', 17, 'body')).toBe(false)
  expect(verifyServiceSignature(good, 'a secret of a tenant', 18, 'body')).toBe(false)
  expect(verifyServiceSignature(good, 'a secret of a tenant', 17, 'Body')).toBe(false)
})

test('a secret of our own: whsec_ and 24 random bytes, of which only the end is shown', () => {
  const secret = newSigningSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect(newSigningSecret()).not.toBe(secret)
  expect(standardSignature(secret, 'id', 1, '{}')).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  expect(secretHint(secret)).toBe(secret.slice(-4))
})

test('a secret of any characters signs by its UTF-8 bytes, and its hint is whole characters', () => {
  const secret = 'пароль 鍵 \u{1f511}\u{1f511}'
  const mac = createHmac('sha256', Buffer.from(secret, 'utf8')).update('7.{}').digest('hex')
  expect(serviceSignature(secret, 7, '{}')).toBe(`v1=${mac}`)
  expect(serviceSignature(signingKeys(secret), 7, '{}')).toBe(`v1=${mac}`)
  expect(verifyServiceSignature(`v1=${mac}`, secret, 7, '{}')).toBe(true)
  expect(secretHint(secret)).toBe('鍵 \u{1f511}\u{1f511}')
})
