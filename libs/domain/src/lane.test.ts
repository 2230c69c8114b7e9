import { expect, test } from '@jest/globals'
import { compilePath } from './json-path.ts'
import { DEEP_LANE, laneOf, MISSING_LANE, ONLY_LANE } from './lane.ts'
import { MAX_NESTING } from './nesting.ts'

function lane(path: string, payload: unknown): string {
  const compiled = compilePath(path)
  if (compiled.outcome !== 'ok') throw new Error(compiled.reason)
  return laneOf(compiled.find(payload))
}

test('a scalar is its own JSON text: a number and its spelling as text are two lanes', () => {
  expect(lane('$.n', { n: 7 })).toBe('7')
  expect(lane('$.n', { n: '7' })).toBe('"7"')
  expect(lane('$.n', { n: null })).toBe('null')
  expect(lane('$.n', { n: '' })).toBe('""')
})

test('several matches, and what is no scalar, are their JSON text', () => {
  expect(lane('$.n[*]', { n: [1, 'a'] })).toBe('[1,"a"]')
  expect(lane('$.n[*]', { n: ['a'] })).toBe('"a"')
  expect(lane('$.n', { n: { a: [1] } })).toBe('{"a":[1]}')
})

test('a missing value is a lane of its own, whatever other values there are', () => {
  expect(lane('$.n', {})).toBe(MISSING_LANE)
  expect(lane('$.n', { n: MISSING_LANE })).not.toBe(MISSING_LANE)
  expect(lane('$.n', { n: ONLY_LANE })).not.toBe(ONLY_LANE)
})

test('a long value is short enough for a key, and still a lane of its own', () => {
  const [one, other] = ['a', 'b'].map((end) => lane('$.n', { n: 'x'.repeat(10_000) + end }))
  expect(one).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(one).not.toBe(other)
  expect(lane('$.n', { n: 'x'.repeat(198) })).toHaveLength(200)
  expect(lane('$.n', { n: 'x'.repeat(199) })).toHaveLength(71)
})

test('what Postgres refuses in text is escaped', () => {
  expect(lane('$.n', { n: '\0\ud800' })).toBe('"\\u0000\\ud800"')
})

// 5,000 levels in 10 KB threw a RangeError, and the tenant's later events waited behind that event
// for ever.
test('a value of any depth has a lane, and those that no door takes any more share one', () => {
  const nested = (levels: number, inner = ''): unknown =>
    JSON.parse('['.repeat(levels) + inner + ']'.repeat(levels))
  for (const levels of [MAX_NESTING + 1, 5_000, 1_000_000]) {
    expect(lane('$.n', { n: nested(levels) })).toBe(DEEP_LANE)
    expect(lane('$.n', { n: nested(levels, '1') })).toBe(DEEP_LANE)
    expect(lane('$.n[*].a', { n: [{ a: 1 }, { a: nested(levels) }] })).toBe(DEEP_LANE)
  }
  expect(lane('$.n', { n: nested(MAX_NESTING) })).not.toBe(DEEP_LANE)
  expect(lane('$.n', { n: nested(MAX_NESTING, '1') })).not.toBe(
    lane('$.n', { n: nested(MAX_NESTING) }),
  )
  expect(lane('$.n', { n: DEEP_LANE })).not.toBe(DEEP_LANE)
})
