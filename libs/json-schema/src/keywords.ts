/**
 * Makes the checks of one schema, keyword by keyword. The values of the keywords have been checked
 * by `shapes.ts`.
 */
import * as arrays from './arrays.ts'
import * as assertions from './assertions.ts'
import * as combinations from './combinations.ts'
import type { SchemaPlace } from './schema-place.ts'
import type { SchemaCheck, SchemaNode } from './evaluate.ts'
import { FORMATS } from './formats.ts'
import * as objects from './objects.ts'

const MAKERS: Readonly<Record<string, (place: SchemaPlace) => SchemaCheck[]>> = {
  values: assertionsOf,
  objects: objectsOf,
  arrays: arraysOf,
  combinations: combinationsOf,
  unevaluated: unevaluatedOf,
}
const OBJECTS = `required maxProperties minProperties properties patternProperties
  additionalProperties propertyNames dependentRequired dependentSchemas dependencies`
const ARRAYS = 'maxItems minItems items prefixItems additionalItems contains'
const COMBINATIONS = '$ref $dynamicRef allOf anyOf oneOf not if then else'
const VALUES = `type const enum maximum minimum exclusiveMaximum exclusiveMinimum multipleOf
  maxLength minLength format pattern uniqueItems`
/** Most schemas have keywords of one or two kinds. */
const KINDS = new Map(
  Object.entries({
    values: VALUES,
    objects: OBJECTS,
    arrays: ARRAYS,
    combinations: COMBINATIONS,
    unevaluated: 'unevaluatedItems unevaluatedProperties',
  }).flatMap(([kind, keywords]) => keywords.split(/\s+/).map((keyword) => [keyword, kind])),
)

/**
 * In this order because cheap checks that tell most go first, and what is unevaluated is known at
 * the end.
 */
export function checksOf(place: SchemaPlace): SchemaCheck[] {
  const kinds = new Set(Object.keys(place.schema).map((keyword) => KINDS.get(keyword)))
  const checks: SchemaCheck[] = []
  for (const [kind, make] of Object.entries(MAKERS)) {
    if (kinds.has(kind)) checks.push(...make(place))
  }
  return checks
}

function assertionsOf({ schema, pattern }: SchemaPlace): SchemaCheck[] {
  const checks: SchemaCheck[] = []
  const given = <Value>(keyword: string, make: (value: Value) => SchemaCheck | null): void => {
    const value = schema[keyword]
    const check = value === undefined ? null : make(value as Value)
    if (check !== null) checks.push(check)
  }
  given<string | string[]>('type', assertions.type)
  if ('const' in schema) {
    checks.push(assertions.oneOfValues([schema['const']], 'must be equal to constant'))
  }
  const oneOf = 'must be equal to one of the allowed values'
  given<unknown[]>('enum', (values) => assertions.oneOfValues(values, oneOf))
  for (const keyword of ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum']) {
    given<number>(keyword, (limit) => assertions.limited(keyword, limit))
  }
  given<number>('multipleOf', assertions.multipleOf)
  given<number>('maxLength', (limit) => assertions.length('maxLength', limit))
  given<number>('minLength', (limit) => assertions.length('minLength', limit))
  given<string>('format', (name) => {
    const test = FORMATS.get(name)
    return test === undefined ? null : assertions.format(name, test)
  })
  given<string>('pattern', (source) => {
    const test = pattern(source, 'pattern')
    return test === null ? null : assertions.pattern(source, test)
  })
  given<boolean>('uniqueItems', (wanted) => (wanted ? assertions.uniqueItems() : null))
  return checks
}

function objectsOf(place: SchemaPlace): SchemaCheck[] {
  const { schema, within, pattern } = place
  const checks: SchemaCheck[] = []
  const named = (keyword: string, make: (keyword: string, name: string) => SchemaNode) =>
    new Map(Object.keys(schema[keyword] ?? {}).map((name) => [name, make(keyword, name)]))
  if ('required' in schema) checks.push(objects.required(schema['required'] as string[]))
  for (const keyword of ['maxProperties', 'minProperties'] as const) {
    const limit = schema[keyword]
    if (typeof limit === 'number') checks.push(objects.countOfMembers(keyword, limit))
  }
  const properties = named('properties', within)
  if (properties.size > 0) checks.push(objects.properties(properties))
  const patterns = [...named('patternProperties', within)].flatMap(([source, node]) => {
    const test = pattern(source, 'patternProperties', source)
    return test === null ? [] : [{ node, test }]
  })
  if (patterns.length > 0) checks.push(objects.patternProperties(patterns))
  if ('additionalProperties' in schema) {
    const known = new Set(properties.keys())
    checks.push(objects.additionalProperties(within('additionalProperties'), known, patterns))
  }
  if ('propertyNames' in schema) checks.push(objects.propertyNames(within('propertyNames')))
  checks.push(...dependenciesOf(place))
  return checks
}

function dependenciesOf({ schema, isDraft7, inPlace }: SchemaPlace): SchemaCheck[] {
  const names: [string, readonly string[]][] = []
  const schemas: [string, SchemaNode][] = []
  const keywords = isDraft7 ? [] : ['dependentRequired', 'dependentSchemas']
  for (const keyword of [...keywords, 'dependencies']) {
    for (const [name, value] of Object.entries(schema[keyword] ?? {})) {
      // `dependencies` takes lists of names as well as schemas.
      if (Array.isArray(value)) names.push([name, value])
      else schemas.push([name, inPlace(keyword, name)])
    }
  }
  return [
    ...(names.length > 0 ? [objects.dependentRequired(names)] : []),
    ...(schemas.length > 0 ? [objects.dependentSchemas(schemas)] : []),
  ]
}

function arraysOf({ schema, isDraft7, within }: SchemaPlace): SchemaCheck[] {
  const checks: SchemaCheck[] = []
  for (const keyword of ['maxItems', 'minItems'] as const) {
    const limit = schema[keyword]
    if (typeof limit === 'number') checks.push(arrays.countOfElements(keyword, limit))
  }
  const list = isDraft7 && Array.isArray(schema['items']) ? 'items' : 'prefixItems'
  const first = list === 'items' || !isDraft7 ? ((schema[list] as unknown[]) ?? []) : []
  if (first.length > 0)
    checks.push(arrays.prefixItems(first.map((_, place) => within(list, place))))
  const rest = list === 'items' ? 'additionalItems' : 'items'
  if (rest in schema) checks.push(arrays.itemsFrom(within(rest), first.length))
  if ('contains' in schema) {
    const count = (keyword: string, otherwise: number): number =>
      isDraft7 ? otherwise : ((schema[keyword] as number | undefined) ?? otherwise)
    const least = count('minContains', 1)
    const most = count('maxContains', Number.POSITIVE_INFINITY)
    checks.push(arrays.contains(within('contains'), least, most, !isDraft7))
  }
  return checks
}

function combinationsOf({ schema, isDraft7, refer, inPlace }: SchemaPlace): SchemaCheck[] {
  const checks: SchemaCheck[] = []
  for (const keyword of isDraft7 ? ['$ref'] : ['$ref', '$dynamicRef']) {
    const given = schema[keyword]
    if (typeof given !== 'string') continue
    checks.push(combinations.reference(refer(given)))
  }
  const listed = (keyword: string): SchemaNode[] =>
    ((schema[keyword] as unknown[]) ?? []).map((_, place) => inPlace(keyword, place))
  if ('allOf' in schema) checks.push(combinations.allOf(listed('allOf')))
  if ('anyOf' in schema) checks.push(combinations.anyOf(listed('anyOf')))
  if ('oneOf' in schema) checks.push(combinations.oneOf(listed('oneOf')))
  if ('not' in schema) checks.push(combinations.not(inPlace('not')))
  const branch = (keyword: string): SchemaNode | undefined =>
    keyword in schema ? inPlace(keyword) : undefined
  // Without `if` they assert nothing, but may be referred to.
  const branches = { whenTrue: branch('then'), whenFalse: branch('else') }
  if ('if' in schema) checks.push(combinations.conditional(inPlace('if'), branches))
  return checks
}

function unevaluatedOf({ schema, isDraft7, within }: SchemaPlace): SchemaCheck[] {
  const checks: SchemaCheck[] = []
  if (isDraft7) return checks
  if ('unevaluatedItems' in schema) {
    checks.push(arrays.unevaluatedItems(within('unevaluatedItems')))
  }
  if ('unevaluatedProperties' in schema) {
    checks.push(objects.unevaluatedProperties(within('unevaluatedProperties')))
  }
  return checks
}
