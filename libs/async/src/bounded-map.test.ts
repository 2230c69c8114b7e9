import { expect, test } from '@jest/globals'
import { setNewest } from './bounded-map.ts'

test('what was set longest ago goes first, and what is set again is new', () => {
  const map = new Map<string, number>()
  for (const [n, key] of ['a', 'b', 'a', 'c', 'd'].entries()) setNewest(map, key, n, 3)
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
    ['d', 4],
  ])
})
