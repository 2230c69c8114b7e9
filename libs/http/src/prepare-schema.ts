/**
 * A tenant's JSON Schema made fit to be compiled: only the keywords that assert something,
 * references that stay inside it, and a cost on each subschema, so that a check that would take too
 * long ends instead.
 *
 * The schema must have passed its meta-schema: shapes are not checked again.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The keyword that the compiler charges for. */
export const COST = 'x-cost'
const MAX_DEPTH = 32

const ONE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
]
ONE.push('items', 'unevaluatedItems', 'unevaluatedProperties')
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const NAMED = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]
const SUBSCHEMAS = new Set([...ONE, ...MANY, ...NAMED])

const ASSERTIONS = new Set([
  '$anchor',
  '$dynamicAnchor',
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'required',
  'type',
  'uniqueItems',
])

export interface Prepared {
  schema: JsonSchema
  problems: FieldProblem[]
}

export function prepareSchema(root: JsonSchema): Prepared {
  const problems: FieldProblem[] = []
  const rootId = typeof root.$id === 'string' ? root.$id.replace(/#$/, '') : ''
  /** JSON pointers of the subschemas and their anchors: what may be referred to. */
  const targets = new Set<string>()
  const references: { path: string; to: string }[] = []

  function prepare(schema: unknown, pointer: string, depth: number): unknown {
    targets.add(pointer)
    if (typeof schema !== 'object' || schema === null) return schema
    const path = toPath(pointer)
    if (depth > MAX_DEPTH) {
      problems.push({ path, message: `is nested deeper than ${MAX_DEPTH} schemas` })
      return true
    }
    if ('$id' in schema && depth > 0)
      problems.push({ path, message: 'must not have an $id of its own' })
    const made: Record<string, unknown> = { [COST]: costOf(schema) }
    for (const [keyword, value] of Object.entries(schema)) {
      if (SUBSCHEMAS.has(keyword))
        made[keyword] = prepareWithin(keyword, value, `${pointer}/${keyword}`, depth)
      else if (keyword === '$ref' || keyword === '$dynamicRef')
        made[keyword] = refer(String(value), path)
      else if (ASSERTIONS.has(keyword)) made[keyword] = value
      if (keyword === '$anchor' || keyword === '$dynamicAnchor') targets.add(String(value))
    }
    return made
  }

  function prepareWithin(keyword: string, value: unknown, pointer: string, depth: number): unknown {
    if (Array.isArray(value)) {
      return value.map((item, n) => prepare(item, `${pointer}/${n}`, depth + 1))
    }
    if (!NAMED.includes(keyword)) return prepare(value, pointer, depth + 1)
    return Object.fromEntries(
      Object.entries(value as object).map(([name, item]) => {
        // `dependencies` of draft 7 also takes lists of names.
        const isNames = keyword === 'dependencies' && Array.isArray(item)
        return [name, isNames ? item : prepare(item, `${pointer}/${escaped(name)}`, depth + 1)]
      }),
    )
  }

  function refer(given: string, path: string): string {
    const to = rootId !== '' && given.startsWith(`${rootId}#`) ? given.slice(rootId.length) : given
    references.push({ path, to })
    return to
  }

  const schema = prepare(root, '', 0) as JsonSchema
  for (const { path, to } of references) {
    if (!to.startsWith('#') || !targets.has(decoded(to.slice(1)))) {
      const message = `refers to ${to.slice(0, 200)}, which is no schema in this document`
      problems.push({ path, message })
    }
  }
  return { schema, problems }
}

/**
 * What a subschema takes to check, apart from those within it and from the data: about how many
 * comparisons.
 */
function costOf(schema: object): number {
  let cost = 1
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'enum' || keyword === 'const' || keyword === 'dependentRequired')
      cost += count(value)
    else if (typeof value === 'object' && value !== null) cost += Object.keys(value).length
  }
  return cost
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, item) => sum + count(item), 1)
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

export function toPath(pointer: string): string {
  return pointer
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((part, n) => n > 0 || part !== '')
    .join('.')
}
