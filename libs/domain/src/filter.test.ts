import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import { leastCpuMs } from '@posthorn/testing/processor-time'
import fc from 'fast-check'
import {
  type CompiledFilter,
  type Condition,
  compileFilter,
  type FilterOperator,
} from './filter.ts'
import { parseInSteps, UNREAD } from './json-in-steps.ts'

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

/** Each is evaluated against `{v: found}`. */
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

test('all conditions must hold, and the first that fails is reported with the values found', () => {
  const conditions: Condition[] = [
    { field: '$.amount', operator: 'gte', value: 100 },
    { field: '$.tags[*]', operator: 'eq', value: 'vip' },
    { field: '$.none', operator: 'exists', value: true },
  ]
  const { evaluate } = compiled(conditions)
  expect(evaluate({ amount: 100, tags: ['new', 'vip'], none: 0 })).toEqual({ matches: true })
  expect(evaluate({ amount: 100, tags: ['new', 'old'] })).toEqual({
    matches: false,
    failed: { condition: conditions[1], index: 1, found: ['new', 'old'], tooCostly: false },
  })
  expect(evaluate({ amount: 100, tags: ['vip'] })).toEqual({
    matches: false,
    failed: { condition: conditions[2], index: 2, found: [], tooCostly: false },
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
  ['regex', '(ab?){1000}', /too large/],
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

/** It takes 2 to 8 ms. */
const MOST_MS = 25

test('patterns that make other engines backtrack for ever take no time', () => {
  expect(holds('regex', '^(a+)+$', { v: `${'a'.repeat(20_000)}b` })).toBe(false)
  expect(holds('regex', '(.*)*x', { v: 'a'.repeat(20_000) })).toBe(false)
  expect(holds('regex', '^[a-z]+-\\d{4}$', { v: `${'x'.repeat(30_000)}-1234` })).toBe(true)
})

const words = Array.from({ length: 65_000 }, (_, n) => 'ab'[((n * 7_919) >> 3) & 1]).join('')
const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n]))
const numbers = Array.from({ length: 60_000 }, (_, n) => n % 10)

/** Filters with 20 conditions that took up to 5 s a payload before steps were counted. */
test.each<[field: string, operator: FilterOperator, value: unknown, payload: unknown]>([
  ['$.v', 'regex', 'a[ab]{40}[cd]', { v: words }],
  ['$.v[*]', 'regex', 'a[ab]{40}[cd]', { v: Array.from({ length: 1_000 }, () => words.slice(99)) }],
  ['$.*', 'ne', -1, members],
  [
    '$.v[*][*].none',
    'exists',
    false,
    { v: Array.from({ length: 300 }, () => numbers.slice(-300)) },
  ],
  ['$.v', 'contains', { a: 1 }, { v: numbers.map(() => ({ a: 2 })) }],
  ['$.v', 'contains', `${'a'.repeat(249)}b`, { v: 'a'.repeat(260_000) }],
  ['$', 'ne', Object.fromEntries(Object.entries(members).slice(0, 100)), members],
  ['$.v', 'nin', [numbers.slice(-1_000)], { v: numbers }],
])('%s %s %j costs no more than a filter may', (field, operator, value, payload) => {
  const { evaluate } = compiled(Array.from({ length: 20 }, () => ({ field, operator, value })))
  expect(leastCpuMs(MOST_MS, () => evaluate(payload))).toBeLessThan(MOST_MS)
})

test('a filter that would take too many steps does not match, and says so, each time', () => {
  const conditions: Condition[] = [
    { field: '$.v', operator: 'exists', value: true },
    { field: '$.v', operator: 'regex', value: 'a[ab]{480}[cd]' },
  ]
  const { evaluate } = compiled(conditions)
  const failed = { condition: conditions[1], index: 1, found: [words], tooCostly: true }
  for (const times of [1, 2, 3]) {
    expect({ times, ...evaluate({ v: words }) }).toEqual({ times, matches: false, failed })
    expect(evaluate({ v: `${words.slice(0, 300)}` }).matches).toBe(false)
    expect(evaluate({ v: `a${words.slice(0, 480)}c` }).matches).toBe(true)
  }
})

test('conditions that are too costly at any size are refused when they are saved', () => {
  const regex = (value: string, times: number) =>
    compileFilter(Array.from({ length: times }, () => ({ field: '$.v', operator: 'regex', value })))
  expect(regex('a[ab]{480}[cd]', 3).outcome).toBe('ok')
  const many = regex('a[ab]{480}[cd]', 10)
  expect(many).toMatchObject({
    problems: [{ path: '3.value' }, { path: '4.value' }, {}, {}, {}, {}, {}],
  })
  expect(JSON.stringify(many)).toMatch(/too costly together/)
  const large = [{ field: '$.v', operator: 'eq' as const, value: 'x'.repeat(70_000) }]
  expect(JSON.stringify(compileFilter(large))).toMatch(/at most 65536 characters/)
  const path = [{ field: `$${'.a'.repeat(600)}`, operator: 'eq' as const, value: 1 }]
  expect(JSON.stringify(compileFilter(path))).toMatch(/0.field.*at most 1000 characters/)
})

test('whatever the filter and the payload, the cost is bounded', () => {
  const condition = fc.record({
    field: fc.constantFrom('$', '$.*', '$.v', '$.v[*]', '$.*.*', '$.v[*].*', '$[*][*][*]'),
    operator: fc.constantFrom<FilterOperator>('eq', 'ne', 'nin', 'contains', 'regex', 'exists'),
    value: fc.constantFrom<unknown>('a[ab]{90}c', '(a|b|ab)*c', [1, {}], { k1: 1 }, true),
  })
  const payloads: unknown[] = [
    { v: words },
    members,
    { v: members },
    { v: numbers },
    { v: numbers.slice(0, 5_000).map((n) => ({ n, m: 'abab' })) },
    Array.from({ length: 60 }, () => Array.from({ length: 600 }, () => [1])),
  ]
  const which = fc.nat({ max: payloads.length - 1 })
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 20 }), which, (filter, at) => {
      const value = payloads[at]
      const made = compileFilter(filter)
      if (made.outcome === 'invalid') return
      made.evaluate(value)
      expect(leastCpuMs(MOST_MS, () => made.evaluate(value))).toBeLessThan(MOST_MS)
    }),
    { numRuns: 100, endOnFailure: true },
  )
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

/** Built from few parts, so that two values are often equal or nearly equal. */
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

/** As parsed from a body: without the prototypes that generators give. */
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

test('values of a megabyte are refused without reading all of them', () => {
  const parsing = parseInSteps(`{${Array.from({ length: 90_000 }, (_, n) => `"f${n}":0`).join()}}`)
  let step = parsing.next()
  while (step.done !== true) step = parsing.next()
  const { value } = step
  const compile = () => compileFilter([{ field: '$.a', operator: 'in', value }])
  expect(compile()).toMatchObject({
    outcome: 'invalid',
    problems: [{ path: '0.value', message: expect.stringMatching(/at most 65536 characters/) }],
  })
  expect(leastCpuMs(5, compile)).toBeLessThan(5)
})

test('nothing matches what was not read, and nothing is said of it', () => {
  const beyond = SAMPLES.filter(([operator]) => operator !== 'exists')
  for (const [operator, value] of beyond) {
    const filter = compiled([{ field: '$.v', operator, value }])
    expect(filter.evaluate({ v: UNREAD })).toMatchObject({ failed: { tooCostly: true } })
  }
  const nestedOnce = compiled([{ field: '$.v', operator: 'ne', value: [{}, {}] }])
  expect(nestedOnce.evaluate({ v: [{}, UNREAD] })).toMatchObject({ failed: { tooCostly: true } })
  const inList = compiled([{ field: '$.v', operator: 'contains', value: 2 }])
  expect(inList.evaluate({ v: [1, 2, UNREAD] })).toEqual({ matches: true })
  expect(inList.evaluate({ v: [1, UNREAD, 2] })).toMatchObject({ failed: { tooCostly: true } })
  const within = compiled([{ field: '$.v.a', operator: 'exists', value: false }])
  expect(within.evaluate({ v: UNREAD })).toMatchObject({ failed: { tooCostly: true } })
  // That it is there is known.
  expect(holds('exists', true, { v: UNREAD })).toBe(true)
})
