/**
 * JSONPaths of the plain kind (RFC 9535): the root, members, indexes and wildcards. Compiled once, followed by a loop:
 * nothing that a path says is ever run as code. `docs/decisions/0005-json-paths.md` tells why this is no library.
 *
 * Beyond the RFC, a name after a dot may hold hyphens, as in `$.headers.X-Request-Id`. A path is not promised to find
 * more than its first `MAX_MATCHES` values, in the order of the document, nor what its wildcards lead to beyond the first
 * `MAX_VISITS` places or in a crowded object.
 */
import { isCrowded } from './json-in-steps.ts'

export type CompiledPath =
  /** `find` answers the values, none when the path leads nowhere. */
  { outcome: 'ok'; find(value: unknown): unknown[] } | { outcome: 'invalid'; reason: string }

/** A list this long is data, not a choice; it bounds what one event can cost whoever looks at each value. */
export const MAX_MATCHES = 1_000

/** Places that the wildcards of one path lead to, whether something is found there or not: 10 ms at most. */
const MAX_VISITS = 30_000
/** What the list of an object's members takes beside them: up to 3 us where no two objects are alike. */
const LISTING_VISITS = 8

const ANY = Symbol('wildcard')
/** A member's name, an index, or all children. */
type Step = string | number | typeof ANY

const BLANK = '[ \\t\\n\\r]*'
const QUOTED = `'(?:[^'\\\\]|\\\\[bfnrt/\\\\']|\\\\u[0-9a-fA-F]{4})*'|"(?:[^"\\\\]|\\\\[bfnrt/\\\\"]|\\\\u[0-9a-fA-F]{4})*"`
const NAME = '[A-Za-z_\\u{80}-\\u{10ffff}][A-Za-z0-9_\\u{80}-\\u{10ffff}-]*'
const DOTTED = `\\.(?:(?<name>${NAME})|(?<dotAny>\\*))`
const BRACKETED = `\\[${BLANK}(?:(?<index>0|-?[1-9][0-9]*)|(?<quoted>${QUOTED})|(?<any>\\*))${BLANK}\\]`
const SEGMENT = new RegExp(`${BLANK}(?:${DOTTED}|${BRACKETED})`, 'uy')

/** What other engines know and this one refuses; the first that fits the rest of the path says why. */
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
  if (!text.startsWith('$')) return invalid('must begin with $, as in $.data.amount')
  const steps: Step[] = []
  for (let at = 1; at < text.length; ) {
    SEGMENT.lastIndex = at
    const groups = SEGMENT.exec(text)?.groups
    const step = groups === undefined ? undefined : toStep(groups)
    if (step === undefined) return invalid(reasonFor(text, at))
    steps.push(step)
    at = SEGMENT.lastIndex
  }
  if (steps.includes(ANY)) return { outcome: 'ok', find: (value) => findAll(steps, value) }
  const only = steps as (string | number)[]
  return { outcome: 'ok', find: (value) => findOne(only, value) }
}

function toStep(groups: Record<string, string | undefined>): Step | undefined {
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

function findOne(steps: readonly (string | number)[], value: unknown): unknown[] {
  let at = value
  for (const step of steps) {
    at = childOf(at, step)
    if (at === undefined) return []
  }
  return [at]
}

function findAll(steps: readonly Step[], value: unknown): unknown[] {
  const search: Search = { found: [], visits: 0 }
  collect(steps, 0, value, search)
  return search.found
}

interface Search {
  readonly found: unknown[]
  visits: number
}

function collect(steps: readonly Step[], from: number, value: unknown, search: Search): void {
  let at = value
  for (let index = from; index < steps.length; index += 1) {
    const step = steps[index] as Step
    if (step === ANY) {
      if (typeof at !== 'object' || at === null) return
      if (Array.isArray(at)) collectEach(at, (child) => child, steps, index + 1, search)
      else if (!isCrowded(at)) {
        // Half of what Object.values takes, where there are many.
        const members = at as Record<string, unknown>
        search.visits += LISTING_VISITS
        collectEach(Object.keys(at), (name) => members[name], steps, index + 1, search)
      }
      return
    }
    at = childOf(at, step)
    if (at === undefined) return
  }
  search.found.push(at)
}

function collectEach<Key>(
  keys: readonly Key[],
  childAt: (key: Key) => unknown,
  steps: readonly Step[],
  from: number,
  search: Search,
): void {
  for (const key of keys) {
    if (search.found.length >= MAX_MATCHES || search.visits >= MAX_VISITS) return
    search.visits += 1
    collect(steps, from, childAt(key), search)
  }
}

/** undefined: there is none, which no JSON value is. Only what is the value's own: `__proto__` is a name like others. */
function childOf(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return typeof step === 'number' ? value.at(step) : undefined
  if (typeof step === 'number' || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, unknown>)[step]
}
