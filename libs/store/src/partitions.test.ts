import { expect, test } from '@jest/globals'
import { idSpan } from './partitions.ts'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const DAYS = ['20261120', '20261121', '20261122', '20271201', '20271202']

test.each([
  ['within days that are whole', '2026-11-21', '2026-11-20', '2026-11-23'],
  ['on the first of them', '2026-11-20', '2026-11-20', '2026-11-23'],
  ['in a gap: those before it', '2027-05-05', '2026-11-20', '2026-11-23'],
  ['among days that were made while a clock was ahead', '2027-12-02', '2027-12-01', '2027-12-03'],
  ['after the last', '2030-01-01', '2027-12-01', '2027-12-03'],
  ['before the first', '1970-01-01', '2026-11-20', '2026-11-23'],
])('ids span the unbroken days around now: %s', (_, now, from, to) => {
  expect(idSpan(DAYS, day(now) + 3_600_000)).toEqual({ from: day(from), to: day(to) })
  expect(idSpan(DAYS.toReversed(), day(now) + 3_600_000)).toEqual({ from: day(from), to: day(to) })
})

test('over the end of a month and without any day', () => {
  expect(idSpan(['20260228', '20260301'], day('2026-03-01'))).toEqual({
    from: day('2026-02-28'),
    to: day('2026-03-02'),
  })
  expect(idSpan([], 0)).toBeUndefined()
})
