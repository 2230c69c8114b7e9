import { expect, test } from '@jest/globals'
import { refuseBadText } from './bad-text.ts'

test('query values with NUL are refused by their names', () => {
  expect(() => refuseBadText({ cursor: 'a\0' })).toThrow(/^cursor: must not contain NUL/)
  expect(() => refuseBadText({ cursor: 'a', limit: ['1', '2'] })).not.toThrow()
})
