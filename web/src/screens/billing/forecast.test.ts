/** Forecasts of a month. */
import { expect, test } from '@jest/globals'
import { forecastOf } from './forecast.ts'

const DAY = 86_400_000

test.each([
  ['half of the month', 15, 100, 200],
  ['its end', 30, 100, 100],
  ['after its end', 40, 100, 100],
  ['its first moment, which says little', 0, 10, 600],
])('at %s', (_, days, events, expected) => {
  expect(forecastOf(events, 0, 30 * DAY, days * DAY)).toBe(expected)
})
