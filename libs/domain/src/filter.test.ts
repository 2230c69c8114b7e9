import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type CompiledFilter,
  type Condition,
  compileFilter,
  type FilterOperator,
} from './filter.ts'

type Ok = Extract<CompiledFilter, { outcome: 'ok' }>

function compiled(conditions: readonly Condition[]): Ok {
  const filter = compileFilter(conditions)
  if (filter.outcome === 'invalid') throw new Error(JSON.stringify(filter.problems))
  return filter
}

function holds(operator: FilterOperator, value: unknown, payload: unknown, field = '$.v'): boolean {
  return compiled([{ field, operator, value }]).evaluate(payload).matches
}

const nested = { a: [1, { b: null }], c: 'x' }
const nestedOtherwise = { c: 'x', a: [1, { b: null }] }

/** Each against `{v: found}`. */
test.each<[found: unknown, operator: FilterOperator, value: unknown, expected: boolean]>([
  [1, 'eq', 1, true],
  [1, 'eq', '1', false],
  ['1', 'eq', 1, false],
  [1, 'eq', true, false],
  [0, 'eq', false, false],
  [0, 'eq', null, false],
  [null, 'eq', null, true],
  [-0, 'eq', 0, true],
  ['', 'eq', '', true],
  ['a', 'eq', 'A', false],
  [nested, 'eq', nestedOtherwise, true],
  [[1, 2], 'eq', [1, 2], true],
  [[1, 2], 'eq', [2, 1], false],
  [[1, 2], 'eq', [1, 2, 3], false],
  [[1, 2, 3], 'eq', [1, 2], false],
  [[], 'eq', {}, false],
  [[], 'eq', [], true],
  [['1,2'], 'eq', ['1', '2'], false],
  [[1], 'eq', ['1'], false],
  [[null], 'eq', [[]], false],
  [{ a: 1 }, 'eq', { a: 1, b: 2 }, false],
  ['[]', 'eq', [], false],
  [1, 'ne', 2, true],
  [1, 'ne', '1', true],
  [1, 'ne', 1, false],
  [nested, 'ne', nestedOtherwise, false],
  [2, 'gt', 1, true],
  [1, 'gt', 1, false],
  ['2', 'gt', 1, false],
  [true, 'gt', 0, false],
  [null, 'gte', 0, false],
  [1, 'gte', 1, true],
  [0.5, 'lt', 1, true],
  [1, 'lt', 1, false],
  [null, 'lt', 1, false],
  [1, 'lte', 1, true],
  [[0], 'lte', 1, false],
  ['b', 'in', ['a', 'b'], true],
  ['c', 'in', ['a', 'b'], false],
  [1, 'in', ['1'], false],
  [null, 'in', [null], true],
  [{ a: 1 }, 'in', ['x', { a: 1 }], true],
  ['b', 'in', [], false],
  [['a', 'b'], 'in', ['a', 'b'], false],
  ['c', 'nin', ['a', 'b'], true],
  ['b', 'nin', ['a', 'b'], false],
  ['b', 'nin', [], true],
  [[1, 'b'], 'contains', 'b', true],
  [[1, 'bc'], 'contains', 'b', false],
  [[1, '1'], 'contains', 1, true],
  [['1'], 'contains', 1, false],
  [[{ a: 1 }], 'contains', { a: 1 }, true],
  [[[1]], 'contains', [1], true],
  ['abc', 'contains', 'b', true],
  ['abc', 'contains', 'B', false],
  ['a1c', 'contains', 1, false],
  [{ b: 1 }, 'contains', 'b', false],
  ['abc', 'startsWith', 'ab', true],
  ['abc', 'startsWith', 'bc', false],
  [['ab'], 'startsWith', 'ab', false],
  [12, 'startsWith', '1', false],
  ['abc', 'endsWith', 'bc', true],
  ['abc', 'endsWith', 'ab', false],
  [12, 'endsWith', '2', false],
  [1, 'exists', true, true],
  [null, 'exists', true, true],
  [null, 'exists', false, false],
  ['order-1234', 'regex', 'r-\\d+', true],
  ['order-1234', 'regex', '^\\d+', false],
  ['Order', 'regex', '(?i)^order$', true],
  ['a\nb', 'regex', 'a.b', false],
  ['ß', 'regex', '^\\pL$', true],
  [1234, 'regex', '\\d', false],
  [null, 'regex', 'null', false],
])('%j %s %j: %s', (found, operator, value, expected) => {
  expect(holds(operator, value, { v: found })).toBe(expected)
})

const SAMPLES: [FilterOperator, unknown][] = [
  ['eq', null],
  ['ne', 1],
  ['gt', -1],
  ['gte', 0],
  ['lt', 1],
  ['lte', 0],
  ['in', [null, 0]],
  ['nin', [1]],
  ['contains', ''],
  ['startsWith', ''],
  ['endsWith', ''],
  ['exists', true],
  ['regex', ''],
]

test.each(SAMPLES)('a path that finds nothing does not satisfy %s %j', (operator, value) => {
  for (const payload of [{}, null, 'v', { w: { v: 1 } }]) {
    expect(holds(operator, value, payload)).toBe(false)
    expect(holds('exists', false, payload)).toBe(true)
  }
})

test('of several values one is enough, for what denies too', () => {
  const payload = { v: [{ n: 1 }, { n: 2 }, { n: 'x' }] }
  const any = (operator: FilterOperator, value: unknown): boolean =>
    holds(operator, value, payload, '$.v[*].n')
  expect(any('eq', 2)).toBe(true)
  expect(any('eq', 3)).toBe(false)
  expect(any('gt', 1)).toBe(true)
  expect(any('gt', 2)).toBe(false)
  expect(any('ne', 1)).toBe(true)
  expect(any('nin', [1, 2, 'x'])).toBe(false)
  expect(any('startsWith', 'x')).toBe(true)
  expect(holds('exists', true, { v: [] }, '$.v[*]')).toBe(false)
})

test('all conditions must hold, and the first that does not is told with what was found', () => {
  const conditions: Condition[] = [
    { field: '$.amount', operator: 'gte', value: 100 },
    { field: '$.tags[*]', operator: 'eq', value: 'vip' },
    { field: '$.none', operator: 'exists', value: true },
  ]
  const { evaluate } = compiled(conditions)
  expect(evaluate({ amount: 100, tags: ['new', 'vip'], none: 0 })).toEqual({ matches: true })
  expect(evaluate({ amount: 100, tags: ['new', 'old'] })).toEqual({
    matches: false,
    failed: { condition: conditions[1], index: 1, found: ['new', 'old'] },
  })
  expect(evaluate({ amount: 100, tags: ['vip'] })).toEqual({
    matches: false,
    failed: { condition: conditions[2], index: 2, found: [] },
  })
  expect(compiled([]).evaluate({})).toEqual({ matches: true })
})

test.each<[operator: string, value: unknown, message: RegExp]>([
  ['gt', '1', /number/],
  ['gte', null, /number/],
  ['lt', [1], /number/],
  ['lte', true, /number/],
  ['in', 'a', /list of at most 100/],
  ['in', Array.from({ length: 101 }, () => 1), /list of at most 100/],
  ['nin', { a: 1 }, /list of at most 100/],
  ['startsWith', 1, /text of at most 1000/],
  ['startsWith', 'x'.repeat(1_001), /text of at most 1000/],
  ['endsWith', null, /text of at most 1000/],
  ['contains', 'x'.repeat(251), /at most 250/],
  ['exists', 'true', /true or false/],
  ['exists', 0, /true or false/],
  ['regex', 1, /pattern of at most 1000/],
  ['regex', 'x'.repeat(1_001), /pattern of at most 1000/],
  ['regex', '(', /not a pattern that RE2 takes: .*missing closing/],
  ['regex', '(?=a)', /not a pattern that RE2 takes/],
  ['regex', '(a)\\1', /not a pattern that RE2 takes/],
  ['regex', '(a{100}){10}', /too large/],
])('%s %j is refused', (operator, value, message) => {
  expect(compileFilter([{ field: '$.v', operator, value } as Condition])).toEqual({
    outcome: 'invalid',
    problems: [{ path: '0.value', message: expect.stringMatching(message) }],
  })
})

test('lists and texts of the greatest length are taken', () => {
  expect(
    holds(
      'in',
      Array.from({ length: 100 }, (_, n) => n),
      { v: 99 },
    ),
  ).toBe(true)
  expect(holds('startsWith', 'x'.repeat(1_000), { v: 'x'.repeat(1_001) })).toBe(true)
  expect(holds('contains', 'x'.repeat(250), { v: `y${'x'.repeat(250)}` })).toBe(true)
  expect(holds('regex', '^[a-z]{100}$', { v: 'x'.repeat(100) })).toBe(true)
})

test('every mistake is named by its condition and part', () => {
  const conditions = [
    { field: '$..a', operator: 'gt', value: 'x' },
    { field: '$.a', operator: 'eq', value: 1 },
    { field: 'a', operator: 'eq', value: 1 },
    { field: '$.a', operator: 'constructor', value: 1 },
  ] as Condition[]
  const filter = compileFilter(conditions)
  const paths = filter.outcome === 'invalid' ? filter.problems.map(({ path }) => path) : []
  expect(paths).toEqual(['0.field', '0.value', '2.field', '3.operator'])
})

test('patterns that make other engines backtrack for ever take no time, and read only so much', () => {
  const began = performance.now()
  expect(holds('regex', '^(a+)+$', { v: `${'a'.repeat(60_000)}b` })).toBe(false)
  expect(holds('regex', '(.*)*x', { v: 'a'.repeat(60_000) })).toBe(false)
  expect(performance.now() - began).toBeLessThan(1_000)

  const { evaluate } = compiled([{ field: '$[*]', operator: 'regex', value: 'b$' }])
  const long = 'a'.repeat(40_000)
  for (const times of [1, 2, 3]) {
    expect({ times, ...evaluate([long, `${'a'.repeat(20_000)}b`]) }).toEqual({
      times,
      matches: true,
    })
    expect(evaluate([long, `${'a'.repeat(40_000)}b`]).matches).toBe(false)
  }
})

test('a number beyond the doubles is no null', () => {
  const payload = JSON.parse('{"v": [1e999]}')
  expect(holds('eq', [null], payload)).toBe(false)
  expect(holds('contains', null, payload)).toBe(false)
  expect(holds('gt', 1, payload, '$.v[0]')).toBe(true)
})

/** The same value with its members in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, item]) => [name, reordered(item)]))
}

/** Of few parts, so that two of them are equal, or nearly, often enough. */
const { value: alike } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(0, 1, '', '0', '[]', '{}', null, 'null', true, 'true', ','),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
}))

test('equality is that of JSON values, and its denial the opposite', () => {
  fc.assert(
    fc.property(fc.oneof(alike, fc.jsonValue()), alike, (left, right) => {
      expect(holds('eq', left, { v: reordered(left) })).toBe(true)
      expect(holds('in', [right, left], { v: reordered(left) })).toBe(true)
      const equal = isDeepStrictEqual(jsonOf(left), jsonOf(right))
      expect(holds('eq', right, { v: left })).toBe(equal)
      expect(holds('ne', right, { v: left })).toBe(!equal)
      expect(holds('nin', [right], { v: left })).toBe(!equal)
      expect(holds('contains', right, { v: [left] })).toBe(equal)
    }),
    { numRuns: 2_000 },
  )
})

/** As it comes from a body: without the prototypes that generators give. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

test('no payload makes a filter throw', () => {
  const conditions = SAMPLES.flatMap(([operator, value]) =>
    ['$', '$.a', '$[*]', '$.*.*', '$[0]', '$.a[-1].b'].map((field) => ({ field, operator, value })),
  )
  const filters = conditions.map((condition) => compiled([condition]))
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      for (const { evaluate } of filters) expect(typeof evaluate(payload).matches).toBe('boolean')
    }),
  )
})
