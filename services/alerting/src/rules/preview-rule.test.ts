import { describe, expect, test } from '@jest/globals'
import { firingsOf, timesOf } from './preview-rule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-06-01T12:00:30Z')

describe('the times', () => {
  test('are each minute of a few hours, and each second minute of a day', () => {
    expect(timesOf(1, NOW)).toEqual(
      Array.from({ length: 60 }, (_, index) => NOW - (59 - index) * MINUTE),
    )
    const day = timesOf(24, NOW)
    expect(day).toHaveLength(720)
    expect((day[1] as number) - (day[0] as number)).toBe(2 * MINUTE)
  })

  test('are each hour of what lies before, and end now', () => {
    const week = timesOf(168, NOW)
    expect(week.at(-1)).toBe(NOW)
    expect((week[1] as number) - (week[0] as number)).toBe(HOUR)
    expect(week.length).toBeLessThanOrEqual(144 + 720 + 1)
    expect(week[0]).toBeGreaterThan(NOW - 168 * HOUR)
  })
})

describe('firings', () => {
  const steps = (...values: (number | null)[]) =>
    values.map((value, index) => ({ at: NOW + index * MINUTE, value }))
  const at = (index: number): string => new Date(NOW + index * MINUTE).toISOString()

  test('last from the first match to the first step without one, and have a peak', () => {
    const found = firingsOf({ operator: 'gt', value: 50 }, steps(40, 60, 80, 50, null, 51, 52))
    expect(found).toEqual([
      { from: at(1), to: at(3), peak: 80 },
      { from: at(5), to: at(6), peak: 52 },
    ])
  })

  test('of a low threshold have their lowest value as peak', () => {
    const found = firingsOf({ operator: 'lt', value: 5 }, steps(4, 1, 3, 9))
    expect(found).toEqual([{ from: at(0), to: at(3), peak: 1 }])
  })

  test('there are none without data', () => {
    expect(firingsOf({ operator: 'ne', value: 5 }, steps(null, null))).toEqual([])
  })
})
