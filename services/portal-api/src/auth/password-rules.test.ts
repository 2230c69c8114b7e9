import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { dictionary } from '@zxcvbn-ts/language-common'
import { COMMON_PASSWORDS_FILE } from './common-passwords.ts'
import { normalizePassword, passwordProblem } from './password-rules.ts'

const OWNER = { email: 'alexandra.meyer@example.com', names: ['Big Widgets, Inc.', 'Alexandra M.'] }
const problemOf = (password: string) => passwordProblem(password, OWNER)

test('row 4: 10 to 128 characters, counted as people count them', () => {
  const length = /10 to 128/
  expect(problemOf('a1b2c3d4z')).toMatch(length)
  expect(problemOf('a1b2c3d4zq')).toBeNull()
  expect(problemOf('x'.repeat(128))).toBeNull()
  expect(problemOf('x'.repeat(129))).toMatch(length)
  // Each of these is one code point of two UTF-16 units.
  expect(problemOf('🐎'.repeat(9))).toMatch(length)
  expect(problemOf('🐎'.repeat(10))).toBeNull()
  expect(problemOf('🐎'.repeat(128))).toBeNull()
  // A letter and its accent, written apart, are one character.
  expect(problemOf('e\u0301'.repeat(9))).toMatch(length)
  expect(problemOf('e\u0301'.repeat(128))).toBeNull()
})

test('row 4: the passwords that many people have are refused, in any case', () => {
  for (const password of [
    '1234567890',
    'qwertyuiop',
    'QwertyUiop',
    'PASSWORD123',
    '１２３４５６７８９０',
  ]) {
    expect(problemOf(password)).toMatch(/many people/)
  }
})

test('what is known of the owner is no password', () => {
  for (const password of [
    'alexandra.meyer',
    'Alexandra Meyer',
    'ALEXANDRA.MEYER@example.com',
    'bigwidgetsinc',
    'Big Widgets, Inc.',
    'alexandra m',
  ]) {
    expect(problemOf(password)).toMatch(/your/)
  }
  expect(problemOf('alexandra.meyer rides')).toBeNull()
  expect(passwordProblem('correct horse battery', { email: 'x', names: ['', '!!'] })).toBeNull()
})

test('text that is no text is refused', () => {
  expect(problemOf(`\ud800${'x'.repeat(12)}`)).toBe('must be text')
})

test('one password in two forms is one', () => {
  expect(normalizePassword('Ame\u0301lie'.repeat(2))).toBe(
    normalizePassword('Am\u00e9lie'.repeat(2)),
  )
})

test('the file has all common passwords of the package that are long enough, and no others', () => {
  const long = dictionary['passwords-common']
    .map((password) => password.normalize('NFKC').toLowerCase())
    .filter((password) => Array.from(password).length >= 10)
  const text = `${[...new Set(long)].join('\n')}\n`
  if (process.env['WRITE_COMMON_PASSWORDS'] !== undefined)
    writeFileSync(COMMON_PASSWORDS_FILE, text)
  expect(readFileSync(COMMON_PASSWORDS_FILE, 'utf8')).toBe(text)
  expect(long.length).toBeGreaterThan(1_500)
})
