/**
 * The JSON Schemas of event types, drafts 2020-12 and 7, as TypeScript. A type says as much as
 * TypeScript can: limits, patterns and conditions are left to the installation, which checks them.
 * Whatever a schema holds, the text that is made is only types: names are checked or quoted, and
 * texts cannot end a comment.
 */

import { jsonLine } from '../terminal-text.ts'

type Schema = Readonly<Record<string, unknown>>

export interface NamedSchema {
  name: string
  description: string | null
  schema: Schema | null
}

/** As deep as payloads are at most, so that a schema without an end has one. */
const MAX_DEPTH = 40

export function typesModule(eventTypes: readonly NamedSchema[]): string {
  const sorted = eventTypes.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const members = sorted.map(({ name, description, schema }) => {
    const comment = description === null ? '' : `  /** ${commentText(description)} */\n`
    return `${comment}  ${jsonText(name)}: ${schemaType(schema ?? {}, '  ')}\n`
  })
  return `// Written by "posthorn types" from the event types of an installation: do not edit.

/** The payload of each event type. */
export interface EventPayloads {
${members.join('')}}

export type EventType = keyof EventPayloads
`
}

interface Place {
  root: Schema
  depth: number
  /** References that are being followed: one that leads to itself has no end. */
  open: readonly string[]
}

export function schemaType(schema: Schema, indent = ''): string {
  return typeOf(schema, indent, { root: schema, depth: 0, open: [] })
}

function typeOf(schema: unknown, indent: string, place: Place): string {
  if (schema === false) return 'never'
  if (!isSchema(schema) || place.depth > MAX_DEPTH) return 'unknown'
  const below = { ...place, depth: place.depth + 1 }
  const parts = [
    ...(typeof schema['$ref'] === 'string' ? [referenced(schema['$ref'], indent, below)] : []),
    ...ownParts(schema, indent, below),
    ...listOf(schema['allOf']).map((one) => typeOf(one, indent, below)),
    ...[schema['anyOf'], schema['oneOf']].flatMap((choices) =>
      Array.isArray(choices) ? [union(choices.map((choice) => typeOf(choice, indent, below)))] : [],
    ),
  ]
  const told = [...new Set(parts)].filter((part) => part !== 'unknown')
  if (told.length === 0) return 'unknown'
  return told.length === 1 ? (told[0] as string) : told.map(inBrackets).join(' & ')
}

function ownParts(schema: Schema, indent: string, place: Place): string[] {
  if ('const' in schema) return [literal(schema['const'])]
  if (Array.isArray(schema['enum'])) return [union(schema['enum'].map(literal))]
  const { type } = schema
  if (Array.isArray(type))
    return [union(type.map((one) => typeOf({ ...ownOnly(schema), type: one }, indent, place)))]
  if (type === 'object' || (type === undefined && isSchema(schema['properties'])))
    return [objectType(schema, indent, place)]
  if (type === 'array') return [arrayType(schema, indent, place)]
  return [PRIMITIVES[String(type)] ?? 'unknown']
}

/** Without what the whole schema adds besides, which would be added to each of its types again. */
function ownOnly({ $ref: _ref, allOf: _all, anyOf: _any, oneOf: _one, ...rest }: Schema): Schema {
  return rest
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function literal(value: unknown): string {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
    return jsonText(value)
  return 'unknown'
}

function referenced(reference: string, indent: string, place: Place): string {
  if (!reference.startsWith('#') || place.open.includes(reference)) return 'unknown'
  let found: unknown = place.root
  for (const part of reference
    .slice(1)
    .split('/')
    .filter((one) => one !== '')) {
    const key = unescaped(part)
    found = isSchema(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return typeOf(found, indent, { ...place, open: [...place.open, reference] })
}

function unescaped(part: string): string {
  let text = part
  try {
    text = decodeURIComponent(part)
  } catch {
    // It is a name with a per cent sign.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

function arrayType({ items, prefixItems }: Schema, indent: string, place: Place): string {
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? {} : (items ?? {})
  const restType = typeOf(rest, indent, place)
  if (first.length === 0) return `Array<${restType}>`
  const types = first.map((one) => `(${typeOf(one, indent, place)})?`)
  return `[${[...types, ...(rest === false ? [] : [`...Array<${restType}>`])].join(', ')}]`
}

function objectType(schema: Schema, indent: string, place: Place): string {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const required = new Set(listOf(schema['required']))
  const others = schema['additionalProperties']
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, property]) => {
    const description = isSchema(property) ? property['description'] : undefined
    const comment =
      typeof description === 'string' ? `${inner}/** ${commentText(description)} */\n` : ''
    const mark = required.has(name) ? '' : '?'
    return `${comment}${inner}${key(name)}${mark}: ${typeOf(property, inner, place)}\n`
  })
  // What is not named may be of any type: an index of a narrower type would refuse the others.
  const rest = others === false ? '' : `${inner}[name: string]: unknown\n`
  if (lines.length > 0) return `{\n${lines.join('')}${rest}${indent}}`
  if (others === false) return 'Record<string, never>'
  return `Record<string, ${others === undefined ? 'unknown' : typeOf(others, indent, place)}>`
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)]
  if (all.length === 0) return 'never'
  return all.includes('unknown') ? 'unknown' : all.map(inBrackets).join(' | ')
}

function inBrackets(type: string): string {
  return / [|&] /.test(type) && !/^[{[]/.test(type) ? `(${type})` : type
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : jsonText(name)
}

function jsonText(value: unknown): string {
  return jsonLine(value)
}

function commentText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('*/', '* /')
    .replaceAll(/ +/g, ' ')
    .trim()
}
