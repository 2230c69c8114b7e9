import { expect, test } from '@jest/globals'
import { memoize } from './memoize.ts'

test('computes once for each text, and again after more texts than it keeps', () => {
  const computed: string[] = []
  const lengthOf = memoize(2, (text) => {
    computed.push(text)
    return text.length
  })
  expect(['a', 'bb', 'a', 'bb', 'ccc', 'a'].map(lengthOf)).toEqual([1, 2, 1, 2, 3, 1])
  expect(computed).toEqual(['a', 'bb', 'ccc', 'a'])
})
