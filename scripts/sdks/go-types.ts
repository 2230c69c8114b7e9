/**
 * JSON schemas as Go types. What a request may leave out is left out when it is zero: texts, lists
 * and structs as they are, numbers and booleans as pointers, what may be null as `Nullable`.
 * Objects without a name of their own get one from where they stand.
 */
import { alignedFields, comment, exported, type GoField, singularOf } from './go-names.ts'
import type { Schema } from './type-text.ts'

type Property = Schema | boolean
/** `both`: one type is sent and answered. */
export type Direction = 'request' | 'answer' | 'both'

interface GoType {
  text: string
  isNullable: boolean
  /** `nil` says that there is none. */
  isNilable: boolean
  /** Numbers, booleans and structs have no value that says that there is none. */
  needsPointer: boolean
}

/** Objects that stand in several places, and names that a reader would not expect. */
const NAMES: readonly [RegExp, string, Direction?][] = [
  [
    /^((Create|Update)?Endpoint|Endpoint(Created|Rotated|VersionConfig))Filter$/,
    'FilterRule',
    'both',
  ],
  [/^EventExplanationEndpointFilterCondition$/, 'FilterRule', 'both'],
  [/^(Create|Update)EndpointStorageConfig$/, 'StorageConfig'],
  [/^Endpoint(Created|Rotated|VersionConfig)?StorageConfig$/, 'EndpointStorage'],
  [/^(EventDeliveries|InboundPresetPage)Pagination$/, 'Pagination'],
  [/^DeliveryPagePagination$/, 'OffsetPagination'],
  [/^(EventExplanation|ExplainedDelivery)WaitsFor$/, 'WaitsFor'],
  [/^AuditLogsListItem$/, 'AuditLog'],
  [/^SCIMTokensListItem$/, 'SCIMToken'],
  [/^(Entitlements|Plan)Limits$/, 'PlanLimits'],
  [/^PlanLimitsRetentionDays$/, 'RetentionDays'],
  [/^Get(BillingOverview|Subscription)AnswerSubscription$/, 'Subscription'],
  [/^(GetBillingOverview|ListInvoices)AnswerInvoice$/, 'Invoice'],
  [/^(GetBillingOverview|ListBillingPlans)AnswerPlan$/, 'Plan'],
  [/^(Get|Update)SubAccountSettings(Answer)?Theme(Light|Dark)$/, 'ThemeColors', 'both'],
  [/^(Create|Update|Preview)AlertRuleCondition$/, 'AlertCondition'],
  [/^(Create|Update)AlertRuleAction$/, 'AlertAction'],
  [/^(Create|Update)ConnectorTemplate$/, 'MessageTemplate'],
]

export interface GoTypes {
  /** The type of a schema that stands at the place that `name` names. */
  typeOf(schema: Schema, direction: Direction, name: string, about: string): string
  /** All structs that were asked for, with what they hold. */
  text(): string
}

interface Built {
  schemas: Readonly<Record<string, Schema>>
  structs: Map<string, { about: string; fields: GoField[] }>
}

export function createGoTypes(schemas: Readonly<Record<string, Schema>>): GoTypes {
  const built: Built = { schemas, structs: new Map() }
  return {
    typeOf: (schema, direction, name, about) => typeOf(built, schema, direction, name, about).text,
    text: () =>
      [...built.structs]
        .map(([name, { about, fields }]) => {
          const body = fields.length === 0 ? '{}' : ` {\n${alignedFields(fields)}}`
          return `${comment(`${name} is ${about}.`)}type ${name} struct${body}\n`
        })
        .join('\n'),
  }
}

function typeOf(
  built: Built,
  schema: Property,
  direction: Direction,
  name: string,
  about: string,
): GoType {
  if (typeof schema === 'boolean') return unknown(direction)
  if (schema.$ref !== undefined) {
    const to = schema.$ref.split('/').at(-1) ?? ''
    return typeOf(built, built.schemas[to] ?? {}, direction, exported(to), about)
  }
  if ('const' in schema) return typeOf(built, { enum: [schema.const] }, direction, name, about)
  if (schema.enum !== undefined) return enumType(schema.enum)
  if (schema.properties !== undefined) return structType(built, schema, direction, name, about)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined && schema.type === undefined)
    return choiceType(built, choices, direction, name, about)
  if (Array.isArray(schema.type)) {
    const each = schema.type.map((type) => ({ ...schema, type }))
    return choiceType(built, each, direction, name, about)
  }
  if (schema.type === 'array') {
    const item = typeOf(built, schema.items ?? {}, direction, name, about)
    return nilable(`[]${item.isNullable && !item.isNilable ? '*' : ''}${item.text}`)
  }
  if (schema.type === 'object') return mapType(built, schema, direction, name, about)
  if (schema.type === 'string' && schema.format === 'date-time') return plain('time.Time')
  return PRIMITIVES[schema.type ?? ''] ?? unknown(direction)
}

function mapType(
  built: Built,
  { additionalProperties }: Schema,
  direction: Direction,
  name: string,
  about: string,
): GoType {
  if (typeof additionalProperties !== 'object') return unknown(direction)
  if (Object.keys(additionalProperties).length === 0) return unknown(direction)
  // A value that may be of several kinds is as Go itself reads it.
  const value = typeOf(built, additionalProperties, 'both', name, about)
  return nilable(`map[string]${value.text}`)
}

function choiceType(
  built: Built,
  choices: readonly Schema[],
  direction: Direction,
  name: string,
  about: string,
): GoType {
  const all = flat(choices)
  const others = all.filter(({ type }) => type !== 'null')
  const isNullable = others.length < all.length
  if (others.length > 1 && others.every(({ properties }) => properties !== undefined))
    return { ...structType(built, merged(others), direction, name, about), isNullable }
  const types = others.map((one) => typeOf(built, one, direction, name, about))
  const texts = [...new Set(types.map(({ text }) => text))]
  const [first] = types
  if (first !== undefined && texts.length === 1) return { ...first, isNullable }
  // Where one text or several may stand, a list is always right to send.
  if (
    texts.length === 2 &&
    direction === 'request' &&
    texts.includes('[]string') &&
    texts.includes('string')
  )
    return nilable('[]string')
  return unknown(direction)
}

function structType(
  built: Built,
  schema: Schema,
  direction: Direction,
  place: string,
  about: string,
): GoType {
  const [, name, shared] = NAMES.find(([pattern]) => pattern.test(place)) ?? [undefined, place]
  const given = built.structs.get(name)
  // First of all, so that it comes before what it holds.
  if (given === undefined) built.structs.set(name, { about, fields: [] })
  const fields = fieldsOf(built, schema, shared ?? direction, name)
  if (given === undefined) built.structs.set(name, { about, fields })
  else if (shapeOf(given.fields) !== shapeOf(fields))
    throw new Error(`${place} is not as the other ${name}: give it a name in go-types.ts`)
  return { text: name, isNullable: false, isNilable: false, needsPointer: true }
}

function fieldsOf(built: Built, schema: Schema, direction: Direction, owner: string): GoField[] {
  const fields = new Map<string, GoField>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = exported(name)
    // Some names are accepted in two ways of writing.
    if (fields.has(field)) continue
    const isRequired = (schema.required ?? []).includes(name)
    const given = withInstant(property, name, direction)
    const isList = given.type === 'array' || flat([given]).some(({ type }) => type === 'array')
    const place = `${owner}${exported(isList ? singularOf(name) : name)}`
    const type = typeOf(built, given, direction, place, `a part of ${owner}`)
    fields.set(field, {
      name: field,
      type: fieldType(type, isRequired, direction),
      tag: `\`json:"${name}${isRequired ? '' : ',omitzero'}"\``,
      comment: fieldComment(given, isRequired && direction === 'request'),
    })
  }
  return [...fields.values()]
}

const PRIMITIVES: Readonly<Record<string, GoType>> = {
  string: plain('string'),
  integer: { ...plain('int'), needsPointer: true },
  number: { ...plain('float64'), needsPointer: true },
  boolean: { ...plain('bool'), needsPointer: true },
}

function plain(text: string): GoType {
  return { text, isNullable: false, isNilable: false, needsPointer: false }
}

function nilable(text: string): GoType {
  return { text, isNullable: false, isNilable: true, needsPointer: false }
}

/** Any JSON: a struct or a map is sent, and what is answered keeps its bytes. */
function unknown(direction: Direction): GoType {
  return nilable(direction === 'answer' ? 'json.RawMessage' : 'any')
}

function enumType(values: readonly unknown[]): GoType {
  const others = values.filter((value) => value !== null)
  const isNullable = others.length < values.length
  const kind = typeof others[0]
  const type = kind === 'number' ? 'integer' : kind
  return { ...(PRIMITIVES[type] as GoType), isNullable }
}

/** The choices of choices, each once. */
function flat(choices: readonly Schema[]): Schema[] {
  const all = choices.flatMap((choice) => {
    const inner = choice.anyOf ?? choice.oneOf
    if (inner !== undefined && choice.properties === undefined && choice.type === undefined)
      return flat(inner)
    return [choice]
  })
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

/** One object with the fields of all: what is not in each, may be left out. */
function merged(objects: readonly Schema[]): Schema {
  const names = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const properties = names.map((name): [string, Schema] => {
    const given = objects.flatMap((one) => one.properties?.[name] ?? [])
    const constants = given.flatMap((one) => ('const' in one ? [one.const] : []))
    if (constants.length === given.length) return [name, { enum: [...new Set(constants)] }]
    const different = flat(given)
    return [name, different.length === 1 ? (different[0] as Schema) : { anyOf: different }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: names.filter((name) => objects.every(({ required = [] }) => required.includes(name))),
  }
}

/** The API answers instants as texts under such names, not always with their format. */
function withInstant(property: Property, name: string, direction: Direction): Schema {
  if (typeof property === 'boolean') return {}
  if (direction !== 'answer' || !/(At|_at)$/.test(name)) return property
  return isText(property) ? { ...property, format: 'date-time' } : property
}

function isText({ type }: Schema): boolean {
  return type === 'string' || (Array.isArray(type) && type.includes('string'))
}

function fieldType(type: GoType, isRequired: boolean, direction: Direction): string {
  if (type.isNullable && !isRequired && direction !== 'answer') return `Nullable[${type.text}]`
  if (type.isNilable) return type.text
  const isPointer = type.isNullable || (!isRequired && type.needsPointer)
  return `${isPointer ? '*' : ''}${type.text}`
}

function fieldComment(schema: Schema, isRequired: boolean): string {
  const inner = [schema, ...flat([schema])]
  const values = inner.find((one) => one.enum !== undefined)?.enum
  const items = inner.find((one) => one.items?.enum !== undefined)?.items?.enum
  const description = inner.find((one) => one.description !== undefined)?.description
  const parts = [
    ...(isRequired ? ['required'] : []),
    ...(description === undefined ? [] : [description]),
    ...(values === undefined ? [] : [oneOf(values)]),
    ...(items === undefined ? [] : [`each ${oneOf(items)}`]),
  ]
  return parts.length === 0 ? '' : comment(parts.join('; '), '\t')
}

export function oneOf(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null).map((value) => JSON.stringify(value))
  return texts.length === 1 ? `always ${texts[0]}` : `one of ${texts.join(', ')}`
}

/** What a field holds; its comment may differ from place to place. */
function shapeOf(fields: readonly GoField[]): string {
  return fields.map(({ name, type, tag }) => `${name} ${type} ${tag}`).join('\n')
}
