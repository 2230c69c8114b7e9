/**
 * Makes a tenant's JSON Schema into nodes, each a list of checks. No code is made from it: its
 * values become arguments of functions, so compiling takes a microsecond or two for each keyword,
 * and about as much memory as the schema itself.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { type CompiledPattern, compilePattern } from '@posthorn/domain/pattern'
import { TooCostly } from '@posthorn/domain/step-budget'
import type { SchemaNode } from './evaluate.ts'
import { checksOf } from './keywords.ts'
import type { JsonSchema, SchemaPlace } from './schema-place.ts'
import { items2020, items7, SHAPES } from './shapes.ts'

type Pattern = Extract<CompiledPattern, { outcome: 'ok' }>

const MAX_DEPTH = 32
/** Throws `TooCostly` beyond it; a node takes 4 us to compile. */
export const MAX_NODES = 2_500
/** The instructions of all patterns of a schema together; each takes 3 us. */
const MAX_INSTRUCTIONS = 4_000
const BYTES_PER_NODE = 500

export interface Compilation {
  isDraft7: boolean
  problems: FieldProblem[]
  /** What may be referred to, by JSON pointer or anchor. */
  targets: Map<string, SchemaNode>
  references: {
    pointer: string
    to: string
    target: { node: SchemaNode | undefined }
    from: SchemaNode
  }[]
  rootId: string
  nodes: number
  patterns: Map<string, Pattern | null>
  instructions: { left: number }
  bytes: number
}

export function newCompilation(root: JsonSchema, isDraft7: boolean): Compilation {
  return {
    isDraft7,
    problems: [],
    targets: new Map(),
    references: [],
    rootId: typeof root['$id'] === 'string' ? root['$id'].replace(/#$/, '') : '',
    nodes: 0,
    patterns: new Map(),
    instructions: { left: MAX_INSTRUCTIONS },
    bytes: 0,
  }
}

export function compileNode(
  schema: unknown,
  pointer: string,
  depth: number,
  all: Compilation,
): SchemaNode {
  const node: SchemaNode = { constant: null, checks: [], tracks: false, inPlace: [] }
  all.targets.set(pointer, node)
  all.nodes += 1
  all.bytes += BYTES_PER_NODE
  // The rest would be compiled for nothing.
  if (all.nodes > MAX_NODES) throw new TooCostly()
  if (typeof schema === 'boolean') {
    node.constant = schema
    return node
  }
  const own = schema as JsonSchema
  if (depth > MAX_DEPTH)
    return fail(all, node, pointer, `is nested deeper than ${MAX_DEPTH} schemas`)
  if (depth > 0 && '$id' in own) fail(all, node, pointer, 'must not have an $id of its own')
  if (!hasShape(own, pointer, all)) return node
  node.tracks = !all.isDraft7 && ('unevaluatedItems' in own || 'unevaluatedProperties' in own)
  anchor(own, pointer, node, all)
  const place = placeOf(own, pointer, depth, node, all)
  for (const keyword of ['$defs', 'definitions']) {
    for (const name of Object.keys(own[keyword] ?? {})) place.within(keyword, name)
  }
  node.checks = checksOf(place)
  return node
}

function placeOf(
  schema: JsonSchema,
  pointer: string,
  depth: number,
  node: SchemaNode,
  all: Compilation,
): SchemaPlace {
  const within = (...names: (string | number)[]): SchemaNode => {
    const value = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], schema)
    return compileNode(value, below(pointer, names), depth + 1, all)
  }
  return {
    schema,
    isDraft7: all.isDraft7,
    within,
    inPlace(...names) {
      const child = within(...names)
      node.inPlace.push(child)
      return child
    },
    refer(given) {
      const isOwn = all.rootId !== '' && given.startsWith(`${all.rootId}#`)
      const to = isOwn ? given.slice(all.rootId.length) : given
      const target = { node: undefined }
      all.references.push({ pointer, to, target, from: node })
      return target
    },
    pattern: (source, ...names) => patternOf(source, below(pointer, names), all)?.test ?? null,
  }
}

function below(pointer: string, names: readonly (string | number)[]): string {
  return pointer + names.map((name) => `/${escaped(String(name))}`).join('')
}

/** Many fields have the same pattern: it is compiled once. */
function patternOf(source: string, pointer: string, all: Compilation): Pattern | null {
  const known = all.patterns.get(source)
  if (known !== undefined) return known
  const compiled = compilePattern(source, all.instructions, 'ecmascript')
  const usable = compiled.outcome === 'ok' ? compiled : null
  if (compiled.outcome === 'ok') all.bytes += compiled.bytes
  else fail(all, NOTHING, pointer, compiled.reason)
  all.patterns.set(source, usable)
  return usable
}

function fail(all: Compilation, node: SchemaNode, pointer: string, message: string): SchemaNode {
  all.problems.push({ path: toPath(pointer), message })
  return node
}

function hasShape(schema: JsonSchema, pointer: string, all: Compilation): boolean {
  let fits = true
  for (const [keyword, value] of Object.entries(schema)) {
    const items = all.isDraft7 ? items7 : items2020
    const shape = keyword === 'items' ? items : Object.hasOwn(SHAPES, keyword) && SHAPES[keyword]
    const message = typeof shape === 'function' ? (shape(value) ?? badChild(keyword, value)) : null
    if (message === null) continue
    fits = false
    fail(all, NOTHING, `${pointer}/${escaped(keyword)}`, message)
  }
  return fits
}

const NOTHING: SchemaNode = { constant: true, checks: [], tracks: false, inPlace: [] }
const LISTS = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const NAMED = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** What is wrong with the schemas of a list or of named ones. */
function badChild(keyword: string, value: unknown): string | null {
  const isMany = LISTS.has(keyword) && Array.isArray(value)
  if (!isMany && !NAMED.has(keyword)) return null
  for (const child of Object.values(value as object)) {
    const isNames = keyword === 'dependencies' && Array.isArray(child)
    const shape = isNames ? SHAPES['required'] : SHAPES['not']
    const message = shape?.(child) ?? null
    if (message !== null) return `holds what ${message}`
  }
  return null
}

function anchor(schema: JsonSchema, pointer: string, node: SchemaNode, all: Compilation): void {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = schema[keyword]
    if (typeof name !== 'string') continue
    const known = all.targets.get(name)
    if (known !== undefined && known !== node) {
      fail(all, node, `${pointer}/${keyword}`, 'is the anchor of another schema already')
    }
    all.targets.set(name, node)
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function toPath(pointer: string): string {
  return pointer
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((part, n) => n > 0 || part !== '')
    .join('.')
}
