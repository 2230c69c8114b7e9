/** What the diff of an edited payload shows. */
import { expect, test } from '@jest/globals'
import { diffLines } from './diff-lines.ts'

const shown = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, text }) => `${kind} ${text}`)

test('lines in the middle that were changed, added or removed', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual(['same a', 'removed b', 'added x', 'same c'])
  expect(shown('a\nc', 'a\nb\nc')).toEqual(['same a', 'added b', 'same c'])
  expect(shown('a\nb\nc', 'a\nc')).toEqual(['same a', 'removed b', 'same c'])
})

test('no line is shown as changed that was not, and a repeated one counts once', () => {
  expect(shown('a\nb', 'a\nb')).toEqual(['same a', 'same b'])
  expect(shown('a\na', 'a\na\na')).toEqual(['same a', 'same a', 'added a'])
})
