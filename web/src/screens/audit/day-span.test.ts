/** Days that somebody chose, as the API takes them. */
import { expect, test } from '@jest/globals'
import { spanOfDays, timeOfDay } from './day-span.ts'

test('the last day counts whole, and what is no day is left out', () => {
  const start = new Date(2026, 9, 24).toISOString()
  const end = new Date(2026, 9, 26).toISOString()
  expect(spanOfDays('2026-10-24', '2026-10-25')).toEqual({ from: start, to: end })
  expect(spanOfDays(undefined, 'soon')).toEqual({})
  expect(timeOfDay('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString())
})
