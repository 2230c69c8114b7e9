/** Ranges of charts: from a URL to what the API is asked for. */
import { expect, test } from '@jest/globals'
import { presetOf, rangeBefore, rangeOf } from './analytics-range.ts'

const NOW = Date.parse('2026-11-22T19:22:30Z')

test('a preset begins with a whole hour or day and ends now', () => {
  expect(rangeOf({}, NOW)).toEqual({ from: '2026-11-21T20:00:00.000Z' })
  expect(rangeOf({ range: '7d' }, NOW)).toEqual({ from: '2026-11-15T20:00:00.000Z' })
  expect(rangeOf({ range: '30d' }, NOW)).toEqual({ from: '2026-10-24T00:00:00.000Z' })
  expect(presetOf('constructor')).toBe('24h')
})

test('from and to win over a preset where they are a range', () => {
  const given = { range: '7d', from: '2026-11-20T10:00:00Z', to: '2026-11-20T12:00:00Z' }
  const asked = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T12:00:00.000Z' }
  expect(rangeOf(given, NOW)).toEqual(asked)
  const seven = rangeOf({ range: '7d' }, NOW)
  expect(rangeOf({ ...given, to: 'soon' }, NOW)).toEqual(seven)
  expect(rangeOf({ ...given, to: '2026-11-20T10:00:00Z' }, NOW)).toEqual(seven)
})

test('the range before is as long and ends where the range begins', () => {
  expect(rangeBefore(rangeOf({}, NOW), NOW)).toEqual({
    from: '2026-11-20T20:37:00.000Z',
    to: '2026-11-21T20:00:00.000Z',
  })
})
