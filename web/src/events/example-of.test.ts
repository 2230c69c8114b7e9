/** Examples that are made from schemas. */
import { expect, test } from '@jest/globals'
import { exampleOf } from './example-of.ts'

test('types, formats, constants, choices and examples', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
      amount: { type: 'integer', minimum: 10 },
      kind: { enum: ['a', 'b'] },
      version: { const: 2 },
      note: { type: ['string', 'null'], examples: ['hello'] },
      items: { type: 'array', items: { type: 'boolean' } },
    },
  }
  expect(exampleOf(schema)).toEqual({
    id: 'text',
    at: '2026-01-01T12:00:00Z',
    amount: 10,
    kind: 'a',
    version: 2,
    note: 'hello',
    items: [true],
  })
})

test('a schema that contains itself ends', () => {
  const schema: Record<string, unknown> = { type: 'object' }
  schema['properties'] = { child: schema }
  expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(200)
})
