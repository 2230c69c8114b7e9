/**
 * Checks payloads against a tenant's JSON Schema (draft 2020-12 and 7), which is from outside: it
 * is limited in size and depth, refers to nothing beyond itself, and both compiling it and running
 * it take a bounded number of steps. docs/decisions/0017-bounded-patterns-and-schemas.md tells why
 * it is interpreted here rather than compiled to code by a library.
 *
 * Unknown keywords assert nothing. Beside a `$ref`, draft 7's other keywords count too.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { isLongAsJson } from '@posthorn/domain/json-length'
import { TooCostly } from '@posthorn/domain/step-budget'
import { type Compilation, compileNode, MAX_NODES, newCompilation, toPath } from './compile-node.ts'
import { evaluate, MAX_PROBLEMS, type SchemaNode } from './evaluate.ts'
import type { JsonSchema } from './schema-place.ts'

export type CompiledSchema =
  | {
      outcome: 'ok'
      /** @returns what is wrong with a payload, nothing when it fits */
      validate(payload: unknown): FieldProblem[]
      /** An estimate of the memory that it takes. */
      bytes: number
    }
  | { outcome: 'invalid'; problems: FieldProblem[] }

const MAX_SCHEMA_BYTES = 64 * 1024
/**
 * The steps of one payload. A step takes 10 to 30 ns (one core of a small virtual machine, Node
 * 24), so that all of them take 4 to 12 ms, of the 25 ms that nobody may keep the event loop for. A
 * payload of 50,000 numbers, each with a type and a range, takes 300,000.
 */
export const MAX_STEPS = 400_000
/** The depth of schemas within each other that are run on one and the same value. */
const MAX_IN_PLACE_DEPTH = 200

const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DRAFT_7 = 'http://json-schema.org/draft-07/schema'

export function compileSchema(schema: JsonSchema): CompiledSchema {
  const isLong = isLongAsJson(schema, MAX_SCHEMA_BYTES)
  const bytes = isLong ? Infinity : Buffer.byteLength(JSON.stringify(schema))
  if (bytes > MAX_SCHEMA_BYTES)
    return invalid('schema', `must be at most ${MAX_SCHEMA_BYTES} bytes`)
  const named = schema['$schema'] ?? DRAFT_2020
  const dialect = typeof named === 'string' ? named.replace(/#$/, '') : ''
  if (dialect !== DRAFT_2020 && dialect !== DRAFT_7) {
    return invalid('schema.$schema', `must be ${DRAFT_2020} or ${DRAFT_7}#`)
  }
  const all = newCompilation(schema, dialect === DRAFT_7)
  let root: SchemaNode
  try {
    root = compileNode(schema, '', 0, all)
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return invalid('schema', `is too costly: has more than ${MAX_NODES} schemas within it`)
  }
  resolve(all)
  if (all.problems.length === 0) checkCosts(all)
  if (all.problems.length > 0) return { outcome: 'invalid', problems: toProblems(all) }
  return {
    outcome: 'ok',
    validate: (payload) => run(root, payload),
    bytes: all.bytes + 2 * bytes,
  }
}

function run(root: SchemaNode, payload: unknown): FieldProblem[] {
  const problems: FieldProblem[] = []
  const state = { budget: { left: MAX_STEPS }, path: [], problems, silent: 0, depth: 0 }
  try {
    evaluate(root, payload, state, null)
    return problems
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return [{ path: 'payload', message: 'is too costly to check against the schema' }]
  }
}

function resolve(all: Compilation): void {
  for (const { pointer, to, target, from } of all.references) {
    const found = to.startsWith('#') ? all.targets.get(decoded(to.slice(1))) : undefined
    if (found === undefined) {
      const message = `refers to ${to.slice(0, 200)}, which is no schema in this document`
      all.problems.push({ path: toPath(pointer), message })
      continue
    }
    target.node = found
    from.inPlace.push(found)
  }
}

interface Cost {
  steps: number
  depth: number
}

/**
 * What a value costs in each schema before anything within the value is looked at, computed from
 * the schema alone: references double the cost at each level where a schema names the next one
 * twice.
 */
function checkCosts(all: Compilation): void {
  const costs = new Map<SchemaNode, Cost | 'open'>()
  const tell = (pointer: string, message: string): void => {
    if (all.problems.length === 0) all.problems.push({ path: toPath(pointer), message })
  }
  const pointers = new Map([...all.targets].map(([pointer, node]) => [node, pointer]))
  function costOf(node: SchemaNode): Cost {
    const known = costs.get(node)
    if (known === 'open') {
      tell(pointers.get(node) ?? '', 'refers to itself without going deeper into the payload')
      return { steps: 0, depth: 0 }
    }
    if (known !== undefined) return known
    costs.set(node, 'open')
    const parts = all.problems.length > 0 ? [] : node.inPlace.map(costOf)
    const steps = parts.reduce((sum, part) => sum + part.steps, 2 + node.checks.length)
    const depth = parts.reduce((most, part) => Math.max(most, part.depth + 1), 0)
    const cost = { steps, depth }
    costs.set(node, cost)
    return cost
  }
  for (const [pointer, node] of all.targets) {
    const { steps, depth } = costOf(node)
    if (steps > MAX_STEPS) {
      tell(pointer, `is too costly: a single value takes ${steps} steps, ${MAX_STEPS} are the most`)
    }
    if (depth > MAX_IN_PLACE_DEPTH) {
      const most = MAX_IN_PLACE_DEPTH
      tell(pointer, `is too costly: a single value meets more than ${most} schemas in each other`)
    }
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function toProblems({ problems }: Compilation): FieldProblem[] {
  return problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    path: path === '' ? 'schema' : `schema.${path}`.slice(0, 500),
    message,
  }))
}

function invalid(path: string, message: string): CompiledSchema {
  return { outcome: 'invalid', problems: [{ path, message }] }
}
