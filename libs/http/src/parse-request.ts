/**
 * Makes of text what a handler may rely on: a JSON object that fits the route's schema, contains no
 * text that Postgres refuses, and is not so deep that a recursion over it overflows the stack. Each
 * refusal names the field.
 */
import { setImmediate } from 'node:timers/promises'
import { inTurns } from '@posthorn/async/in-turns'
import { ApiError, type FieldProblem } from '@posthorn/contracts/errors'
import { atOnce } from '@posthorn/domain/at-once'
import {
  builtSoFar,
  type OpenContainer,
  type ParseRules,
  parseInSteps,
} from '@posthorn/domain/json-in-steps'
import {
  isNestedTooDeep,
  isNestedTooDeepInSteps,
  isValueTooDeep,
  MAX_NESTING,
} from '@posthorn/domain/nesting'
import { hasEscapedNamesInSteps, isForJsonParse, parseJson } from '@posthorn/domain/parse-json'
import type { z } from 'zod'

/** A body of nothing but mistakes is told no more of them than one can read. */
const MAX_PROBLEMS = 100
const MAX_PATH_CHARACTERS = 200

/** What is done with a shorter text takes some 5 ms in all, whatever is in it. */
const MIDDLE_CHARACTERS = 64 * 1024
/** A shorter text takes JSON.parse 20 ms at most. */
const LARGE_CHARACTERS = 384 * 1024
/** In a longer text numbers alone make it take more. */
const HUGE_CHARACTERS = 1024 * 1024

/** Members of one object; 15 ms to list them. A payload at its default limit has 44,000. */
const MAX_MEMBERS = 50_000
/** Values that are looked at in one turn of the event loop: 2 ms. */
const STEP_VALUES = 10_000
/** Characters that are searched in one turn: 5 ms. */
const STEP_CHARACTERS = 1024 * 1024

/** What a large text is refused for before all of it is built. */
export interface ValueLimits {
  /** Objects, arrays and scalars. */
  maxValues: number
  /** Called with what was built up to there; it throws the refusal. */
  onTooMany(built: unknown): never
}

/** At once where the text is short, else with turns of the event loop in between. */
export function parseBodyText(
  text: string,
  limits: ValueLimits,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  return text.length < MIDDLE_CHARACTERS
    ? parseJsonObject(text)
    : parseLargeJsonObject(text, limits)
}

/**
 * As `parseJsonObject`, with turns of the event loop in between. Payloads of which nothing but
 * their text is read are checked and not built.
 */
async function parseLargeJsonObject(
  text: string,
  limits: ValueLimits,
): Promise<Record<string, unknown>> {
  const body = await parseObject(text, limits)
  const problems = await inTurns(findBadText(text, body))
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
  return body
}

async function parseObject(text: string, limits: ValueLimits): Promise<Record<string, unknown>> {
  const isWhole = await isParsedWhole(text)
  if (text.length >= LARGE_CHARACTERS) await setImmediate()
  if (isWhole) {
    const body = requireObject(parseText(text, JSON.parse))
    await setImmediate()
    if (await inTurns(isNestedTooDeepInSteps(text))) refuseDeepFields(body)
    return body
  }
  try {
    return requireObject(await inTurns(parseInSteps(text, rulesFor(limits))))
  } catch (error) {
    throw error instanceof SyntaxError ? notJson(error) : error
  }
}

async function isParsedWhole(text: string): Promise<boolean> {
  if (text.length >= HUGE_CHARACTERS) return false
  if (text.length >= LARGE_CHARACTERS) return await inTurns(isForJsonParse(text))
  return !(await inTurns(hasEscapedNamesInSteps(text)))
}

function rulesFor({ maxValues, onTooMany }: ValueLimits): ParseRules {
  return {
    isUnread: isPayloadKeptAsText,
    onDeep: refuseDeep,
    maxBuilt: maxValues,
    maxMembers: MAX_MEMBERS,
    onTooMany: (open) => onTooMany(builtSoFar(open)),
  }
}

export function parseJsonObject(text: string): Record<string, unknown> {
  const body = shallowObject(text, parseText(text, parseJson))
  if (!BAD_TEXT_SIGNS.some((sign) => text.includes(sign))) return body
  const problems = atOnce(findBadText(text, body))
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
  return body
}

function parseText(text: string, parse: (text: string) => unknown): unknown {
  if (text === '') throw new ApiError('BAD_REQUEST', 'the body is empty; send a JSON object')
  try {
    return parse(text)
  } catch (cause) {
    throw notJson(cause as Error)
  }
}

function notJson(cause: Error): ApiError {
  return new ApiError('BAD_REQUEST', `the body is not JSON: ${cause.message}`, { cause })
}

function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('BAD_REQUEST', 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}

function shallowObject(text: string, value: unknown): Record<string, unknown> {
  const body = requireObject(value)
  if (isNestedTooDeep(text)) refuseDeepFields(body)
  return body
}

function refuseDeepFields(body: object): void {
  const deep = findDeepField(body)
  if (deep !== null) throw tooDeep(deep)
}

function tooDeep(field: string): ApiError {
  const message = `must be nested at most ${MAX_NESTING} levels deep`
  return refusal('BAD_REQUEST', 'the body', [{ path: dotted([field]), message }])
}

/** Query values are text: those that can't be stored or compared in Postgres are refused here. */
export function refuseBadText(values: Readonly<Record<string, unknown>>): void {
  const problems: FieldProblem[] = []
  for (const [name, value] of Object.entries(values)) {
    if (isBadText(name) || (typeof value === 'string' && isBadText(value)))
      problems.push(badText(name))
  }
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the request', problems)
}

export function toProblems(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const issue of issues) {
    if (problems.length >= MAX_PROBLEMS) break
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_PROBLEMS))
        problems.push(unknownField([...issue.path, key]))
    } else {
      problems.push({ path: dotted(issue.path), message: inWords(issue) })
    }
  }
  return problems
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  record: 'an object',
  object: 'an object',
}
/** What a limit counts, by the kind of value. */
const COUNTED: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** Says what is wrong and what would be right, without the library's own words for types. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    // Only a field that is missing is undefined: JSON has no word for it.
    if (issue.message.endsWith('undefined')) return 'is required'
    return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') {
    return `must be at least ${issue.minimum}${COUNTED[issue.origin] ?? ''}`
  }
  if (issue.code === 'too_big') {
    return `must be at most ${issue.maximum}${COUNTED[issue.origin] ?? ''}`
  }
  return issue.message
}

export function refusal(
  code: 'BAD_REQUEST' | 'VALIDATION_ERROR',
  what: string,
  problems: readonly FieldProblem[],
): ApiError {
  const [first] = problems
  const where = first === undefined || first.path === '' ? what : first.path
  const details = problems.slice(0, MAX_PROBLEMS)
  return new ApiError(code, `${where}: ${first?.message ?? 'is not valid'}`, { details })
}

function dotted(path: readonly PropertyKey[]): string {
  const text = path.map(String).join('.').toWellFormed()
  return text.length > MAX_PATH_CHARACTERS ? `${text.slice(0, MAX_PATH_CHARACTERS)}…` : text
}

function unknownField(path: readonly PropertyKey[]): FieldProblem {
  return { path: dotted(path), message: 'is not a known field' }
}

function isBadText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

function badText(path: string): FieldProblem {
  return { path, message: 'must not contain NUL or half a surrogate pair' }
}

/**
 * The first field that is nested too deep, or null, of a body that is deep as a whole. Fields that
 * hold fields of their own are counted from those, so that a payload may be as deep wherever it
 * stands.
 */
function findDeepField(body: object): string | null {
  for (const [name, value] of Object.entries(body)) {
    if (!isWrapper(name, value)) {
      if (isValueTooDeep(value)) return name
      continue
    }
    for (const [inner, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null || !Array.isArray(value)) {
        if (isValueTooDeep(item)) return `${name}.${inner}`
        continue
      }
      const deep = Object.entries(item).find(([, field]) => isValueTooDeep(field))
      if (deep !== undefined) return `${name}.${inner}.${deep[0]}`
    }
  }
  return null
}

/** As `findDeepField`, for a text that is parsed in steps, before what is too deep is built. */
function refuseDeep(open: readonly OpenContainer[]): void {
  const [body, wrapper, item] = open
  if (body?.kind !== 'object') throw tooDeep('')
  let path: (string | number)[] = [body.name]
  if (body.name === 'events' && wrapper?.kind === 'array' && item !== undefined)
    path = ['events', wrapper.value.length, item.kind === 'object' ? item.name : item.value.length]
  else if (body.name === 'event' && wrapper?.kind === 'object') path = ['event', wrapper.name]
  if (open.length - path.length >= MAX_NESTING) throw tooDeep(path.join('.'))
}

/** Those of a batch's items, and that of the event that a transformation is tested with. */
function isPayloadKeptAsText(open: readonly OpenContainer[]): boolean {
  const holder = open.at(-1)
  if (holder?.kind !== 'object' || holder.name !== 'payload') return false
  const [body, wrapper] = open
  const name = body?.kind === 'object' ? body.name : ''
  return open.length === 3
    ? name === 'events' && wrapper?.kind === 'array'
    : open.length === 2 && name === 'event'
}

/** A batch's items, and the event that a transformation is tested with. */
function isWrapper(name: string, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return name === 'events' ? Array.isArray(value) : name === 'event' && !Array.isArray(value)
}

/** Without one of these, decoded UTF-8 that is accepted JSON has nothing that is refused. */
const BAD_TEXT_SIGNS = ['\\u', '__proto__']
const LONGEST_SIGN = 9

/**
 * Texts of columns must be texts that Postgres takes. Payloads and schemas are stored as JSON text,
 * where an escape stays an escape, so they are left alone.
 */
function* findBadText(text: string, body: object): Generator<undefined, FieldProblem[], undefined> {
  if (!(yield* hasSigns(text))) return []
  const problems: FieldProblem[] = []
  let seen = 0
  function* visit(value: unknown, path: readonly string[]): Generator<undefined, void, undefined> {
    if (isKeptAsText(path)) return
    if (typeof value === 'string' && isBadText(value)) problems.push(badText(dotted(path)))
    if (typeof value !== 'object' || value === null) return
    for (const key in value) {
      if (problems.length >= MAX_PROBLEMS) return
      seen += 1
      if (seen % STEP_VALUES === 0) yield
      const inner = [...path, key]
      // Libraries treat it in ways of their own; no field of ours has that name.
      if (key === '__proto__') problems.push(unknownField(inner))
      else if (isBadText(key)) problems.push(badText(dotted(inner)))
      else yield* visit((value as Record<string, unknown>)[key], inner)
    }
  }
  yield* visit(body, [])
  return problems
}

/**
 * In steps, because looking for `\u` takes 10 ns for each other escape, 40 ms in a text of nothing
 * else.
 */
function* hasSigns(text: string): Generator<undefined, boolean, undefined> {
  for (let at = 0; at < text.length; at += STEP_CHARACTERS) {
    if (at > 0) yield
    const part = text.slice(at, at + STEP_CHARACTERS + LONGEST_SIGN - 1)
    if (BAD_TEXT_SIGNS.some((sign) => part.includes(sign))) return true
  }
  return false
}

/** `payload` and `schema` of a body, `payload` of a batch's items and of a test's event. */
function isKeptAsText(path: readonly string[]): boolean {
  if (path.length === 1) return path[0] === 'payload' || path[0] === 'schema'
  if (path.at(-1) !== 'payload') return false
  return path.length === 3 ? path[0] === 'events' : path.length === 2 && path[0] === 'event'
}
