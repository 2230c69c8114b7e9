import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { clipped, jsonLine, printable, printableLines } from './terminal-text.ts'

// oxlint-disable-next-line no-control-regex -- they are what must not be there
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

test('what could drive a terminal is shown as an escape', () => {
  expect(printable('a\u001b]52;c;x\u0007')).toBe('a\\u{1b}]52;c;x\\u{7}')
  expect(printable('one\ntwo\r\t')).toBe('one\\ntwo\\r\\t')
  expect(printable('\u009b31m\u202eexe.png')).toBe('\\u{9b}31m\\u{202e}exe.png')
  expect(printable('Zoë 🦉 日本')).toBe('Zoë 🦉 日本')
  expect(printableLines('one\n\u001btwo')).toBe('one\n\\u{1b}two')
})

test('whatever the text is, no control is left, and JSON stays the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(printable(text)).not.toMatch(CONTROLS)
      const line = jsonLine({ text })
      expect(line).not.toMatch(CONTROLS)
      expect(JSON.parse(line)).toEqual({
        text: text.toWellFormed() === text ? text : JSON.parse(JSON.stringify(text)),
      })
    }),
  )
})

test('a long text is cut between characters', () => {
  expect(clipped('abc', 3)).toBe('abc')
  expect(clipped('🦉🦉🦉🦉', 3)).toBe('🦉🦉…')
})
