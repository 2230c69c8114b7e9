import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { backoffMs, DEFAULT_BACKOFF, retryAfterMs } from './backoff.ts'

const MIDDLE = 0.5 // no jitter

test.each([
  [1, 1_000],
  [2, 2_000],
  [3, 4_000],
  [4, 8_000],
  [5, 16_000],
  [17, 65_536_000],
  [18, 86_400_000],
  [25, 86_400_000],
  [32_000, 86_400_000], // 2 ** 31999 is Infinity
])('by default, after %d attempts: %d ms', (attempts, ms) => {
  expect(backoffMs(DEFAULT_BACKOFF, attempts, MIDDLE)).toBe(ms)
})

test('a multiplier of 1 keeps the first wait', () => {
  const policy = { retryBackoffMs: 500, retryBackoffMax: 10_000, retryBackoffMult: 1 }
  expect([1, 2, 25].map((attempts) => backoffMs(policy, attempts, MIDDLE))).toEqual([500, 500, 500])
})

const policies = fc.record({
  retryBackoffMs: fc.integer({ min: 100, max: 86_400_000 }),
  retryBackoffMax: fc.integer({ min: 86_400_000, max: 604_800_000 }),
  retryBackoffMult: fc.double({ min: 1, max: 10, noNaN: true }),
})
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('jitter stays within 10 % either way', () => {
  fc.assert(
    fc.property(policies, fc.integer({ min: 1, max: 40 }), random, (policy, attempts, r) => {
      const base = backoffMs(policy, attempts, MIDDLE)
      const ms = backoffMs(policy, attempts, r)
      expect(Math.abs(ms - base)).toBeLessThanOrEqual(base * 0.1 + 1)
    }),
  )
})

test('jitter spreads over the whole 20 %', () => {
  expect(backoffMs(DEFAULT_BACKOFF, 1, 0)).toBe(900)
  expect(backoffMs(DEFAULT_BACKOFF, 1, 0.999_999)).toBe(1_100)
})

test('what the endpoint asks for is a floor up to the maximum, above which jitter only adds', () => {
  fc.assert(
    fc.property(policies, random, fc.integer({ min: 0, max: 2 ** 40 }), (policy, r, floorMs) => {
      const floor = Math.min(floorMs, policy.retryBackoffMax)
      const ms = backoffMs(policy, 1, r, floorMs)
      expect(ms).toBeGreaterThanOrEqual(floor)
      expect(ms).toBeLessThanOrEqual(policy.retryBackoffMax * 1.1 + 1)
    }),
  )
  expect(backoffMs(DEFAULT_BACKOFF, 1, 0, 60_000)).toBe(60_000)
  expect(backoffMs(DEFAULT_BACKOFF, 1, MIDDLE, 60_000)).toBe(63_000)
  expect(backoffMs(DEFAULT_BACKOFF, 4, MIDDLE, 5_000)).toBe(8_000)
})

describe('Retry-After', () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 7)
  test.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['0', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
    ['Sun Nov  6 08:49:37 1994', 30_000],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0], // past
    [undefined, null],
    ['', null],
    ['soon', null],
    ['in 5 minutes', null],
    ['-5', null],
    ['1.5', null],
    ['5 seconds', null],
    ['2040', 2_040_000],
    ['99999999999', null],
    ['1994-11-06', null],
    ['Sun, 99 Nov 1994 08:49:37 GMT', null],
  ])('%j', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected)
  })
})
