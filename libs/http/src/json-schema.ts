/**
 * Checks of payloads against a tenant's JSON Schema (draft 2020-12 and 7), which is code from
 * outside: it is limited in size and depth, reaches nothing beyond itself, its patterns run in
 * linear time (RE2), and a check has a budget.
 *
 * It does not promise to be complete for schemas that mean something only to a validator's own
 * options: what is unknown asserts nothing.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { Ajv as Ajv7, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { RE2JS } from 're2js'
import { COST, type JsonSchema, prepareSchema, toPath } from './prepare-schema.ts'

export type CompiledSchema =
  /** `validate` answers what is wrong with a payload, nothing when it fits. */
  | { outcome: 'ok'; validate: (payload: unknown) => FieldProblem[] }
  | { outcome: 'invalid'; problems: FieldProblem[] }

const MAX_SCHEMA_BYTES = 64 * 1024
const MAX_PROBLEMS = 100
/**
 * Units of some 50 ns: 25 ms at most, in which nobody else is served. A payload of 256 KiB has at
 * most 50,000 values that say anything, each under a few subschemas.
 */
const MAX_COST = 500_000
/** Formats run on JavaScript's engine: short text can't keep it busy. */
const MAX_FORMAT_CHARACTERS = 2_048

const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DRAFT_7 = 'http://json-schema.org/draft-07/schema'
const LENIENT: Options = { strict: false, logger: false }
const OWN: Options = {
  ...LENIENT,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  inlineRefs: false,
}

/** Only for the meta-schemas: what a schema leaves in an instance stays there. */
let metaSchemas: { [dialect: string]: Ajv7 } | undefined

export function compileSchema(schema: JsonSchema): CompiledSchema {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) {
    return invalid('schema', `must be at most ${MAX_SCHEMA_BYTES} bytes`)
  }
  const named = schema.$schema ?? DRAFT_2020
  const dialect = typeof named === 'string' ? named.replace(/#$/, '') : ''
  metaSchemas ??= { [DRAFT_2020]: new Ajv2020(LENIENT), [DRAFT_7]: new Ajv7(LENIENT) }
  const meta = Object.hasOwn(metaSchemas, dialect) ? metaSchemas[dialect] : undefined
  if (meta === undefined) return invalid('schema.$schema', `must be ${DRAFT_2020} or ${DRAFT_7}#`)
  if (meta.validate(dialect, schema) !== true) {
    return { outcome: 'invalid', problems: toProblems('schema', meta.errors ?? []) }
  }
  const prepared = prepareSchema(schema)
  if (prepared.problems.length > 0) {
    const problems = prepared.problems.map(({ path, message }) => ({
      path: joined('schema', path),
      message,
    }))
    return { outcome: 'invalid', problems: problems.slice(0, MAX_PROBLEMS) }
  }
  return compile(dialect, prepared.schema)
}

function compile(dialect: string, schema: JsonSchema): CompiledSchema {
  const budget = { left: 0 }
  try {
    const ajv = createAjv(dialect, budget)
    const check = ajv.compile(schema)
    return { outcome: 'ok', validate: (payload) => run(check, payload, budget) }
  } catch (error) {
    return invalid('schema', error instanceof Error ? error.message : String(error))
  }
}

class OverBudget extends Error {}

function run(check: ValidateFunction, payload: unknown, budget: { left: number }): FieldProblem[] {
  budget.left = MAX_COST
  try {
    return check(payload) ? [] : toProblems('payload', check.errors ?? [])
  } catch (error) {
    // A RangeError is a recursion that overflowed the stack before it used up the budget.
    if (!(error instanceof OverBudget || error instanceof RangeError)) throw error
    return [{ path: 'payload', message: 'takes too long to check against the schema' }]
  }
}

/** One an schema: an instance keeps what it compiled, and goes with it. */
function createAjv(dialect: string, budget: { left: number }): Ajv7 {
  const charge = (cost: number): void => {
    budget.left -= cost
    if (budget.left < 0) throw new OverBudget()
  }
  const options: Options = { ...OWN, allErrors: true, code: { regExp: linearRegExp(charge) } }
  const ajv = dialect === DRAFT_7 ? new Ajv7(options) : new Ajv2020(options)
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (name !== 'byte') ajv.formats[name] = shortOnly(format)
  }
  ajv.addKeyword({
    keyword: COST,
    errors: false,
    validate: (cost: number, data: unknown) => {
      charge(cost + sizeOf(data))
      return true
    },
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    error: { message: 'must NOT have duplicate items' },
    validate: (wanted: boolean, data: unknown[]) => !wanted || areUnique(data, charge),
  })
  return ajv
}

function linearRegExp(charge: (cost: number) => void) {
  const engine = (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    const test = (text: string): boolean => {
      charge(1 + (text.length >> 3))
      return compiled.test(text)
    }
    return { test }
  }
  return Object.assign(engine, { code: 'linearRegExp' })
}

function shortOnly(format: Ajv7['formats'][string]): Ajv7['formats'][string] {
  const definition =
    typeof format === 'object' && 'validate' in format ? format : { validate: format }
  const { type = 'string', validate } = definition as { type?: string; validate: unknown }
  if (type !== 'string') return format
  const test =
    validate instanceof RegExp
      ? (text: string) => validate.test(text)
      : typeof validate === 'function'
        ? (validate as (text: string) => boolean)
        : () => true
  return (text: string) => text.length <= MAX_FORMAT_CHARACTERS && test(text)
}

/** Four members or 32 characters take about as long as one subschema. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length >> 5
  if (typeof data !== 'object' || data === null) return 0
  return (Array.isArray(data) ? data.length : Object.keys(data).length) >> 2
}

/** By spelling instead of pair by pair: 100,000 items would make 5 * 10^9 pairs. */
function areUnique(items: readonly unknown[], charge: (cost: number) => void): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const spelling = canonical(item)
    charge(1 + (spelling.length >> 3))
    if (seen.has(spelling)) return false
    seen.add(spelling)
  }
  return true
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`,
  )
  return `{${members.sort().join()}}`
}

function toProblems(root: string, errors: readonly ErrorObject[]): FieldProblem[] {
  return errors.slice(0, MAX_PROBLEMS).map(({ instancePath, message, params }) => {
    const extra = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
    const pointer = toPath(instancePath)
    const path = extra === undefined ? pointer : joined(pointer, String(extra))
    return { path: joined(root, path), message: message ?? 'does not match the schema' }
  })
}

function joined(left: string, right: string): string {
  return [left, right].filter((part) => part !== '').join('.')
}

function invalid(path: string, message: string): CompiledSchema {
  return { outcome: 'invalid', problems: [{ path, message }] }
}
