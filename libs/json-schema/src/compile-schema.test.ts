import { expect, test } from '@jest/globals'
import { compileSchema } from './compile-schema.ts'

function check(schema: object, payload: unknown): string[] {
  const compiled = compileSchema(schema as Record<string, unknown>)
  if (compiled.outcome === 'invalid') throw new Error(JSON.stringify(compiled.problems))
  return compiled.validate(payload).map(({ path }) => path)
}

function problems(schema: object): { path: string; message: string }[] {
  const compiled = compileSchema(schema as Record<string, unknown>)
  return compiled.outcome === 'invalid' ? compiled.problems : []
}

const ORDER = {
  type: 'object',
  required: ['orderId'],
  properties: {
    orderId: { type: 'string', pattern: '^o_\\d+$' },
    lines: { type: 'array', items: { $ref: '#/$defs/line' }, uniqueItems: true },
    mail: { type: 'string', format: 'email' },
  },
  $defs: { line: { type: 'object', properties: { amount: { type: 'integer', minimum: 1 } } } },
  additionalProperties: false,
}

test.each([
  [{ orderId: 'o_1', lines: [{ amount: 1 }, { amount: 2 }], mail: 'a@example.com' }, []],
  [{}, ['payload.orderId']],
  [{ orderId: 'x' }, ['payload.orderId']],
  [{ orderId: 'o_1', lines: [{ amount: 1 }, { amount: 0 }] }, ['payload.lines.1.amount']],
  [
    {
      orderId: 'o_1',
      lines: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    ['payload.lines'],
  ],
  [{ orderId: 'o_1', mail: 'none' }, ['payload.mail']],
  [{ orderId: 'o_1', more: 1 }, ['payload.more']],
])('names the failing paths of %j', (payload, paths) => {
  expect(check(ORDER, payload)).toEqual(paths)
})

test('reads both drafts in their own way', () => {
  const tuple = { items: [{ type: 'string' }], additionalItems: false }
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: tuple } }
  expect(check(draft7, { a: ['x', 'y'] })).toEqual(['payload.a'])
  const draft2020 = { properties: { a: { prefixItems: [{ type: 'string' }], items: false } } }
  expect(check(draft2020, { a: ['x', 'y'] })).toEqual(['payload.a'])
  expect(
    check(
      { $schema: 'https://json-schema.org/draft/2020-12/schema', unevaluatedProperties: false },
      { b: 1 },
    ),
  ).toEqual(['payload.b'])
})

test('follows references inside the document only', () => {
  const own = {
    $id: 'https://example.com/s',
    properties: { a: { $ref: 'https://example.com/s#/$defs/t' } },
    $defs: { t: { type: 'null' } },
  }
  expect(check(own, { a: 1 })).toEqual(['payload.a'])
  expect(problems({ $ref: 'https://example.com/other' })[0]?.message).toMatch(
    /no schema in this document/,
  )
  expect(problems({ $ref: '#/nowhere' })[0]?.message).toMatch(/no schema in this document/)
  expect(problems({ hidden: { t: {} }, $ref: '#/hidden/t' })[0]?.message).toMatch(/no schema/)
  const named = { properties: { a: { $ref: '#t' } }, $defs: { t: { $anchor: 't', type: 'null' } } }
  expect(check(named, { a: 1 })).toEqual(['payload.a'])
})

test('refuses what is not a schema, too large, too deep or not linear', () => {
  expect(problems({ type: 'nothing' })[0]?.path).toBe('schema.type')
  expect(problems({ $schema: 'http://json-schema.org/draft-04/schema#' })[0]?.path).toBe(
    'schema.$schema',
  )
  expect(problems({ description: 'x'.repeat(65_536) })[0]?.message).toMatch(/65536 bytes/)
  let deep: object = {}
  for (let depth = 0; depth < 40; depth += 1) deep = { not: deep }
  expect(problems(deep)[0]?.message).toMatch(/deeper than 32/)
  expect(problems({ pattern: '(a)\\1' })).toHaveLength(1)
  expect(problems({ pattern: '(?=a)b' })).toHaveLength(1)
})

test('a pattern that would backtrack forever elsewhere takes no time', () => {
  expect(
    check({ properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(30_000)}!` }),
  ).toEqual(['payload.a'])
})

test('a check that would take too long ends, and is refused', () => {
  const wide = {
    items: { allOf: Array.from({ length: 1_000 }, (_, n) => ({ maxLength: n + 100_000 })) },
  }
  expect(check({ properties: { a: wide } }, { a: Array(50_000).fill('') })).toEqual(['payload'])
})

test('what is too costly for any payload is refused when it is saved', () => {
  const $defs: Record<string, object> = { d30: { type: 'object' } }
  const twice = (n: number) => [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }]
  for (let n = 0; n < 30; n += 1) $defs[`d${n}`] = { allOf: twice(n) }
  expect(problems({ $ref: '#/$defs/d0', $defs })[0]?.message).toMatch(/too costly: a single value/)
  expect(problems({ $ref: '#' })[0]?.message).toMatch(/refers to itself/)
  const loop = { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } }
  expect(problems({ $defs: loop })[0]?.message).toMatch(/refers to itself/)
  const chain: Record<string, object> = { d500: {} }
  for (let n = 0; n < 500; n += 1) chain[`d${n}`] = { $ref: `#/$defs/d${n + 1}` }
  expect(problems({ $defs: chain })[0]?.message).toMatch(/more than 200 schemas in each other/)
  const parts = { allOf: Array.from({ length: 21_000 }, () => ({})) }
  expect(problems(parts)[0]?.message).toMatch(/too costly: has more than 2500 schemas/)
  const alternatives = 'abcdefghijklmnopqrst'.split('').map((letter) => `${letter}[ab]{900}[cd]`)
  expect(problems({ pattern: alternatives.join('|') })[0]).toMatchObject({
    path: 'schema.pattern',
    message: expect.stringMatching(/too large a pattern/),
  })
  const patterns = Array.from({ length: 60 }, (_, n) => ({ pattern: `a{900}${n}` }))
  expect(problems({ allOf: patterns })[0]?.message).toMatch(/too costly together/)
})

test('a schema that follows a payload down all its levels is within the stack', () => {
  const $defs = { t: { anyOf: [{ type: 'null' }, { properties: { a: { $ref: '#/$defs/t' } } }] } }
  let deep: unknown = null
  for (let level = 0; level < 200; level += 1) deep = { a: deep }
  expect(check({ $ref: '#/$defs/t', $defs }, deep)).toEqual([])
})

test('what is contained is counted, and counts as evaluated in the newer draft', () => {
  const some = { contains: { type: 'number' }, minContains: 2, maxContains: 3 }
  const fits = (schema: object, value: unknown) => check(schema, value).length === 0
  expect([[], [1], [1, 'a', 2], [1, 2, 3, 4]].map((list) => fits(some, list))).toEqual([
    false,
    false,
    true,
    false,
  ])
  const others = { contains: { type: 'number' }, unevaluatedItems: { type: 'string' } }
  expect(fits(others, [1, 'a'])).toBe(true)
  expect(fits(others, [1, null])).toBe(false)
  const inCondition = { if: { contains: false, maxItems: 1 }, else: { const: '' } }
  expect(fits(inCondition, [])).toBe(false)
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...some }
  expect(fits(draft7, [1])).toBe(true)
})

test('names of a prototype are names like others', () => {
  const schema = { required: ['constructor'], properties: { constructor: { type: 'string' } } }
  expect(check(schema, {})).toEqual(['payload.constructor'])
  expect(check(schema, JSON.parse('{"constructor":"x","__proto__":{"a":1}}'))).toEqual([])
})
