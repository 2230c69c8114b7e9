import { expect, test } from '@jest/globals'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

const ANN = '0199d0c0-0000-7000-8000-000000000001'
const BOB = '0199d0c0-0000-7000-8000-000000000002'

test('ten different codes of 50 bits', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
})

test('every character of the alphabet occurs', () => {
  const text = Array.from({ length: 200 }, newRecoveryCodes).flat().join('').replaceAll('-', '')
  expect(new Set(text).size).toBe(32)
})

test.each(['10abc-def01', '10ABCDEF01', ' 10abc def01', 'ioabc-defol', 'LOABC-DEFOI'])(
  '%s is the code 10abc-def01',
  (typed) => expect(hashRecoveryCode(ANN, typed)).toEqual(hashRecoveryCode(ANN, '10abc-def01')),
)

test('a code counts for one person only', () => {
  expect(hashRecoveryCode(ANN, '10abc-def01')).not.toEqual(hashRecoveryCode(BOB, '10abc-def01'))
  expect(hashRecoveryCode(ANN, '10abc-def01')).not.toEqual(hashRecoveryCode(ANN, '10abc-def02'))
})
