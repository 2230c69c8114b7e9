import { expect, test } from '@jest/globals'
import {
  dayOf,
  dayText,
  monthOf,
  monthOfDay,
  monthText,
  startOfDay,
  startOfMonth,
} from './usage-period.ts'

test.each([
  ['1970-01-01T00:00:00.000Z', '1970-01-01', '1970-01'],
  ['2026-11-30T23:59:59.999Z', '2026-11-30', '2026-11'],
  ['2026-12-01T00:00:00.000Z', '2026-12-01', '2026-12'],
  ['2028-02-29T12:00:00.000Z', '2028-02-29', '2028-02'],
])('%s is in the day %s and the month %s', (text, day, month) => {
  const at = Date.parse(text)
  expect(dayText(dayOf(at))).toBe(day)
  expect(monthText(monthOf(at))).toBe(month)
  expect(monthOfDay(dayOf(at))).toBe(monthOf(at))
})

test('a period ends where the next one begins', () => {
  for (let day = dayOf(Date.UTC(2027, 11, 1)); day < dayOf(Date.UTC(2029, 0, 2)); day += 1) {
    const start = startOfDay(day).getTime()
    expect(dayOf(start)).toBe(day)
    expect(dayOf(start - 1)).toBe(day - 1)
    const month = monthOf(start)
    expect(startOfMonth(month).getTime()).toBeLessThanOrEqual(start)
    expect(startOfMonth(month + 1).getTime()).toBeGreaterThan(start)
  }
})
