/**
 * Says what the value of each keyword must look like, as the drafts' own schemas do. It is checked
 * while a schema is compiled, so that a mistake is reported with its place.
 */

export type Shape = (value: unknown) => string | null

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

const number: Shape = (value) => (typeof value === 'number' ? null : 'must be number')
const positive: Shape = (value) =>
  typeof value === 'number' && value > 0 ? null : 'must be a number above 0'
const count: Shape = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? null : 'must be an integer of 0 or more'
const boolean: Shape = (value) => (typeof value === 'boolean' ? null : 'must be boolean')
const string: Shape = (value) => (typeof value === 'string' ? null : 'must be string')
const list: Shape = (value) => (Array.isArray(value) ? null : 'must be array')
const any: Shape = () => null
const schema: Shape = (value) =>
  typeof value === 'boolean' || isRecord(value) ? null : 'must be object or boolean'
const schemas: Shape = (value) =>
  Array.isArray(value) && value.length > 0 ? null : 'must be an array of one schema or more'
const named: Shape = (value) => (isRecord(value) ? null : 'must be object')

const names: Shape = (value) => {
  if (!Array.isArray(value) || value.some((name) => typeof name !== 'string')) {
    return 'must be an array of strings'
  }
  return new Set(value).size === value.length ? null : 'must NOT have duplicate items'
}

const namesByName: Shape = (value) =>
  isRecord(value) ? firstOf(Object.values(value), names) : 'must be object'

const type: Shape = (value) => {
  const known = (one: unknown): boolean => TYPES.includes(one as string)
  if (!Array.isArray(value)) return known(value) ? null : `must be one of ${TYPES.join(', ')}`
  if (value.length === 0 || !value.every(known)) return `must list some of ${TYPES.join(', ')}`
  return names(value)
}

const enumeration: Shape = list

export const SHAPES: Readonly<Record<string, Shape>> = {
  $anchor: string,
  $comment: string,
  $dynamicAnchor: string,
  $dynamicRef: string,
  $id: string,
  $ref: string,
  $schema: string,
  $defs: named,
  additionalItems: schema,
  additionalProperties: schema,
  allOf: schemas,
  anyOf: schemas,
  const: any,
  contains: schema,
  definitions: named,
  dependencies: named,
  dependentRequired: namesByName,
  dependentSchemas: named,
  deprecated: boolean,
  description: string,
  ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, schema])),
  enum: enumeration,
  examples: list,
  exclusiveMaximum: number,
  exclusiveMinimum: number,
  format: string,
  maxContains: count,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  maximum: number,
  minContains: count,
  minItems: count,
  minLength: count,
  minProperties: count,
  minimum: number,
  multipleOf: positive,
  not: schema,
  oneOf: schemas,
  pattern: string,
  patternProperties: named,
  prefixItems: schemas,
  properties: named,
  propertyNames: schema,
  readOnly: boolean,
  required: names,
  title: string,
  type,
  unevaluatedItems: schema,
  unevaluatedProperties: schema,
  uniqueItems: boolean,
  writeOnly: boolean,
}

/** Draft 7 has one schema for all elements or one for each. */
export const items7: Shape = (value) => (Array.isArray(value) ? schemas(value) : schema(value))
export const items2020: Shape = schema

function firstOf(values: readonly unknown[], shape: Shape): string | null {
  for (const value of values) {
    const problem = shape(value)
    if (problem !== null) return problem
  }
  return null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
