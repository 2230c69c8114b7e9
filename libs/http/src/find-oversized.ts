/**
 * The parts of a body that are larger than its schema allows, found before the schema is run. Zod
 * runs a list's or a record's schema on each entry, and each rule of a text on the whole of it,
 * although there are too many of them: 300,000 headers in a batch took 0.4 s of the event loop.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { CROWDED_MEMBERS, isCrowded } from '@posthorn/domain/json-in-steps'
import { globalRegistry, type z } from 'zod'

/**
 * Fields that an object may have beside those that its schema knows. Each of so many is named in
 * the refusal; of more, it is only said that they are too many.
 */
const MAX_UNKNOWN_FIELDS = 100

/** The first part that is too large, from the outside in, or null. */
export function findOversized(schema: z.core.$ZodType, value: unknown): FieldProblem | null {
  return find(schema as Schema, value, '')
}

type Schema = z.core.$ZodTypes

function find(schema: Schema, value: unknown, path: string): FieldProblem | null {
  const { def } = schema._zod
  if (def.type === 'string') return longText(schema, value, path)
  if (def.type === 'array') return inList(schema, def.element as Schema, value, path)
  if (def.type === 'object') return inObject(def, value, path)
  if (def.type === 'record') return inRecord(schema, def.valueType as Schema, value, path)
  if (def.type === 'union') return inEachOption(def.options as readonly Schema[], value, path)
  if (def.type === 'intersection')
    return find(def.left as Schema, value, path) ?? find(def.right as Schema, value, path)
  const inner = within(schema)
  return inner === null ? null : find(inner, value, path)
}

/** What a schema wraps, as it is for input; null: a schema of a single value, or of any. */
function within(schema: Schema): Schema | null {
  const { def } = schema._zod
  if (def.type === 'lazy') return def.getter() as Schema
  if (def.type === 'pipe')
    return (def.in._zod.def.type === 'transform' ? def.out : def.in) as Schema
  return 'innerType' in def ? (def.innerType as Schema) : null
}

function longText(schema: Schema, value: unknown, path: string): FieldProblem | null {
  const max = maximumOf(schema)
  // A limit counts characters, each of which is one or two units.
  if (typeof value !== 'string' || value.length <= 2 * max) return null
  return { path, message: `must be at most ${max} characters` }
}

function inList(
  schema: Schema,
  element: Schema,
  value: unknown,
  path: string,
): FieldProblem | null {
  if (!Array.isArray(value)) return null
  const max = maximumOf(schema)
  if (value.length > max) return { path, message: `must be at most ${max} entries` }
  return firstOf(value.entries(), ([index, item]) => find(element, item, below(path, index)))
}

function inObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  value: unknown,
  path: string,
): FieldProblem | null {
  if (!isObject(value)) return null
  const known = Object.keys(shape)
  const isLimited = catchall !== undefined
  if (isLimited && hasMoreThan(known.length + MAX_UNKNOWN_FIELDS, value))
    return { path, message: `has too many fields, of which at most ${known.length} are known` }
  return firstOf(known, (name) => find(shape[name] as Schema, value[name], below(path, name)))
}

function inRecord(
  schema: Schema,
  valueType: Schema,
  value: unknown,
  path: string,
): FieldProblem | null {
  if (!isObject(value)) return null
  const max = maxMembersOf(schema)
  if (hasMoreThan(max, value)) return { path, message: `must have at most ${max} fields` }
  return firstOf(Object.keys(value), (name) => find(valueType, value[name], below(path, name)))
}

function hasMoreThan(max: number, value: object): boolean {
  // Counting the fields of a crowded object may take 20 ms.
  return max < CROWDED_MEMBERS && (isCrowded(value) || Object.keys(value).length > max)
}

/** A value is too large where it is so for each form that it might have. */
function inEachOption(
  options: readonly Schema[],
  value: unknown,
  path: string,
): FieldProblem | null {
  const found = options
    .filter((option) => mayTake(option, value))
    .map((option) => find(option, value, path))
  return found.includes(null) ? null : (found[0] ?? null)
}

const ANY_KIND: ReadonlySet<string> = new Set(['any', 'unknown'])

/** A value of another kind is refused as soon as a schema's own kind is checked. */
function mayTake(schema: Schema, value: unknown): boolean {
  const { def } = schema._zod
  if (def.type === 'string') return typeof value === 'string'
  if (def.type === 'array') return Array.isArray(value)
  if (def.type === 'object') return isObject(value) && hasLiterals(def.shape, value)
  if (def.type === 'record') return isObject(value)
  if (def.type === 'union')
    return (def.options as readonly Schema[]).some((option) => mayTake(option, value))
  const inner = within(schema)
  return inner === null ? ANY_KIND.has(def.type) : mayTake(inner, value)
}

/** Forms that a field tells apart have each a literal there. */
function hasLiterals(shape: z.core.$ZodShape, value: Record<string, unknown>): boolean {
  return Object.entries(shape).every(([name, field]) => {
    const { def } = (field as Schema)._zod
    return def.type !== 'literal' || (def.values as readonly unknown[]).includes(value[name])
  })
}

/** The limit on characters or entries. */
function maximumOf(schema: Schema): number {
  const limits = (schema._zod.def.checks ?? [])
    .map((check) => check._zod.def)
    .filter((check) => check.check === 'max_length') as z.core.$ZodCheckMaxLengthDef[]
  return Math.min(...limits.map(({ maximum }) => maximum))
}

/** Zod has no limit for records: theirs stands in what is said of them for OpenAPI. */
function maxMembersOf(schema: z.core.$ZodType): number {
  const { override, also } = globalRegistry.get(schema) ?? {}
  const { maxProperties } = { ...(also as object), ...(override as object) } as Limits
  return maxProperties ?? Number.POSITIVE_INFINITY
}

interface Limits {
  maxProperties?: number
}

function firstOf<Item>(
  items: Iterable<Item>,
  look: (item: Item) => FieldProblem | null,
): FieldProblem | null {
  for (const item of items) {
    const found = look(item)
    if (found !== null) return found
  }
  return null
}

function below(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
