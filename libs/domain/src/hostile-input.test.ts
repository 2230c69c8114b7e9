/**
 * Text from endpoints and in signatures: whatever it is, it is understood or not, and nothing
 * throws.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { retryAfterMs } from './backoff.ts'
import { serviceSignature, standardSignature, verifyServiceSignature } from './signature.ts'

const anyText = fc.string({ unit: 'binary' })
const NOW = Date.UTC(2026, 0, 1)

test('any Retry-After is a time that is not before now, or not understood', () => {
  const header = fc.oneof(
    anyText,
    fc.integer().map(String),
    fc.stringMatching(/^\d{1,40}$/),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )
  fc.assert(
    fc.property(header, (text) => {
      const wait = retryAfterMs(text, NOW)
      if (wait !== null) expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).not.toBeNaN()
    }),
    { numRuns: 2_000 },
  )
})

test('a signature is verified with what it was made from, and with nothing else', () => {
  const timestamp = fc.nat()
  fc.assert(
    fc.property(anyText, timestamp, anyText, anyText, (secret, at, body, other) => {
      const signed = serviceSignature(secret, at, body)
      expect(verifyServiceSignature(signed, secret, at, body)).toBe(true)
      expect(verifyServiceSignature(signed, secret, at + 1, body)).toBe(false)
      expect(verifyServiceSignature(signed, secret, at, `${body}x`)).toBe(false)
      expect(verifyServiceSignature(other, secret, at, body)).toBe(other === signed)
    }),
    { numRuns: 500 },
  )
})

test('any secret signs by the standard or does not', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `whsec_${text}`),
        fc.base64String().map((text) => `whsec_${text}`),
      ),
      anyText,
      (secret, body) => {
        const signed = standardSignature(secret, 'id', 1, body)
        if (signed !== null) expect(signed).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
      },
    ),
  )
})
