/**
 * What templates compute with. Data is plain JSON, looked at by its own properties alone, so that
 * `constructor` or `__proto__` is there only where the data has such a key. Each element becomes a
 * value when it is reached. `undefined` is what Go calls no value (a key that is missing), `null`
 * is nil.
 */
import { type StepBudget, spend, TooCostly } from '@posthorn/domain/step-budget'
import { isCrowded } from '@posthorn/domain/json-in-steps'
import { compareStrings } from './go-strings.ts'
import { dataNumber, type GoNumber, isGoNumber } from './numbers.ts'

export type GoList = readonly unknown[]
export type GoMap = Readonly<Record<string, unknown>>
export type GoValue = undefined | null | boolean | string | GoNumber | GoList | GoMap

/** Why a template can't be rendered with its data. */
export class RenderFailure extends Error {}

/** What a step pays for, where a text or a list is looked at as a whole. */
const CHARACTERS_PER_STEP = 256
const ELEMENTS_PER_STEP = 16
/** The same where each character is looked at by itself: up to 200 ns each. */
const SINGLE_CHARACTERS_PER_STEP = 8

/** A text with half characters in it is read byte by byte. */
export function spendText(budget: StepBudget, text: string): void {
  if (!text.isWellFormed()) spendCharacters(budget, text)
  else spend(budget, Math.floor(text.length / CHARACTERS_PER_STEP))
}

/** For what looks at each character of a text, such as escaping. */
export function spendCharacters(budget: StepBudget, text: string): void {
  spend(budget, Math.ceil(text.length / SINGLE_CHARACTERS_PER_STEP))
}

export function spendElements(budget: StepBudget, count: number): void {
  spend(budget, Math.floor(count / ELEMENTS_PER_STEP))
}

/** A part of the data as a value. */
export function valueOf(data: unknown, budget: StepBudget): GoValue {
  if (typeof data === 'string') {
    spendText(budget, data)
    return data.toWellFormed()
  }
  if (typeof data === 'number') return Number.isFinite(data) ? dataNumber(String(data)) : null
  if (typeof data === 'boolean') return data
  return typeof data === 'object' ? (data as null | GoNumber | GoList | GoMap) : null
}

export function isList(value: GoValue): value is GoList {
  return Array.isArray(value)
}

export function isMap(value: GoValue): value is GoMap {
  const isObject = typeof value === 'object' && value !== null
  return isObject && !Array.isArray(value) && !isGoNumber(value)
}

export function typeName(value: GoValue): string {
  if (value === undefined || value === null) return 'nil'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (isGoNumber(value)) return value.kind
  return isList(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** How people call the types. */
export function describe(value: GoValue): string {
  if (value === undefined || value === null) return 'no value'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'boolean') return 'true or false'
  if (isGoNumber(value)) return 'a number'
  return isList(value) ? 'a list' : 'an object'
}

/**
 * V8 takes some milliseconds to list the keys of a large object, and lists all of them to say
 * whether there is one. So they are listed once for as long as the data lives, and not at all where
 * that would take over 15 ms.
 */
const listed = new WeakMap<GoMap, readonly string[]>()
const sorted = new WeakMap<GoMap, readonly string[]>()

function listKeys(map: GoMap): readonly string[] {
  const known = listed.get(map)
  if (known !== undefined) return known
  if (isCrowded(map)) throw new TooCostly()
  const keys = Object.keys(map)
  listed.set(map, keys)
  return keys
}

export function keysOf(map: GoMap, budget: StepBudget): readonly string[] {
  const keys = listKeys(map)
  spendElements(budget, keys.length)
  return keys
}

/** In the order of their bytes. The caller takes a step for each, so that more are not sorted. */
export function sortedKeysOf(map: GoMap, budget: StepBudget): readonly string[] {
  const keys = keysOf(map, budget)
  if (keys.length > budget.left) throw new TooCostly()
  const known = sorted.get(map)
  if (known !== undefined) return known
  const inOrder = keys.toSorted(compareStrings)
  sorted.set(map, inOrder)
  return inOrder
}

/** What `if` and `and` take for true: neither zero nor empty. */
export function isTruthy(value: GoValue): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  if (isGoNumber(value)) {
    if (value.whole !== null) return value.whole !== 0n
    return value.float !== 0 || value.imaginary !== 0
  }
  if (typeof value === 'string' || isList(value)) return value.length > 0
  return listKeys(value).length > 0
}
