import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { generatedFiles } from './generate.ts'
import { describeApi } from './operations.ts'
import { typeText } from './type-text.ts'

const root = new URL('../../', import.meta.url)

test.each(Object.entries(generatedFiles()))('%s is as `npm run sdks` writes it', (path, text) => {
  expect(readFileSync(new URL(path, root), 'utf8') === text).toBe(true)
})

test('each route that an API key may call is a method, under a name of its own', () => {
  const names = describeApi().operations.map(({ resource, method }) => `${resource}.${method}`)
  expect(new Set(names).size).toBe(names.length)
  for (const name of ['events.create', 'events.explain', 'endpoints.rotateSecret', 'poll.receive'])
    expect(names).toContain(name)
})

describe('a schema as a type', () => {
  test.each([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ enum: ['a', 'b', null] }, '"a" | "b" | null'],
    [{ const: 5 }, '5'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Event' } }, 'Event[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      { type: 'object', properties: { a: { type: 'null' }, 'x-y': {} }, required: ['a'] },
      '{\n  a: null\n  "x-y"?: unknown\n}',
    ],
    [{}, 'unknown'],
  ])('%j', (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })
})
