/**
 * An endpoint's content filter: conditions that must all hold for an event to go there. It is
 * compiled once, and the caller keeps the result.
 *
 * Values are not converted: numbers compare with numbers and text with text, and a number with more
 * digits than a double holds is the double nearest to it. Values beyond a path's first
 * `MAX_MATCHES` are ignored. An event on which a filter would take more than `MAX_STEPS`, or look
 * at what is `UNREAD`, does not match it, whatever its conditions say.
 */
import { isOneOf } from './json-equality.ts'
import { UNREAD } from './json-in-steps.ts'
import { isLongAsJson } from './json-length.ts'
import { compilePath } from './json-path.ts'
import { compilePattern, MAX_PATTERN_CHARACTERS } from './pattern.ts'
import { type StepBudget, spend, TooCostly } from './step-budget.ts'

export interface Condition {
  /** A JSONPath over the payload. */
  field: string
  operator: FilterOperator
  /** What is allowed depends on the operator. */
  value: unknown
}

export type FilterResult = { matches: true } | { matches: false; failed: FailedCondition }

/** The first condition that does not hold, and the values that its path found. */
export interface FailedCondition {
  condition: Condition
  index: number
  found: unknown[]
  /** The condition was not evaluated to its end: the filter had used up its steps. */
  tooCostly: boolean
}

export type CompiledFilter =
  | {
      outcome: 'ok'
      evaluate(payload: unknown): FilterResult
      /** An estimate of the memory that it takes. */
      bytes: number
    }
  /** Each path begins with the index of the condition: `0.field`. */
  | { outcome: 'invalid'; problems: { path: string; message: string }[] }

const MAX_LIST = 100
const MAX_TEXT_CHARACTERS = 1_000
/**
 * Looking for 250 characters in 256 KiB of near misses takes 30 ms at worst, for 1,000 characters
 * 135 ms.
 */
const MAX_SUBSTRING_CHARACTERS = 250
/** The limit for all patterns of a filter together: compiling so many instructions takes 6 ms. */
const MAX_INSTRUCTIONS = 2_000
/** The limit for all values of a filter together, so that preparing them takes little time. */
const MAX_VALUE_CHARACTERS = 64 * 1024
/**
 * The limit for one filter on one event. A step takes 10 to 25 ns (one core of a small virtual
 * machine, Node 24), so all of them take 3 to 6 ms, of the 25 ms for which nobody may block the
 * event loop. `^[a-z]+-\d{4}$` takes three steps for each character that it goes on matching.
 */
export const MAX_STEPS = 250_000

/** Whether the values that a path found satisfy a condition. */
type ConditionCheck = (found: readonly unknown[], budget: StepBudget) => boolean
type ValueTest = (found: unknown, budget: StepBudget) => boolean
type CheckOrReason = ConditionCheck | { reason: string }
/** Totals over all conditions of a filter. */
interface FilterTotals {
  patterns: StepBudget
  bytes: number
}
/** Makes the check, or says what is wrong with the condition's value. */
type Operator = (value: unknown, totals: FilterTotals) => CheckOrReason

const OPERATORS = {
  eq: (value) => some(isOneOf([value])),
  ne: (value) => some(not(isOneOf([value]))),
  gt: comparing((found, value) => found > value),
  gte: comparing((found, value) => found >= value),
  lt: comparing((found, value) => found < value),
  lte: comparing((found, value) => found <= value),
  in: fromList((list) => isOneOf(list)),
  nin: fromList((list) => not(isOneOf(list))),
  contains,
  startsWith: ofText((found, value) => found.startsWith(value)),
  endsWith: ofText((found, value) => found.endsWith(value)),
  exists: (value) =>
    typeof value === 'boolean'
      ? (found) => found.length > 0 === value
      : { reason: 'must be true or false' },
  regex,
} satisfies Record<string, Operator>
export type FilterOperator = keyof typeof OPERATORS

interface CompiledCondition {
  condition: Condition
  index: number
  find(value: unknown, budget: StepBudget): unknown[]
  holds: ConditionCheck
}

export function compileFilter(conditions: readonly Condition[]): CompiledFilter {
  const totals: FilterTotals = { patterns: { left: MAX_INSTRUCTIONS }, bytes: 500 }
  const problems: { path: string; message: string }[] = []
  const compiled: CompiledCondition[] = []
  if (isTooLong(conditions)) {
    const message = `must have values of at most ${MAX_VALUE_CHARACTERS} characters together`
    return { outcome: 'invalid', problems: [{ path: '0.value', message }] }
  }
  for (const [index, condition] of conditions.entries()) {
    const { field, operator, value } = condition
    const path = compilePath(field)
    const check = makeCheck(operator, value, totals)
    if (path.outcome === 'invalid') problems.push({ path: `${index}.field`, message: path.reason })
    if (typeof check !== 'function') {
      problems.push({ path: `${index}.${check.part}`, message: check.reason })
    } else if (path.outcome === 'ok') {
      compiled.push({ condition, index, find: path.findWithin, holds: check })
    }
  }
  if (problems.length > 0) return { outcome: 'invalid', problems }
  const bytes = totals.bytes + compiled.length * 500
  return { outcome: 'ok', evaluate: (payload) => evaluate(compiled, payload), bytes }
}

function isTooLong(conditions: readonly Condition[]): boolean {
  let characters = 0
  for (const { value } of conditions) {
    if (isLongAsJson(value, MAX_VALUE_CHARACTERS)) return true
    characters += JSON.stringify(value)?.length ?? 0
  }
  return characters > MAX_VALUE_CHARACTERS
}

function evaluate(conditions: readonly CompiledCondition[], payload: unknown): FilterResult {
  const budget = { left: MAX_STEPS }
  for (const { condition, index, find, holds } of conditions) {
    let found: unknown[] = []
    try {
      found = find(payload, budget)
      if (holds(found, budget)) continue
      return { matches: false, failed: { condition, index, found, tooCostly: false } }
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      return { matches: false, failed: { condition, index, found, tooCostly: true } }
    }
  }
  return { matches: true }
}

function makeCheck(
  operator: string,
  value: unknown,
  totals: FilterTotals,
): ConditionCheck | { part: 'operator' | 'value'; reason: string } {
  if (!Object.hasOwn(OPERATORS, operator)) {
    const reason = `must be one of ${Object.keys(OPERATORS).join(', ')}`
    return { part: 'operator', reason }
  }
  const make: Operator = OPERATORS[operator as FilterOperator]
  const check = make(value, totals)
  return typeof check === 'function' ? check : { part: 'value', ...check }
}

/** One matching value is enough; without any value the check fails. */
function some(test: ValueTest): ConditionCheck {
  return (found, budget) => {
    spend(budget, found.length)
    return found.some((value) => {
      if (value === UNREAD) throw new TooCostly()
      return test(value, budget)
    })
  }
}

function not(test: ValueTest): ValueTest {
  return (found, budget) => !test(found, budget)
}

function comparing(compare: (found: number, value: number) => boolean): Operator {
  return (value) =>
    typeof value === 'number'
      ? some((found) => typeof found === 'number' && compare(found, value))
      : { reason: 'must be a number' }
}

function fromList(test: (list: readonly unknown[]) => ValueTest): Operator {
  return (value) =>
    Array.isArray(value) && value.length <= MAX_LIST
      ? some(test(value))
      : { reason: `must be a list of at most ${MAX_LIST} values` }
}

function ofText(test: (found: string, value: string) => boolean): Operator {
  return (value) =>
    isShortText(value)
      ? some((found, budget) => {
          if (typeof found !== 'string') return false
          spend(budget, value.length >> 4)
          return test(found, value)
        })
      : { reason: `must be text of at most ${MAX_TEXT_CHARACTERS} characters` }
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARACTERS
}

/** Tests membership in lists and substrings in text. */
function contains(value: unknown): CheckOrReason {
  if (typeof value === 'string' && value.length > MAX_SUBSTRING_CHARACTERS) {
    return { reason: `must be at most ${MAX_SUBSTRING_CHARACTERS} characters` }
  }
  const isMember = isOneOf([value])
  return some((found, budget) => {
    if (Array.isArray(found)) return found.some((item) => isMember(item, budget))
    if (typeof found !== 'string' || typeof value !== 'string') return false
    spend(budget, stepsToFind(found, value))
    return found.includes(value)
  })
}

/** V8 starts the comparison again at each near miss. */
function stepsToFind(text: string, wanted: string): number {
  const nearMisses = (text.length * wanted.length) >> 7
  return (text.length >> 4) + nearMisses
}

/** Matches anywhere in the text unless the pattern has anchors. */
function regex(value: unknown, totals: FilterTotals): CheckOrReason {
  if (typeof value !== 'string' || value.length > MAX_PATTERN_CHARACTERS) {
    return { reason: `must be a pattern of at most ${MAX_PATTERN_CHARACTERS} characters` }
  }
  const pattern = compilePattern(value, totals.patterns)
  if (pattern.outcome === 'invalid') return { reason: pattern.reason }
  totals.bytes += pattern.bytes
  return some((found, budget) => typeof found === 'string' && pattern.test(found, budget))
}
