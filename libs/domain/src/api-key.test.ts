import { expect, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { apiKeyPrefix, hasApiKeyForm, hashApiKey, newApiKey } from './api-key.ts'

test.each([
  ['production', 'ph_live_'],
  ['staging', 'ph_test_'],
  ['development', 'ph_test_'],
] as const)('a key of %s begins with %s and ends with its checksum', (environment, prefix) => {
  const key = newApiKey(environment)
  expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const check = Array.from(key.slice(-6), (letter) => alphabet.indexOf(letter))
  const value = check.reduce((sum, digit) => sum * 62 + digit, 0)
  expect(value).toBe(crc32(key.slice(0, -6)))
})

test('its form can be told from noise', () => {
  const key = newApiKey('production')
  expect(hasApiKeyForm(key)).toBe(true)
  expect(hasApiKeyForm(newApiKey('staging'))).toBe(true)
  const other = key.endsWith('0') ? '1' : '0'
  for (const noise of ['', 'a key', `${key.slice(0, -1)}${other}`, ` ${key}`, `${key}0`]) {
    expect(hasApiKeyForm(noise)).toBe(false)
  }
})

test('no two are the same', () => {
  const keys = Array.from({ length: 100 }, () => newApiKey('production'))
  expect(new Set(keys).size).toBe(100)
})

test('what is stored: the SHA-256, and 12 characters to know it by', () => {
  const key = 'ph_live_0123456789'
  expect(hashApiKey(key)).toEqual(createHash('sha256').update(key).digest())
  expect(apiKeyPrefix(key)).toBe('ph_live_0123')
})
