/** A payload that fits a JSON schema, as far as its types, examples and constants tell. */
type Schema = Readonly<Record<string, unknown>>

const MAX_DEPTH = 6

export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return null
  const { const: constant, default: preset, examples, enum: values, type } = schema as Schema
  for (const given of [constant, preset]) if (given !== undefined) return given
  for (const list of [examples, values]) if (Array.isArray(list) && list.length > 0) return list[0]
  const kind = Array.isArray(type) ? type[0] : type
  return BY_TYPE[String(kind)]?.(schema as Schema, depth) ?? objectOf(schema as Schema, depth)
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T12:00:00Z',
  date: '2026-01-01',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '019aa000-0000-7000-8000-000000000000',
}

const BY_TYPE: Readonly<Record<string, (schema: Schema, depth: number) => unknown>> = {
  string: ({ format }) => FORMATS[String(format)] ?? 'text',
  integer: ({ minimum }) => (typeof minimum === 'number' ? Math.ceil(minimum) : 1),
  number: ({ minimum }) => (typeof minimum === 'number' ? minimum : 1.5),
  boolean: () => true,
  array: ({ items }, depth) => (items === undefined ? [] : [exampleOf(items, depth + 1)]),
  object: objectOf,
}

function objectOf({ properties }: Schema, depth: number): unknown {
  const entries = Object.entries((properties ?? {}) as Schema)
  return Object.fromEntries(entries.map(([name, schema]) => [name, exampleOf(schema, depth + 1)]))
}
