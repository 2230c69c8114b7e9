/** JSON Schema as rows of a table: each field with its type and its bounds, in words. */

export interface DocumentedSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, DocumentedSchema | boolean>
  required?: readonly string[]
  additionalProperties?: boolean | DocumentedSchema
  items?: DocumentedSchema
  anyOf?: readonly DocumentedSchema[]
  oneOf?: readonly DocumentedSchema[]
  allOf?: readonly DocumentedSchema[]
}

export type DocumentedSchemas = Readonly<Record<string, DocumentedSchema>>

export interface FieldRow {
  /** `filter[].field` */
  name: string
  required: boolean
  type: string
  meaning: string
}

/** Fields deeper than this are left to the type of the one that holds them. */
const MAX_DEPTH = 4

/** @param defaults of fields whose schema does not say them */
export function rowsOf(
  schema: DocumentedSchema,
  schemas: DocumentedSchemas,
  defaults: Readonly<Record<string, unknown>> = {},
): FieldRow[] {
  return fieldsOf(schema, schemas, '', 0, defaults)
}

function fieldsOf(
  given: DocumentedSchema,
  schemas: DocumentedSchemas,
  prefix: string,
  depth: number,
  defaults: Readonly<Record<string, unknown>> = {},
): FieldRow[] {
  if (depth > MAX_DEPTH) return []
  const schema = resolve(given, schemas)
  const { properties } = schema
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, property]) => {
      // A rule that one field excludes another.
      if (typeof property === 'boolean') return []
      const field = resolve(property, schemas)
      const row = {
        name: prefix + name,
        required: schema.required?.includes(name) ?? false,
        type: typeOf(property, schemas),
        meaning: meaningOf(property.description ?? field.description, field, defaults[name]),
      }
      return [row, ...insideOf(field, schemas, prefix + name, depth)]
    })
  }
  return insideOf(schema, schemas, prefix.replace(/\.$/, ''), depth)
}

/** The fields of an object, of a list's items, and of each shape that a field may have. */
function insideOf(
  field: DocumentedSchema,
  schemas: DocumentedSchemas,
  name: string,
  depth: number,
): FieldRow[] {
  if (field.properties !== undefined)
    return fieldsOf(field, schemas, name === '' ? '' : `${name}.`, depth + 1)
  if (field.items !== undefined)
    return insideOf(resolve(field.items, schemas), schemas, `${name}[]`, depth + 1)
  const shapes = (field.oneOf ?? field.anyOf ?? []).map((shape) => resolve(shape, schemas))
  return mergeShapes(
    shapes
      .filter((shape) => shape.type !== 'null')
      .map((shape) => ({ tag: tagOf(shape), rows: insideOf(shape, schemas, name, depth) })),
  )
}

/** The constant that tells a shape from the others, such as `type` `s3`. */
function tagOf({
  properties = {},
}: DocumentedSchema): { name: string; value: unknown } | undefined {
  for (const [name, property] of Object.entries(properties))
    if (typeof property === 'object' && 'const' in property) return { name, value: property.const }
  return undefined
}

/** One row for each name; it says with which shapes it goes where that is not all of them. */
function mergeShapes(
  shapes: readonly { tag: ReturnType<typeof tagOf>; rows: readonly FieldRow[] }[],
): FieldRow[] {
  const names = unique(shapes.flatMap(({ rows }) => rows.map(({ name }) => name)))
  return names.map((name) => {
    const having = shapes.flatMap(({ tag, rows }) => {
      const row = rows.find((one) => one.name === name)
      return row === undefined ? [] : [{ tag, row }]
    })
    const tags = having.map(({ tag }) => tag).filter((tag) => tag !== undefined)
    const isEverywhere = having.length === shapes.length
    const condition =
      isEverywhere || tags[0] === undefined
        ? ''
        : `with \`${tags[0].name}\` ${orList(tags.map(({ value }) => code(value)))}`
    const meanings = unique([...having.map(({ row }) => row.meaning), condition])
    return {
      name,
      required: having.every(({ row }) => row.required),
      type: unique(having.map(({ row }) => row.type)).join(' or '),
      meaning: meanings.filter((text) => text !== '').join('; '),
    }
  })
}

function resolve(schema: DocumentedSchema, schemas: DocumentedSchemas): DocumentedSchema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.split('/').at(-1) ?? ''
  const found = schemas[name]
  if (found === undefined) throw new Error(`there is no schema ${name}`)
  return found
}

export function typeOf(given: DocumentedSchema, schemas: DocumentedSchemas): string {
  const schema = resolve(given, schemas)
  if ('const' in schema) return code(schema.const)
  if (schema.enum !== undefined) return orList(schema.enum.map(code))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined && schema.type === undefined && schema.properties === undefined)
    return unique(choices.map((choice) => typeOf(choice, schemas))).join(' or ')
  if (Array.isArray(schema.type))
    return unique(schema.type.map((type) => typeOf({ ...schema, type }, schemas))).join(' or ')
  if (schema.type === 'array')
    return `list of ${typeOf(schema.items ?? {}, schemas)}${countOf(schema)}`
  if (schema.type === 'object' || schema.properties !== undefined) return objectType(schema)
  if (schema.type === undefined) return 'any JSON'
  return schema.type === 'null' ? 'null' : schema.type + boundsOf(schema)
}

function objectType({ additionalProperties, properties, maxProperties }: DocumentedSchema): string {
  const isMap = properties === undefined && typeof additionalProperties === 'object'
  const size = maxProperties === undefined ? '' : `, at most ${maxProperties} members`
  if (isMap && additionalProperties.type === 'string') return `object of strings${size}`
  return `object${size}`
}

function countOf({ minItems, maxItems }: DocumentedSchema): string {
  return rangeText(minItems, maxItems, ' items', '; ')
}

function boundsOf(schema: DocumentedSchema): string {
  const { minimum, maximum, minLength, maxLength, format, exclusiveMinimum } = schema
  if (schema.type === 'string') {
    const kind = format === undefined ? '' : ` (${FORMATS[format] ?? format})`
    return kind + rangeText(minLength, maxLength, ' characters')
  }
  const above = exclusiveMinimum === undefined ? '' : `, above ${exclusiveMinimum}`
  return above + rangeText(minimum, maximum, '')
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'URL',
  'date-time': 'RFC 3339',
}

function rangeText(
  min: number | undefined,
  max: number | undefined,
  unit: string,
  before = ', ',
): string {
  if (min === undefined && max === undefined) return ''
  if (min === undefined) return `${before}at most ${max}${unit}`
  if (max === undefined) return `${before}at least ${min}${unit}`
  return min === max ? `${before}${min}${unit}` : `${before}${min} to ${max}${unit}`
}

function meaningOf(
  description: string | undefined,
  schema: DocumentedSchema,
  byDefault: unknown,
): string {
  const value = schema.default ?? byDefault
  const otherwise = value === undefined ? '' : `default: ${code(value)}`
  return [description ?? '', otherwise].filter((text) => text !== '').join('; ')
}

function code(value: unknown): string {
  return typeof value === 'string' ? `\`${value}\`` : `\`${JSON.stringify(value)}\``
}

function orList(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join('')
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
