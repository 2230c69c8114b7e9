import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { generatedFiles } from './generate.ts'
import { describeApi } from './operations.ts'
import { pythonResources, pythonTypes } from './python.ts'
import { type Schema, typeText } from './type-text.ts'

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

/** The declarations of a type `T` and of those that it needs. */
function pythonText(schema: Schema): string {
  const answer = { $ref: '#/components/schemas/T' }
  const { operations } = describeApi()
  const [operation] = operations
  if (operation === undefined) throw new Error('there is no operation')
  const api = { schemas: { T: schema }, operations: [{ ...operation, body: undefined, answer }] }
  return pythonTypes(api).split('NotRequired\n').at(-1)?.trim() ?? ''
}

describe('a schema as a Python type', () => {
  const field = (a: Schema): Schema => ({ type: 'object', properties: { a }, required: ['a'] })
  test.each([
    [{ type: 'string' }, 'str'],
    [{ type: ['integer', 'null'] }, 'int | None'],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'float | None'],
    [{ enum: ['a', 5, null] }, 'Literal["a", 5, None]'],
    [{ const: true }, 'Literal[True]'],
    [{ type: 'array', items: { $ref: '#/components/schemas/T' } }, 'list[T]'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'dict[str, bool]'],
    [{ type: 'object' }, 'dict[str, Any]'],
    [{}, 'Any'],
    // It says which fields may not be there, and nothing about the others.
    [{ oneOf: [{ properties: { b: false } }, { properties: { c: false } }] }, 'dict[str, Any]'],
  ] as [Schema, string][])('%j', (schema, text) => {
    expect(pythonText(field(schema))).toBe(`class T(TypedDict):\n    a: ${text}`)
  })

  test('an object within an object is a class of its own', () => {
    const item: Schema = { type: 'object', properties: { b: { type: 'string', description: 'c' } } }
    expect(pythonText(field({ type: 'array', items: item }))).toBe(
      'class TAItem(TypedDict):\n    # c\n    b: NotRequired[str]\n\n\n' +
        'class T(TypedDict):\n    a: list[TAItem]',
    )
  })

  test('variants are named after what tells them apart, or counted', () => {
    const told = (type: string): Schema => ({ properties: { type: { const: type } } })
    expect(pythonText(field({ oneOf: [told('s3'), told('my-file')] }))).toContain(
      'a: TAS3 | TAMyFile',
    )
    const other: Schema = { properties: { b: { type: 'string' } } }
    expect(pythonText({ anyOf: [told('s3'), other] })).toMatch(
      /\n\n\nT = Union\[\n {4}"TS3",\n {4}"T2",\n\]$/,
    )
  })

  test('what is no name in Python is a key', () => {
    const schema: Schema = {
      properties: { from: { type: 'string' }, 'x-y': {} },
      required: ['from'],
    }
    expect(pythonText(schema)).toBe(
      'T = TypedDict("T", {\n    "from": "str",\n    "x-y": "NotRequired[Any]",\n})',
    )
  })
})

test('each operation is a method of Python, one to wait for and one to await', () => {
  const api = describeApi()
  const text = pythonResources(api)
  const defined = [...text.matchAll(/^ {4}(?:async )?def (?!__init__)/gm)]
  expect(defined).toHaveLength(2 * api.operations.length)
  const clash = { name: 'maxRetries', schema: { type: 'integer' }, required: false }
  const operations = api.operations.map((operation) => ({ ...operation, query: [clash] }))
  expect(() => pythonResources({ ...api, operations })).toThrow('maxRetries')
})
