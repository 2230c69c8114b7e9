/**
 * Every text, list and object that the schema of any route's body has, as large as the route lets a
 * body be: reading and refusing it keeps the event loop for a bounded time.
 */
import { expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { tidy } from '@posthorn/contracts/openapi-schemas'
import { maxBodyBytes, type Route, routeCatalog } from '@posthorn/contracts/routes'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import { z } from 'zod'
import { checkBody } from './check-body.ts'
import { parseBodyText } from './parse-request.ts'

const MOST_MS = 25

interface JsonSchema {
  type?: string
  const?: unknown
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  maxItems?: number
  maxProperties?: number
}

/** Makes JSON text of about so many bytes. */
type Filler = (bytes: number) => string
const times = (text: string): Filler => {
  return (bytes) => `[${`${text},`.repeat(bytes / (text.length + 1))}${text}]`
}
const members = (name: string, value: string): Filler => {
  return (bytes) => {
    const count = Math.floor(bytes / (name.length + value.length + 10))
    return `{${Array.from({ length: count }, (_, n) => `"${name}${n}":${value}`).join()}}`
  }
}

const FILLERS: Readonly<Record<string, readonly Filler[]>> = {
  string: [(bytes) => `"${'a'.repeat(bytes)}"`, (bytes) => `"${'é '.repeat(bytes / 3)}"`],
  array: [times('1'), times('{}'), times('"a"')],
  object: [
    members('f', '"v"'),
    members('f ', '1'),
    (bytes) => `{"${'a'.repeat(bytes)}":"v"}`,
    (bytes) => `{"a":"${'a'.repeat(bytes)}"}`,
  ],
}

interface Place {
  path: string
  /** A body in which this place has these bytes. */
  bodyOf(bytes: number, filler: Filler): string
  kind: string
}

function placesIn(schema: JsonSchema, path: string, wrap: Place['bodyOf']): Place[] {
  const { type = '', properties = {}, items, additionalProperties } = schema
  const here: Place[] = type in FILLERS && path !== '' ? [{ path, bodyOf: wrap, kind: type }] : []
  const constants = Object.entries(properties)
    .filter(([, { const: only }]) => only !== undefined)
    .map(([name, { const: only }]) => `${JSON.stringify(name)}:${JSON.stringify(only)},`)
    .join('')
  const inFields = Object.entries(properties).flatMap(([name, field]) =>
    placesIn(field, `${path}.${name}`, (bytes, filler) =>
      wrap(bytes, (room) => `{${constants}${JSON.stringify(name)}:${filler(room)}}`),
    ),
  )
  const inEach = (value: JsonSchema, most: number, whole: (each: string[]) => string): Place[] =>
    // As many entries as there may be, each with its part of the bytes.
    placesIn(value, `${path}[]`, (bytes, filler) =>
      wrap(bytes, (room) => {
        const each = filler(Math.max(16, room / most))
        return whole(Array.from({ length: Math.floor(room / each.length) }, () => each))
      }),
    )
  const inItems =
    items === undefined
      ? []
      : inEach(
          items,
          schema.maxItems ?? 1_000,
          (each) => `[${each.slice(0, schema.maxItems).join()}]`,
        )
  const inMembers =
    typeof additionalProperties !== 'object'
      ? []
      : inEach(additionalProperties, schema.maxProperties ?? 1_000, (each) => {
          const named = each.map((value, n) => `"f${n}":${value}`)
          return `{${named.slice(0, schema.maxProperties).join()}}`
        })
  const options = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? [])
  return [
    ...here,
    ...inFields,
    ...inItems,
    ...inMembers,
    ...options.flatMap((option) => placesIn(option, path, wrap)),
  ]
}

function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema, 'input'),
  }) as JsonSchema
}

const routes = Object.entries(routeCatalog('Posthorn') as Record<string, Route>).filter(
  ([, { body, consumes }]) => body !== undefined && consumes === undefined,
)

test('some routes have a body', () => {
  expect(routes.length).toBeGreaterThan(50)
})

function unlimitedIn(schema: JsonSchema, path: string): string[] {
  const { properties = {}, items, additionalProperties, maxItems, maxProperties } = schema
  const isList = items !== undefined
  const isRecord =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
  return [
    ...((isList && maxItems === undefined) || (isRecord && maxProperties === undefined)
      ? [path]
      : []),
    ...Object.entries(properties).flatMap(([name, field]) => unlimitedIn(field, `${path}.${name}`)),
    ...(isList ? unlimitedIn(items, `${path}[]`) : []),
    ...(isRecord ? unlimitedIn(additionalProperties, `${path}[]`) : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) =>
      (some ?? []).flatMap((option) => unlimitedIn(option, path)),
    ),
  ]
}

test.each(routes)('each list and each record in a body of %s has a limit', (_name, { body }) => {
  expect(unlimitedIn(inputSchema(body as z.ZodType), '')).toEqual([])
})

/** With half the bytes too, because what has too many values as a whole is refused before. */
function fillersOf({ kind }: Place, most: number): [number, Filler, number][] {
  return (FILLERS[kind] ?? []).flatMap((filler, n) => [
    [n, filler, most],
    [n, filler, most / 2],
  ])
}

test.each(routes)('a body of %s', async (_name, route) => {
  const schema = inputSchema(route.body as z.ZodType)
  const slow: string[] = []
  const most = maxBodyBytes(route) - 1_000
  const everything: Place = { path: '', kind: 'object', bodyOf: (room, filler) => filler(room) }
  for (const place of [everything, ...placesIn(schema, '', everything.bodyOf)]) {
    for (const [n, filler, bytes] of fillersOf(place, most)) {
      const text = place.bodyOf(bytes, filler)
      const ms = await shortestOfLongestTurnsMs(
        5,
        (least) => least < MOST_MS,
        async () => {
          try {
            checkBody(route, text, await parseBodyText(text))
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
          }
        },
      )
      if (ms >= MOST_MS) slow.push(`${place.path} (${n}, ${bytes}): ${ms.toFixed(0)} ms`)
    }
  }
  expect(slow).toEqual([])
})
