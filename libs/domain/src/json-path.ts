/**
 * JSONPaths of the plain kind (RFC 9535): the root, members, indexes and wildcards. A path is
 * compiled once and followed by a loop; nothing in it is ever run as code.
 * `docs/decisions/0005-json-paths.md` tells why this is not a library.
 *
 * Beyond the RFC, a name after a dot may contain hyphens, as in `$.headers.X-Request-Id`. A path
 * may find only its first `MAX_MATCHES` values, in the order of the document, and none beyond its
 * budget of steps, in an object with very many members, or in what is `UNREAD`.
 */
import { isCrowded, UNREAD } from './json-in-steps.ts'
import { type StepBudget, spend, TooCostly } from './step-budget.ts'

export type CompiledPath =
  | {
      outcome: 'ok'
      /**
       * The values that the path leads to; only some of them when finding all would take very long.
       */
      find(value: unknown): unknown[]
      /** As `find`, but throws `TooCostly` when the budget is used up. */
      findWithin(value: unknown, budget: StepBudget): unknown[]
    }
  | { outcome: 'invalid'; reason: string }

/**
 * A longer list is data rather than a choice. The limit bounds the cost of whatever looks at each
 * value.
 */
export const MAX_MATCHES = 1_000

/** Steps of 15 to 30 ns: 6 ms at most. */
const MAX_STEPS = 200_000
/** The longest path takes 10 us to compile. */
export const MAX_PATH_CHARACTERS = 1_000
/** Object.keys takes 110 ns a name in an object of very many; an element of a list takes 10. */
const STEPS_PER_NAME = 8
/** One listing takes 3 us in itself when objects have different shapes. */
const STEPS_PER_LISTING = 100

const ANY = Symbol('wildcard')
/** The name of a member, an index, or all children. */
type PathStep = string | number | typeof ANY

const BLANK = '[ \\t\\n\\r]*'
const QUOTED = `'(?:[^'\\\\]|\\\\[bfnrt/\\\\']|\\\\u[0-9a-fA-F]{4})*'|"(?:[^"\\\\]|\\\\[bfnrt/\\\\"]|\\\\u[0-9a-fA-F]{4})*"`
const NAME = '[A-Za-z_\\u{80}-\\u{10ffff}][A-Za-z0-9_\\u{80}-\\u{10ffff}-]*'
const DOTTED = `\\.(?:(?<name>${NAME})|(?<dotAny>\\*))`
const BRACKETED = `\\[${BLANK}(?:(?<index>0|-?[1-9][0-9]*)|(?<quoted>${QUOTED})|(?<any>\\*))${BLANK}\\]`
const SEGMENT = new RegExp(`${BLANK}(?:${DOTTED}|${BRACKETED})`, 'uy')

/**
 * Syntax that other engines know and this one refuses. The first entry that matches the rest of the
 * path gives the reason.
 */
const REFUSED: readonly [RegExp, string][] = [
  [/^\.\./, 'has "..", which is not supported: name each member on the way'],
  [/^\[\s*\?/, 'has a filter expression, which is not supported'],
  [/^\(/, 'calls a function, which is not supported'],
  [/^[.[]\s*\(/, 'has a script expression, which is not supported'],
  [/^\[\s*-?\d*\s*:/, 'has a slice, which is not supported: use an index or [*]'],
  [new RegExp(`^\\[\\s*(?:\\*|-?\\d+|${QUOTED})\\s*,`), 'selects several at once: use one, or [*]'],
  [/^\.\d/, "has a digit after a dot: write [0] for an index, ['0'] for a member"],
  [/^\[\s*-?\d+\s*\]/, 'has a number in brackets that is no index'],
]

export function compilePath(text: string): CompiledPath {
  if (text.length > MAX_PATH_CHARACTERS) {
    return invalid(`must be at most ${MAX_PATH_CHARACTERS} characters`)
  }
  if (!text.startsWith('$')) return invalid('must begin with $, as in $.data.amount')
  const steps: PathStep[] = []
  for (let at = 1; at < text.length; ) {
    SEGMENT.lastIndex = at
    const groups = SEGMENT.exec(text)?.groups
    const step = groups === undefined ? undefined : toStep(groups)
    if (step === undefined) return invalid(reasonFor(text, at))
    steps.push(step)
    at = SEGMENT.lastIndex
  }
  const findInto = (value: unknown, budget: StepBudget, found: unknown[]): void => {
    spend(budget, steps.length)
    collect(steps, 0, value, found, budget)
  }
  return {
    outcome: 'ok',
    find(value) {
      const found: unknown[] = []
      try {
        findInto(value, { left: MAX_STEPS }, found)
      } catch (error) {
        if (!(error instanceof TooCostly)) throw error
      }
      return found
    },
    findWithin(value, budget) {
      const found: unknown[] = []
      findInto(value, budget, found)
      return found
    },
  }
}

function toStep(groups: Record<string, string | undefined>): PathStep | undefined {
  const { name, index, quoted } = groups
  if (name !== undefined) return name
  if (quoted !== undefined) return unquote(quoted)
  if (index === undefined) return ANY
  return Number.isSafeInteger(Number(index)) ? Number(index) : undefined
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, letter: string) =>
      hex === undefined
        ? (ESCAPES[letter] ?? letter)
        : String.fromCharCode(Number.parseInt(hex, 16)),
    )
}

function reasonFor(text: string, at: number): string {
  const rest = text.slice(at).trimStart()
  const known = REFUSED.find(([pattern]) => pattern.test(rest))
  return known?.[1] ?? `is not a path from its character ${at + 1} on: ${text.slice(at, at + 20)}`
}

function invalid(reason: string): CompiledPath {
  return { outcome: 'invalid', reason }
}

function collect(
  steps: readonly PathStep[],
  from: number,
  value: unknown,
  found: unknown[],
  budget: StepBudget,
): void {
  let at = value
  for (let index = from; index < steps.length; index += 1) {
    const step = steps[index] as PathStep
    if (step === ANY) {
      if (typeof at !== 'object' || at === null) return
      if (at === UNREAD) throw new TooCostly()
      const names = Array.isArray(at) ? null : namesOf(at, budget)
      const count = names?.length ?? (at as unknown[]).length
      for (let place = 0; place < count; place += 1) {
        if (found.length >= MAX_MATCHES) return
        spend(budget, steps.length - index)
        const child = (at as Record<string | number, unknown>)[names?.[place] ?? place]
        collect(steps, index + 1, child, found, budget)
      }
      return
    }
    at = childOf(at, step)
    if (at === undefined) return
  }
  found.push(at)
}

function namesOf(value: object, budget: StepBudget): string[] {
  if (isCrowded(value)) throw new TooCostly()
  const names = Object.keys(value)
  spend(budget, STEPS_PER_LISTING + names.length * STEPS_PER_NAME)
  return names
}

/**
 * undefined: there is no such child; no JSON value is undefined. Only the value's own members
 * count: `__proto__` is a name like any other.
 */
function childOf(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (value === UNREAD) throw new TooCostly()
  if (Array.isArray(value)) return typeof step === 'number' ? value.at(step) : undefined
  if (typeof step === 'number' || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, unknown>)[step]
}
