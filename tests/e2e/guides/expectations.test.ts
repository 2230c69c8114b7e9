import { describe, expect, test } from '@jest/globals'
import { fileOf, isInItsFile } from './blocks.ts'
import { isAnswerAsShown, isAsShown, isWithin } from './expectations.ts'

describe('what is shown', () => {
  test.each([
    ['accepted 01…\n', 'accepted 01a2', true],
    ['accepted 01…', 'accepted 02a2', false],
    ['a.c', 'abc', false],
    ['[1,1,2]', '[1,2]', false],
    ['one\n…\nthree', 'one\ntwo\nthree\n', true],
    ['one', 'one and more', false],
  ])('%j for %j: %s', (shown, printed, holds) => {
    expect(isAsShown(shown, printed)).toBe(holds)
  })

  test('may stand within what servers print', () => {
    expect(isWithin('verified … o_1', 'listening\nverified 01a2 o_1\n')).toBe(true)
    expect(isWithin('verified', 'refused\n')).toBe(false)
  })

  test.each([
    [{ id: '01…' }, { id: '01a2', more: 1 }, true],
    [{ id: '01…' }, { more: 1 }, false],
    [{ list: [{ n: 1 }] }, { list: [{ n: 1, more: 2 }] }, true],
    [{ list: [{ n: 1 }] }, { list: [{ n: 1 }, { n: 2 }] }, false],
    [{ list: [] }, { list: [1] }, false],
    [{ error: null }, { error: 'x' }, false],
    [{ n: 1 }, { n: '1' }, false],
    [{ n: 1 }, null, false],
  ])('%j for the answer %j: %s', (shown, answer, holds) => {
    expect(isAnswerAsShown(shown, answer)).toBe(holds)
  })
})

test('a block names its file in the first line', () => {
  expect(fileOf({ text: '// a/b.mjs\ncode\n' })).toBe('a/b.mjs')
  expect(fileOf({ text: '# b.py\ncode\n' })).toBe('b.py')
  expect(fileOf({ text: '<!-- c.html -->\ncode\n' })).toBe('c.html')
  expect(fileOf({ text: '// a comment of several words\n' })).toBeUndefined()
})

test('a part of a file of the repository is found there, and nothing else', () => {
  const name = 'tests/e2e/guides/expectations.ts'
  const text = `// ${name}\nexport function isAsShown(shown: string, printed: string): boolean {\n`
  expect(isInItsFile({ text })).toBe(true)
  expect(isInItsFile({ text: text.replace('boolean', 'string') })).toBe(false)
})
