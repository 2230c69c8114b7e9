import { expect, test } from '@jest/globals'
import { percentsToWarnOf } from './warn-of-quota.ts'

test.each([
  [0, [], []],
  [79_999, [], []],
  [80_000, [], [80]],
  [99_999, [80], []],
  [100_000, [80], [100]],
  [130_000, [], [80, 100]],
  [130_000, [80, 100], []],
])('of 100,000 events %d are used, and %j was warned of', (used, warned, expected) => {
  expect(percentsToWarnOf({ used, warned }, 100_000)).toEqual(expected)
})

test('without a limit there is nothing to warn of', () => {
  expect(percentsToWarnOf({ used: 1_000_000, warned: [] }, 0)).toEqual([])
})
