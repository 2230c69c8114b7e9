/** Texts that Postgres does not take: NUL and half surrogate pairs, in names and values. */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { dotted, MAX_PROBLEMS, refusal, unknownField } from './refusal.ts'

/** Values that are looked at in one turn of the event loop: 2 ms. */
const STEP_VALUES = 10_000
/** Characters that are searched in one turn: 5 ms. */
const STEP_CHARACTERS = 1024 * 1024

/** Query values are text: those that can't be stored or compared in Postgres are refused here. */
export function refuseBadText(values: Readonly<Record<string, unknown>>): void {
  const problems: FieldProblem[] = []
  for (const [name, value] of Object.entries(values)) {
    if (isBadText(name) || (typeof value === 'string' && isBadText(value)))
      problems.push(badText(name))
  }
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the request', problems)
}

function isBadText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

function badText(path: string): FieldProblem {
  return { path, message: 'must not contain NUL or half a surrogate pair' }
}

/** Without one of these, decoded UTF-8 that is accepted JSON has nothing that is refused. */
const BAD_TEXT_SIGNS = ['\\u', '__proto__']
const LONGEST_SIGN = 9

/**
 * Texts of columns must be texts that Postgres takes. Payloads and schemas are stored as JSON text,
 * where an escape stays an escape, so they are left alone.
 */
export function* findBadText(
  text: string,
  body: object,
): Generator<undefined, FieldProblem[], undefined> {
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
export function isKeptAsText(path: readonly string[]): boolean {
  if (path.length === 1) return path[0] === 'payload' || path[0] === 'schema'
  if (path.at(-1) !== 'payload') return false
  return path.length === 3 ? path[0] === 'events' : path.length === 2 && path[0] === 'event'
}
