/**
 * The schemas of the OpenAPI document, made from those of the contracts. Bodies are shown before
 * their defaults are applied, answers after. What a zod schema can't express is given in its
 * `meta`.
 */
import { z } from 'zod'
import * as alerting from './alerting.ts'
import * as apiKeys from './api-keys.ts'
import * as auth from './auth.ts'
import * as connectors from './connectors.ts'
import * as deliveries from './deliveries.ts'
import * as endpointVersions from './endpoint-versions.ts'
import * as endpoints from './endpoints.ts'
import * as eventTypes from './event-types.ts'
import * as events from './events.ts'
import * as explain from './explain.ts'
import * as inbound from './inbound.ts'
import * as mfa from './mfa.ts'
import * as passkeys from './passkeys.ts'
import * as portal from './portal.ts'
import * as projects from './projects.ts'
import * as replays from './replays.ts'
import * as team from './team.ts'
import type { Route } from './routes.ts'
import * as usage from './usage.ts'

export type Json = Record<string, unknown>

const MODULES = [
  alerting,
  connectors,
  apiKeys,
  auth,
  deliveries,
  endpoints,
  endpointVersions,
  eventTypes,
  events,
  explain,
  inbound,
  mfa,
  passkeys,
  portal,
  projects,
  replays,
  usage,
  team,
]

/**
 * Schemas have the names under which the contracts export them. Those that depend on the brand are
 * named after their route.
 */
export function schemaNames(routes: readonly [string, Route][]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const module of MODULES) {
    for (const [name, value] of Object.entries(module)) {
      if (value instanceof z.ZodObject) names.set(value, name)
    }
  }
  for (const [name, { body, answer }] of routes) {
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    if (body !== undefined && !names.has(body)) names.set(body, title)
    if (answer !== undefined && !names.has(answer)) names.set(answer, `${title}Answer`)
  }
  return names
}

/**
 * Bodies are described before their defaults are applied, answers as they are sent. A schema within
 * another is referred to by its name.
 */
export function componentSchemas(
  routes: readonly [string, Route][],
  names: ReadonlyMap<z.ZodType, string>,
): Json {
  const bodies = new Set(routes.flatMap(([, { body }]) => body ?? []))
  const answers = new Set(routes.flatMap(([, { answer }]) => answer ?? []))
  for (const schema of names.keys()) if (isPartOf(schema, answers)) answers.add(schema)
  return { ...convert(bodies, names, 'input'), ...convert(answers, names, 'output') }
}

/** The item of a page has a name of its own. */
function isPartOf(schema: z.ZodType, answers: ReadonlySet<z.ZodType>): boolean {
  return [...answers].some((answer) => {
    const { data, deliveries: list } = (answer as z.ZodObject).shape ?? {}
    const array = data ?? list
    return array instanceof z.ZodArray && array.element === schema
  })
}

function convert(
  schemas: ReadonlySet<z.ZodType>,
  names: ReadonlyMap<z.ZodType, string>,
  io: 'input' | 'output',
): Json {
  const registry = z.registry<{ id: string }>()
  for (const schema of schemas) registry.add(schema, { id: names.get(schema) as string })
  const converted = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  }).schemas
  for (const schema of Object.values(converted)) {
    delete schema.$schema
    delete schema.$id
  }
  return converted
}

/** Postgres stores no NUL in text. Every other rule on a string stands in its own pattern. */
const NO_NUL = '^[^\\u0000]*$'

/**
 * `meta({ override })` replaces what zod would say of a text, `meta({ also })` adds rules over
 * several fields. The bounds of JavaScript's integers are left out: they tell a reader nothing.
 */
export function tidy(schema: Json, io: 'input' | 'output'): void {
  if (typeof schema.override === 'object') {
    const { override } = schema
    for (const key of Object.keys(schema)) delete schema[key]
    Object.assign(schema, override)
  }
  if (typeof schema.also === 'object') {
    const { also } = schema
    delete schema.also
    Object.assign(schema, also)
  }
  if (io === 'input' && isFreeText(schema)) schema.pattern = NO_NUL
  // Any JSON is kept as text, and an escape in a member's name stays an escape there.
  if (isAnyObject(schema)) delete schema.propertyNames
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // Answers gain fields from time to time, so readers must not refuse unknown ones.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
}

function isFreeText({ type, pattern, format, enum: words, const: word }: Json): boolean {
  return type === 'string' && [pattern, format, words, word].every((rule) => rule === undefined)
}

function isAnyObject({ additionalProperties, propertyNames }: Json): boolean {
  const isAny = typeof additionalProperties === 'object' && propertyNames !== undefined
  return isAny && Object.keys(additionalProperties as Json).length === 0
}
