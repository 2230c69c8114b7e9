import { expect, test } from '@jest/globals'
import { memoize } from './memoize.ts'

test('asks once for each text, and anew when more texts came than are kept', () => {
  const asked: string[] = []
  const lengthOf = memoize(2, (text) => {
    asked.push(text)
    return text.length
  })
  expect(['a', 'bb', 'a', 'bb', 'ccc', 'a'].map(lengthOf)).toEqual([1, 2, 1, 2, 3, 1])
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})
