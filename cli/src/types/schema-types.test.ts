import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { schemaType, typesModule } from './schema-types.ts'

test.each([
  [{}, 'unknown'],
  [{ type: 'string', format: 'date-time' }, 'string'],
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
  [{ const: true }, 'true'],
  [
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    'Array<string | number>',
  ],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, '[(string)?]'],
  [{ type: 'array', items: [{ type: 'string' }] }, '[(string)?, ...Array<unknown>]'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [
    {
      properties: { a: { type: 'string' }, 'b-c': {} },
      required: ['a'],
      additionalProperties: false,
    },
    '{\n  a: string\n  "b-c"?: unknown\n}',
  ],
  [
    { $defs: { money: { type: 'number' } }, type: 'array', items: { $ref: '#/$defs/money' } },
    'Array<number>',
  ],
  [{ definitions: { me: { $ref: '#/definitions/me' } }, $ref: '#/definitions/me' }, 'unknown'],
  [{ allOf: [{ const: 1 }, { type: ['number', 'string'] }] }, '1 & (number | string)'],
])('%j', (schema, text) => {
  expect(schemaType(schema)).toBe(text)
})

test('a name or a description can be nothing but itself', () => {
  const text = typesModule([
    { name: 'b', description: 'ends */ import "x"\n  here\u2028', schema: null },
    { name: 'a', description: null, schema: { properties: { '"]: 1; x["': {}, __proto__x: {} } } },
  ])
  expect(text).toContain('/** ends * / import "x" here */\n  "b": unknown\n')
  expect(text).toContain('"\\"]: 1; x[\\""?: unknown')
  expect(text.indexOf('"a":')).toBeLessThan(text.indexOf('"b":'))
})

test('any JSON as a schema makes a text, and ends', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
      expect(typeof schemaType(schema)).toBe('string')
    }),
  )
})
