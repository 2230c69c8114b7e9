import { expect, test } from '@jest/globals'
import { generateSync } from 'otplib'
import { newTotpSecret, otpauthUrl, totpStep } from './totp.ts'

/** The key of RFC 6238's appendix B, "12345678901234567890" in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** The vectors of appendix B have eight digits; six-digit codes are their last six. */
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238, SHA-1, at %d s', (seconds, vector) => {
  const step = Math.floor(seconds / 30)
  expect(totpStep(SECRET, vector.slice(2), seconds * 1_000)).toBe(step)
})

const AT = 1_234_567_890_000
const code = (seconds: number): string =>
  generateSync({ secret: SECRET, epoch: AT / 1_000 + seconds })

test.each([
  ['of this step', 0, true],
  ['of the step before', -30, true],
  ['of two steps before', -60, false],
  ['of the next step', 30, false],
])('a code %s', (_, seconds, taken) => {
  const step = AT / 30_000 + seconds / 30
  expect(totpStep(SECRET, code(seconds), AT)).toBe(taken ? step : null)
})

test('a code and the next one have different steps', () => {
  expect(totpStep(SECRET, code(0), AT)).not.toBe(totpStep(SECRET, code(30), AT + 30_000))
})

test('another secret has other codes', () => {
  expect(totpStep(newTotpSecret(), code(0), AT)).toBeNull()
})

test('a secret has 160 bits and is new each time', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
})

test('the URL names issuer, person and secret', () => {
  const url = new URL(otpauthUrl('Post Horn', 'a+b@example.com', SECRET))
  expect(url.protocol + url.host).toBe('otpauth:totp')
  expect(decodeURIComponent(url.pathname)).toBe('/Post Horn:a+b@example.com')
  expect(Object.fromEntries(url.searchParams)).toEqual({ secret: SECRET, issuer: 'Post Horn' })
})
