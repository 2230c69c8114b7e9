import { expect, test } from '@jest/globals'
import { idAt } from '@posthorn/domain/ids'
import { toTimeRange } from './time-range.ts'

const HOUR_MS = 3_600_000
const now = Date.parse('2026-03-10T12:00:00Z')
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

test.each([
  [{}, now - 24 * HOUR_MS, null],
  [{ range: '7d' } as const, now - 7 * 24 * HOUR_MS, null],
  [{ start: '2026-03-01T00:00:00+01:00' }, Date.parse('2026-02-28T23:00:00Z'), null],
  [
    { start: '2026-03-01T00:00:00Z', range: '1h' } as const,
    Date.parse('2026-03-01T00:00:00Z'),
    null,
  ],
  [
    { end: '2026-03-01T00:00:00Z', range: '1h' } as const,
    Date.parse('2026-02-28T23:00:00Z'),
    Date.parse('2026-03-01T00:00:00Z'),
  ],
  [
    { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z', range: '1h' } as const,
    Date.parse('2026-03-01T00:00:00Z'),
    Date.parse('2026-03-02T00:00:00Z'),
  ],
])('%j is a range of ids', (query, from, before) => {
  const beforeId = before === null ? LAST : idAt(before)
  expect(toTimeRange(query, now)).toEqual({ outcome: 'ok', fromId: idAt(from), beforeId })
})

test('a start after the end is named', () => {
  const query = { start: '2026-03-02T00:00:00Z', end: '2026-03-01T00:00:00Z' }
  expect(toTimeRange(query, now)).toMatchObject({ outcome: 'invalid', path: 'start' })
})

test('a start before 1970 and one in the future are ranges, too', () => {
  expect(toTimeRange({ start: '0001-01-01T00:00:00Z' }, now)).toMatchObject({ fromId: idAt(0) })
  expect(toTimeRange({ start: '9999-12-31T23:59:59Z' }, now)).toMatchObject({
    outcome: 'ok',
    beforeId: LAST,
  })
})
