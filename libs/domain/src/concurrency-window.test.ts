import { expect, test } from '@jest/globals'
import {
  afterSlowAttempt,
  afterAttempt,
  initialWindow,
  SLOW_MS,
  WINDOW_MAX,
  WINDOW_MIN,
  type ConcurrencyWindow,
} from './concurrency-window.ts'

function quickTries(window: ConcurrencyWindow, count: number, at = 10_000): ConcurrencyWindow {
  let after = window
  for (let n = 0; n < count; n += 1) after = afterAttempt(after, at, at + SLOW_MS)
  return after
}

test('it starts at 16 and doubles after as many quick attempts as its size', () => {
  expect(initialWindow().size).toBe(16)
  expect(quickTries(initialWindow(), 15).size).toBe(16)
  expect(quickTries(initialWindow(), 16).size).toBe(32)
  expect(quickTries(initialWindow(), 16 + 31).size).toBe(32)
  expect(quickTries(initialWindow(), 16 + 32).size).toBe(64)
})

test('it never exceeds 512', () => {
  expect(quickTries(initialWindow(), 10_000).size).toBe(WINDOW_MAX)
})

test('a slow attempt halves it and forgets the quick ones', () => {
  const window = afterAttempt(quickTries(initialWindow(), 10), 20_000, 20_000 + SLOW_MS + 1)
  expect(window).toEqual({ size: 8, quick: 0, shrunkAt: 21_001 })
  expect(quickTries(window, 7).size).toBe(8)
})

test('attempts that began before it halved are ignored', () => {
  const once = afterSlowAttempt(initialWindow(), 1_000, 3_000)
  expect(afterSlowAttempt(once, 2_999, 4_000)).toBe(once)
  expect(afterSlowAttempt(once, 3_001, 4_100).size).toBe(4)
})

test('it never goes below 1, and grows again from there', () => {
  let window = initialWindow()
  for (let at = 0; at < 20; at += 1)
    window = afterSlowAttempt(window, at * 5_000, at * 5_000 + 2_000)
  expect(window.size).toBe(WINDOW_MIN)
  expect(afterAttempt(window, 200_000, 200_010).size).toBe(2)
})
