import { expect, test } from '@jest/globals'
import {
  hashSecretToken,
  hasSecretTokenForm,
  newSecretToken,
  secretTokenDigest,
} from './secret-token.ts'

test('a token is 256 random bits, and never the same', () => {
  const tokens = Array.from({ length: 100 }, () => newSecretToken())
  expect(new Set(tokens).size).toBe(100)
  for (const token of tokens) expect(hasSecretTokenForm(token)).toBe(true)
  expect(newSecretToken('ph_scim_')).toMatch(/^ph_scim_[\w-]{43}$/)
})

test.each(['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}\n`])(
  '%j is none',
  (text) => {
    expect(hasSecretTokenForm(text)).toBe(false)
  },
)

test('its digest is the SHA-256', () => {
  expect(secretTokenDigest('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(Buffer.from(hashSecretToken('abc')).toString('hex')).toBe(secretTokenDigest('abc'))
})
