import { describe, expect, test } from '@jest/globals'
import { segmentsOf } from './read-window.ts'

const NOW = Date.parse('2026-03-10T12:34:56Z')
const at = (text: string): number => Date.parse(`2026-${text}Z`)

function shown(from: string, to: string | number): string[] {
  const end = typeof to === 'number' ? to : at(to)
  return segmentsOf(at(from), end, NOW).map(
    ({ grain, ...span }) =>
      `${grain} ${new Date(span.from).toISOString().slice(5, 16)} ${new Date(span.to).toISOString().slice(5, 16)}`,
  )
}

describe('the segments of a window', () => {
  test('begin at the minute and, up to now, end with the present hour', () => {
    expect(shown('03-10T12:29:56', NOW)).toEqual(['minutes 03-10T12:29 03-10T13:00'])
    expect(shown('03-10T11:34:56', NOW)).toEqual([
      'minutes 03-10T11:34 03-10T12:00',
      'hours 03-10T12:00 03-10T13:00',
    ])
  })

  test('in the last day are exact to the minute at both ends', () => {
    expect(shown('03-10T08:10:00', '03-10T11:05:00')).toEqual([
      'minutes 03-10T08:10 03-10T09:00',
      'hours 03-10T09:00 03-10T11:00',
      'minutes 03-10T11:00 03-10T11:05',
    ])
    expect(shown('03-10T08:10:10', '03-10T08:11:10')).toEqual(['minutes 03-10T08:10 03-10T08:12'])
  })

  test('that are older are exact to the hour, with days between', () => {
    expect(shown('02-08T12:34:56', NOW)).toEqual([
      'hours 02-08T12:00 02-09T00:00',
      'days 02-09T00:00 03-10T00:00',
      'hours 03-10T00:00 03-10T13:00',
    ])
    expect(shown('03-01T01:10:00', '03-01T02:20:00')).toEqual(['hours 03-01T01:00 03-01T03:00'])
  })

  test('cover each window once, whatever its ends', () => {
    for (let n = 1; n < 2_000; n += 1) {
      const from = NOW - ((n * 7_919_113) % (40 * 86_400_000))
      const to = from + ((n * 104_729_017) % (35 * 86_400_000)) + 1
      const segments = segmentsOf(from, to, NOW).sort((a, b) => a.from - b.from)
      expect(segments[0]?.from).toBeLessThanOrEqual(from)
      expect(segments.at(-1)?.to).toBeGreaterThanOrEqual(to)
      for (const [index, segment] of segments.entries()) {
        if (index > 0) expect(segment.from).toBe(segments[index - 1]?.to)
      }
    }
  })

  test('of nothing are none', () => {
    expect(shown('03-10T08:10:00', '03-10T08:10:00')).toEqual([])
  })
})
