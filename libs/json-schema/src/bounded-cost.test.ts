/** Whatever a schema says and whatever the payload is, checking it takes no longer than it may. */
import { expect, test } from '@jest/globals'
import { parseInSteps } from '@posthorn/domain/json-in-steps'
import { leastCpuMs } from '@posthorn/testing/processor-time'
import fc from 'fast-check'
import { compileSchema } from './compile-schema.ts'
import { FORMATS } from './formats.ts'
import type { JsonSchema } from './schema-place.ts'

/** 14 ms is the most that was seen. */
const MOST_MS = 40

const words = Array.from({ length: 65_000 }, (_, n) => 'ab'[((n * 7_919) >> 3) & 1]).join('')
const members = Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`k${n}`, n]))
const numbers = Array.from({ length: 50_000 }, (_, n) => n)
const objects = Array.from({ length: 9_000 }, (_, n) => ({ a: n, b: [1, 2] }))
const lists = Array.from({ length: 300 }, (_, n) => Array.from({ length: 80 }, (_, m) => [n, m]))
let deep: unknown = 1
for (let level = 0; level < 190; level += 1) deep = { a: deep }

const times = <Value>(count: number, make: (n: number) => Value): Value[] =>
  Array.from({ length: count }, (_, n) => make(n))
const tree = (more: object) => ({ $ref: '#/$defs/t', $defs: { t: more } })
const t = { $ref: '#/$defs/t' }

test.each<[string, object, unknown]>([
  ['a pattern', { pattern: 'a[ab]{900}[cd]' }, words],
  ['patterns', { allOf: times(4, (n) => ({ pattern: `a[ab]{800}[cd]${n}` })) }, words],
  [
    'patterns of names',
    { patternProperties: Object.fromEntries(times(50, (n) => [`^x${n}`, true])) },
    members,
  ],
  ['names', { propertyNames: { pattern: '(a|k|\\d)*x' } }, members],
  ['alternatives', { items: { anyOf: times(500, () => ({ type: 'string' })) } }, numbers],
  ['conjunctions', { items: { allOf: times(500, () => ({ type: 'number' })) } }, numbers],
  [
    'all but one',
    { items: { oneOf: times(50, (n) => ({ properties: { a: { const: n } } })) } },
    objects,
  ],
  ['duplicates', { uniqueItems: true }, numbers],
  ['duplicates of objects', { uniqueItems: true }, objects],
  ['duplicates at all levels', tree({ uniqueItems: true, items: t }), lists],
  [
    'equals',
    { items: { const: Object.fromEntries(times(3_000, (n) => [`k${n}`, n])) } },
    [members, members, members, members],
  ],
  ['contained', { allOf: times(300, () => ({ contains: { type: 'string' } })) }, numbers],
  ['counted members', { allOf: times(300, () => ({ minProperties: 1 })) }, members],
  [
    'unevaluated',
    {
      allOf: times(30, () => ({ anyOf: [{ patternProperties: { k: true } }] })),
      unevaluatedProperties: false,
    },
    members,
  ],
  ['references at all levels', tree({ allOf: times(2, () => ({ properties: { a: t } })) }), deep],
  ['characters', { allOf: times(1_000, () => ({ maxLength: 200_000 })) }, '😀'.repeat(100_000)],
])('%s', (_, schema, payload) => {
  let compiled: ReturnType<typeof compileSchema> | undefined
  const compiling = leastCpuMs(MOST_MS, () => {
    compiled = compileSchema(schema as Record<string, unknown>)
  })
  if (compiled?.outcome !== 'ok') throw new Error(JSON.stringify(compiled))
  const { validate } = compiled
  expect(compiling).toBeLessThan(MOST_MS)
  expect(leastCpuMs(MOST_MS, () => validate(payload))).toBeLessThan(MOST_MS)
})

const HOSTILE_TEXTS = [
  'a',
  '1',
  '.',
  ':',
  '/',
  '-',
  'a-',
  'a.',
  'a:',
  'a@',
  '%41',
  '{a}',
  '{',
  '(',
  '[',
  'é',
  ' ',
]
const STARTS = ['', 'http://', 'a:', 'P', '#', '/', '1.', '2024-01-01T', 'a@', '[', '//']

test.each([...FORMATS.keys()])('%s takes time that grows as the text does', (name) => {
  const test = FORMATS.get(name)
  for (const start of STARTS) {
    for (const part of HOSTILE_TEXTS) {
      const text = (start + part.repeat(2_048)).slice(0, 2_047)
      // 128 such texts fill a payload: one that takes more than 0.3 ms is not linear.
      const ms = leastCpuMs(MOST_MS, () =>
        times(20, () => test?.(`${text.slice(0, -1)}!`, { left: 1e9 })),
      )
      expect([start, part, ms < 40]).toEqual([start, part, true])
    }
  }
})

const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => {
  const one = tie('schema')
  const many = fc
    .tuple(fc.integer({ min: 1, max: 8 }), one)
    .map(([n, part]) => times(n, () => part))
  return {
    schema: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<object>(
        t,
        { uniqueItems: true },
        { pattern: '(a|b|ab)*c' },
        { minProperties: 1 },
      ),
      fc.constantFrom<object>(
        { enum: [objects.slice(0, 20)] },
        { format: 'uri' },
        { pattern: '[ab]{90}c' },
      ),
      one.map((items) => ({ items })),
      one.map((contains) => ({ contains })),
      one.map((additionalProperties) => ({ additionalProperties })),
      one.map((propertyNames) => ({ propertyNames })),
      one.map((unevaluatedProperties) => ({ unevaluatedProperties })),
      one.map((not) => ({ not })),
      one.map((a) => ({ properties: { a } })),
      many.map((allOf) => ({ allOf })),
      many.map((anyOf) => ({ anyOf, unevaluatedItems: false })),
      many.map((oneOf) => ({ oneOf })),
    ),
  }
})

test('any schema is refused or compiled in bounded time, and so is any check', () => {
  const payloads = [words, members, numbers, objects, lists, deep]
  let usable = 0
  fc.assert(
    fc.property(anySchema, fc.nat({ max: payloads.length - 1 }), (schema, which) => {
      let compiled: ReturnType<typeof compileSchema> | undefined
      const compiling = leastCpuMs(MOST_MS, () => {
        compiled = compileSchema({ ...schema, $defs: { t: { items: schema } } })
      })
      expect(compiling).toBeLessThan(MOST_MS)
      if (compiled?.outcome !== 'ok') return
      usable += 1
      const { validate } = compiled
      expect(leastCpuMs(MOST_MS, () => validate(payloads[which]))).toBeLessThan(MOST_MS)
    }),
    { numRuns: 100, endOnFailure: true },
  )
  expect(usable).toBeGreaterThan(30)
})

test('a schema of a megabyte is refused without reading all of it', () => {
  const text = `{"const":{${times(90_000, (n) => `"f${n}":0`).join()}}}`
  const parsing = parseInSteps(text)
  let step = parsing.next()
  while (step.done !== true) step = parsing.next()
  const schema = step.value as JsonSchema
  const compile = () => compileSchema(schema)
  expect(compile()).toEqual({
    outcome: 'invalid',
    problems: [{ path: 'schema', message: 'must be at most 65536 bytes' }],
  })
  expect(leastCpuMs(5, compile)).toBeLessThan(5)
})
