/** How long a value is as JSON, as far as it matters: whether it is too long. */
import { CROWDED_MEMBERS, isCrowded } from './json-in-steps.ts'

/**
 * Whether a value's JSON has more than so many characters, found by counting no more than that
 * many: JSON.stringify takes 20 to 35 ms for a megabyte of short names. What is nested deeper than
 * payloads may be must have been refused before.
 *
 * @returns false also where only escapes make it longer
 */
export function isLongAsJson(value: unknown, characters: number): boolean {
  return charactersLeft(value, characters) < 0
}

/** @returns what is left of the characters; negative: the value takes more */
function charactersLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length - 2
  if (typeof value !== 'object' || value === null) return left - String(value).length
  // A member takes four characters at least. Listing so many takes as long as JSON.stringify.
  if (isCrowded(value)) return left - 4 * CROWDED_MEMBERS
  if (Array.isArray(value)) return itemsLeft(value, left - 2)
  return membersLeft(Object.entries(value), left - 2)
}

function itemsLeft(items: readonly unknown[], left: number): number {
  let rest = left
  for (const [n, item] of items.entries()) {
    const comma = n === 0 ? 0 : 1
    rest = charactersLeft(item, rest - comma)
    if (rest < 0) break
  }
  return rest
}

function membersLeft(members: readonly (readonly [string, unknown])[], left: number): number {
  let rest = left
  for (const [n, [name, value]] of members.entries()) {
    const comma = n === 0 ? 0 : 1
    // A name has quotes and a colon.
    rest = charactersLeft(value, rest - name.length - 3 - comma)
    if (rest < 0) break
  }
  return rest
}
