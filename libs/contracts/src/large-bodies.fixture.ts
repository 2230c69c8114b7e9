/**
 * Bodies for a route of the catalog, in each of which one text, list or object is as large as the
 * route lets a body be. The other fields are those of the route's example.
 */
import { z } from 'zod'
import { tidy } from './openapi-schemas.ts'
import { maxBodyBytes, type Route } from './routes.ts'

export interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  maxItems?: number
  maxProperties?: number
}

export interface LargeBody {
  /** The place that is large, and what it is filled with. */
  what: string
  text(): string
}

/** The schema of a body, as it is sent. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema, 'input'),
  }) as JsonSchema
}

/** Each with the most bytes and with half of them: what has too many values is refused early. */
export function* largeBodies({ body, example, ...route }: Route): Generator<LargeBody> {
  if (body === undefined) return
  const most = maxBodyBytes(route as Route) - MARGIN
  const whole: Place = { path: 'the body', kind: 'object', bodyOf: (bytes, fill) => fill(bytes) }
  const places = [whole, ...placesIn(inputSchema(body), { ...whole, path: '' }, example)]
  for (const { path, kind, bodyOf } of places) {
    for (const [filling, fill] of Object.entries(FILLINGS[kind])) {
      for (const bytes of [most, most / 2])
        yield { what: `${path}: ${filling}, ${bytes} bytes`, text: () => bodyOf(bytes, fill) }
    }
  }
}

/** For the fields of the example. */
const MARGIN = 4_000

/** Makes JSON text of about so many bytes. */
type Fill = (bytes: number) => string

interface Place {
  path: string
  kind: keyof typeof FILLINGS
  /** The body in which this place is filled. */
  bodyOf(bytes: number, fill: Fill): string
}

const escapes: Fill = (bytes) => `"${'\\"'.repeat(Math.max(0, bytes / 2 - 1))}"`
const text: Fill = (bytes) => `"${'a'.repeat(Math.max(0, bytes - 2))}"`

function listOf(item: string): Fill {
  return (bytes) => `[${`${item},`.repeat(Math.max(0, bytes / (item.length + 1) - 1))}${item}]`
}

function membersOf(name: string, value: string): Fill {
  return (bytes) => {
    const count = Math.floor(bytes / (name.length + value.length + 10))
    return `{${Array.from({ length: count }, (_, n) => `"${name}${n}":${value}`).join()}}`
  }
}

const OBJECTS = {
  'fields of text': membersOf('f', '"v"'),
  'odd fields of numbers': membersOf('f ', '1'),
  'a long name': (bytes: number) => `{${text(bytes - 4)}:1}`,
  'a long text in it': (bytes: number) => `{"enum":${text(bytes - 9)}}`,
  'escapes in it': (bytes: number) => `{"enum":${escapes(bytes - 9)}}`,
  'a list in it': (bytes: number) => `{"enum":${listOf('[]')(bytes - 9)}}`,
}
const FILLINGS = {
  string: {
    text,
    escapes,
    'other text': (bytes: number) => `"${'é '.repeat(Math.max(0, bytes / 3 - 1))}"`,
  },
  array: { numbers: listOf('1'), objects: listOf('{}'), texts: listOf('"a"') },
  object: OBJECTS,
  anything: { text, lists: listOf('[]'), ...OBJECTS },
} satisfies Record<string, Record<string, Fill>>

/** @param place where a value of this schema stands, of which the example is one */
function placesIn(schema: JsonSchema, place: Place, example: unknown): Place[] {
  const { type, items, additionalProperties } = schema
  const options = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? [])
  const kind = options.length === 0 && type === undefined ? 'anything' : type
  const isPlace = place.path !== '' && kind !== undefined && Object.hasOwn(FILLINGS, kind)
  return [
    ...(isPlace ? [{ ...place, kind: kind as Place['kind'] }] : []),
    ...fieldsOf(schema, place, example),
    ...(items === undefined ? [] : entriesOf(items, schema.maxItems, place, example)),
    ...(typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? membersIn(additionalProperties, schema.maxProperties, place)
      : []),
    ...options.flatMap((option) => placesIn(option, place, example)),
  ]
}

function fieldsOf(schema: JsonSchema, place: Place, example: unknown): Place[] {
  const fields = Object.entries(schema.properties ?? {})
  const given = isObject(example) ? example : {}
  return fields.flatMap(([name, field]) => {
    const others = fields
      .filter(([other]) => other !== name)
      .map(([other, { const: only }]) => [other, only ?? given[other] ?? sampleOf(other, schema)])
      .filter(([, value]) => value !== undefined)
    const before = others.map(
      ([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)},`,
    )
    const own: Place = {
      ...place,
      path: `${place.path}.${name}`,
      bodyOf: (bytes, fill) =>
        place.bodyOf(bytes, (room) => {
          const head = `{${before.join('')}${JSON.stringify(name)}:`
          return `${head}${fill(Math.max(1, room - head.length - 1))}}`
        }),
    }
    return placesIn(field, own, given[name])
  })
}

/** As many entries as there may be, each with its part of the bytes. */
function entriesOf(items: JsonSchema, most = 1_000, place: Place, example: unknown): Place[] {
  const own: Place = {
    ...place,
    path: `${place.path}[]`,
    bodyOf: (bytes, fill) => place.bodyOf(bytes, (room) => `[${parted(room, most, fill).join()}]`),
  }
  return placesIn(items, own, Array.isArray(example) ? example[0] : undefined)
}

function membersIn(schema: JsonSchema, most = 1_000, place: Place): Place[] {
  const own: Place = {
    ...place,
    path: `${place.path}{}`,
    bodyOf: (bytes, fill) =>
      place.bodyOf(bytes, (room) => {
        const members = parted(room, most, fill).map((value, n) => `"f${n}":${value}`)
        return `{${members.join()}}`
      }),
  }
  return placesIn(schema, own, undefined)
}

function parted(bytes: number, most: number, fill: Fill): string[] {
  const each = fill(Math.max(16, bytes / most - 10))
  const count = Math.min(most, Math.max(1, Math.floor(bytes / (each.length + 10))))
  return Array.from({ length: count }, () => each)
}

/** A required field that no example has. */
function sampleOf(name: string, { required = [], properties = {} }: JsonSchema): unknown {
  if (!required.includes(name)) return undefined
  const { type, enum: words } = properties[name] ?? {}
  if (words !== undefined) return words.at(0)
  if (type === 'number' || type === 'integer') return 1
  if (type === 'array') return []
  if (type === 'boolean') return true
  // It is a path too, where one is asked for.
  return type === 'object' ? {} : '$.a'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
