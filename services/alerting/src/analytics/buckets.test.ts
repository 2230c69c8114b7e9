import { describe, expect, test } from '@jest/globals'
import { bucketsOf, rangeOf, unitOf } from './buckets.ts'

const NOW = Date.parse('2026-03-10T12:34:56.789Z')
const DAY_MS = 86_400_000

describe('the range of analytics', () => {
  test('is the last 24 hours where nothing is said, and as much before `to` alone', () => {
    expect(rangeOf({}, NOW)).toEqual({ from: NOW - DAY_MS, to: NOW })
    const to = '2026-01-02T00:00:00Z'
    expect(rangeOf({ to }, NOW)).toEqual({ from: Date.parse(to) - DAY_MS, to: Date.parse(to) })
  })

  test.each([
    ['begins with its end', { from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    ['begins after its end', { from: '2026-01-02T00:00:01Z', to: '2026-01-02T00:00:00Z' }],
    ['begins in the future', { from: '2026-03-10T12:34:57Z' }],
    ['is over 400 days', { from: '2025-01-01T00:00:00Z', to: '2026-02-05T00:00:01Z' }],
  ])('is refused where it %s', (_, query) => {
    expect(() => rangeOf(query, NOW)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  test('has hours up to seven days, and days one second beyond', () => {
    const week = {
      from: Date.parse('2026-03-01T00:00:00Z'),
      to: Date.parse('2026-03-08T00:00:00Z'),
    }
    expect([unitOf(week), bucketsOf(week).length]).toEqual(['hour', 168])
    const longer = { ...week, to: week.to + 1_000 }
    expect([unitOf(longer), bucketsOf(longer).length]).toEqual(['day', 8])
    const longest = { from: week.to - 400 * DAY_MS, to: week.to }
    expect(bucketsOf(longest)).toHaveLength(400)
  })

  test('cuts off its first and its last bucket', () => {
    const range = {
      from: Date.parse('2026-03-10T10:20:00Z'),
      to: Date.parse('2026-03-10T12:10:00Z'),
    }
    expect(
      bucketsOf(range).map((bucket) =>
        [bucket.start, bucket.from, bucket.to].map((at) =>
          new Date(at).toISOString().slice(11, 16),
        ),
      ),
    ).toEqual([
      ['10:00', '10:20', '11:00'],
      ['11:00', '11:00', '12:00'],
      ['12:00', '12:00', '12:10'],
    ])
  })
})
