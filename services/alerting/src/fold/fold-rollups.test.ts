import { expect, test } from '@jest/globals'
import { decideNextFold } from './fold-rollups.ts'

test('the pause grows with what a fold took, and rollups are never older than 5 s', () => {
  expect(decideNextFold({ rows: 0, oldestMs: null }, 1)).toBe(1_000)
  expect(decideNextFold({ rows: 999, oldestMs: 900 }, 100)).toBe(1_900)
  expect(decideNextFold({ rows: 999, oldestMs: 900 }, 1_000)).toBe(4_500)
})

test('while there is more, folds leave three quarters of the time to others', () => {
  expect(decideNextFold({ rows: 1_000, oldestMs: 2_900 }, 100)).toBe(300)
})

test('what is late is folded without a pause', () => {
  expect(decideNextFold({ rows: 1_000, oldestMs: 3_100 }, 100)).toBe(true)
})
