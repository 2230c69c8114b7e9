import { describe, expect, test } from '@jest/globals'
import { comment, exported, singularOf, unexported } from './go-names.ts'
import { createGoTypes, type Direction } from './go-types.ts'
import type { Schema } from './type-text.ts'

test.each([
  ['endpoint_id', 'EndpointID', 'endpointID'],
  ['id', 'ID', 'id'],
  ['allowedCIDRs', 'AllowedCIDRs', 'allowedCIDRs'],
  ['egressIps', 'EgressIPs', 'egressIPs'],
  ['idpSsoUrl', 'IDPSSOURL', 'idpSSOURL'],
  ['--bg-000', 'Bg000', 'bg000'],
  ['http_4xx', 'HTTP4xx', 'http4xx'],
  ['p95Ms', 'P95Ms', 'p95Ms'],
])('%s is %s in Go, and %s as a parameter', (name, outside, inside) => {
  expect([exported(name), unexported(name)]).toEqual([outside, inside])
})

test('a name of many is a name of one', () => {
  expect(['changes', 'entries', 'filter', 'address'].map(singularOf)).toEqual([
    'change',
    'entry',
    'filter',
    'address',
  ])
})

test('comments wrap', () => {
  expect(comment('a', '\t')).toBe('\t// a\n')
  const lines = comment('word '.repeat(40).trim()).trimEnd().split('\n')
  expect(lines.map((line) => line.length)).toEqual([97, 97, 12])
})

const TEXT: Schema = { type: 'string' }
const LISTED: Schema = { type: 'array', items: { type: ['integer', 'null'] } }

describe('a schema as a type of Go', () => {
  test.each<[Schema, Direction, string]>([
    [TEXT, 'request', 'string'],
    [{ type: 'integer' }, 'answer', 'int'],
    [{ const: 5 }, 'request', 'int'],
    [{ const: true }, 'answer', 'bool'],
    [LISTED, 'answer', '[]*int'],
    [{}, 'request', 'any'],
    [{}, 'answer', 'json.RawMessage'],
    [{ type: 'object', additionalProperties: {} }, 'answer', 'json.RawMessage'],
    [{ type: 'object', additionalProperties: TEXT }, 'answer', 'map[string]string'],
    [{ anyOf: [TEXT, { type: 'array', items: TEXT }] }, 'request', '[]string'],
    [{ anyOf: [TEXT, { type: 'integer' }] }, 'request', 'any'],
  ])('%j of a %s is %s', (schema, direction, text) => {
    expect(createGoTypes({}).typeOf(schema, direction, 'Thing', '')).toBe(text)
  })
})

test('objects become structs; what may be left out, or be null, can be', () => {
  const types = createGoTypes({})
  const properties: Record<string, Schema> = {
    id: { ...TEXT, description: 'its id' },
    count: { type: 'integer' },
    note: { type: ['string', 'null'] },
    parts: { type: 'array', items: { type: 'object', properties: { a: TEXT }, required: ['a'] } },
    madeAt: TEXT,
  }
  types.typeOf({ type: 'object', properties, required: ['id'] }, 'request', 'Thing', 'the body')
  const required = Object.keys(properties)
  types.typeOf({ type: 'object', properties, required }, 'answer', 'Made', 'the answer')
  expect(types.text()).toBe(`// Thing is the body.
type Thing struct {
	// required; its id
	ID     string           \`json:"id"\`
	Count  *int             \`json:"count,omitzero"\`
	Note   Nullable[string] \`json:"note,omitzero"\`
	Parts  []ThingPart      \`json:"parts,omitzero"\`
	MadeAt string           \`json:"madeAt,omitzero"\`
}

// ThingPart is a part of Thing.
type ThingPart struct {
	// required
	A string \`json:"a"\`
}

// Made is the answer.
type Made struct {
	// its id
	ID     string     \`json:"id"\`
	Count  int        \`json:"count"\`
	Note   *string    \`json:"note"\`
	Parts  []MadePart \`json:"parts"\`
	MadeAt time.Time  \`json:"madeAt"\`
}

// MadePart is a part of Made.
type MadePart struct {
	A string \`json:"a"\`
}
`)
})

test('one of several objects has the fields of all, and two shapes have two names', () => {
  const types = createGoTypes({})
  const one = {
    type: 'object',
    properties: { type: { const: 'a' }, x: TEXT },
    required: ['type', 'x'],
  }
  const two = { type: 'object', properties: { type: { const: 'b' } }, required: ['type'] }
  expect(types.typeOf({ oneOf: [one, two] }, 'answer', 'Thing', 'an answer')).toBe('Thing')
  expect(types.text()).toBe(`// Thing is an answer.
type Thing struct {
	// one of "a", "b"
	Type string \`json:"type"\`
	X    string \`json:"x,omitzero"\`
}
`)
  expect(() => types.typeOf(two, 'answer', 'Thing', 'another')).toThrow('give it a name')
})
