/**
 * Equality of JSON values: the order of members does not count, that of elements does, and nothing
 * is converted. The values to compare with are prepared once. A comparison then costs no more than
 * the prepared values, however large the other value is.
 */
import { isCrowded, UNREAD } from './json-in-steps.ts'
import { type StepBudget, spend, TooCostly } from './step-budget.ts'

/** Object.keys takes 110 ns a name in an object of very many, and sorting takes 500 ns more. */
const STEPS_PER_NAME = 8
const STEPS_PER_SORTED = 32

/** Whether a value is equal to any of `values`. */
export function isOneOf(
  values: readonly unknown[],
): (found: unknown, budget: StepBudget) => boolean {
  const unbounded = { left: Number.POSITIVE_INFINITY }
  const scalars = new Set(values.filter((value) => !isCompound(value)))
  const spellings = new Set(
    values.filter(isCompound).map((value) => spell(value, Infinity, unbounded)),
  )
  const longest = Math.max(0, ...[...spellings].map((spelling) => spelling.length))
  return (found, budget) => {
    spend(budget, 1)
    if (found === UNREAD) throw new TooCostly()
    if (!isCompound(found)) return scalars.has(found)
    return longest > 0 && spellings.has(spell(found, longest, budget))
  }
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * One canonical text for all spellings of a value. It is cut off once it is longer than `most`, and
 * then equals no text that it is compared with.
 */
export function spell(value: unknown, most: number, budget: StepBudget): string {
  // JSON.stringify would turn 1e999, which JSON.parse reads as Infinity, into null.
  if (typeof value === 'number') return String(value === 0 ? 0 : value)
  if (!isCompound(value)) {
    if (typeof value === 'string') {
      spend(budget, value.length >> 3)
      if (value.length > most) return value
    }
    return JSON.stringify(value)
  }
  if (value === UNREAD) throw new TooCostly()
  const isList = Array.isArray(value)
  const names = isList ? null : sortedNames(value, most, budget)
  const count = names?.length ?? (value as unknown[]).length
  let text = isList ? '[' : '{'
  for (let at = 0; at < count && text.length <= most; at += 1) {
    spend(budget, 1)
    const name = names?.[at]
    if (name !== undefined) text += `${JSON.stringify(name)}:`
    text += `${spell((value as Record<string | number, unknown>)[name ?? at], most - text.length, budget)},`
  }
  return text + (isList ? ']' : '}')
}

/**
 * An object with more members than `most` has characters gets a longer text in any case, so its
 * names need no sorting.
 */
function sortedNames(value: object, most: number, budget: StepBudget): string[] {
  if (isCrowded(value)) throw new TooCostly()
  const names = Object.keys(value)
  spend(budget, names.length * STEPS_PER_NAME)
  if (names.length > most) return names
  spend(budget, names.length * STEPS_PER_SORTED)
  return names.sort()
}
