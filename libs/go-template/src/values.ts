/**
 * What templates compute with. Data is plain JSON, looked at by its own properties alone, so that
 * `constructor` or `__proto__` is there only where the data has such a key. Each element becomes a
 * value when it is reached. `undefined` is what Go calls no value (a key that is missing), `null`
 * is nil.
 */
import { type StepBudget, spend } from '@posthorn/domain/step-budget'
import { dataNumber, type GoNumber, isGoNumber } from './numbers.ts'

export type GoList = readonly unknown[]
export type GoMap = Readonly<Record<string, unknown>>
export type GoValue = undefined | null | boolean | string | GoNumber | GoList | GoMap

/** Why a template can't be rendered with its data. */
export class RenderFailure extends Error {}

/** What a step pays for, where a text or a list is looked at as a whole. */
const CHARACTERS_PER_STEP = 256
const ELEMENTS_PER_STEP = 16

export function spendText(budget: StepBudget, text: string): void {
  spend(budget, Math.floor(text.length / CHARACTERS_PER_STEP))
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

export function keysOf(map: GoMap, budget: StepBudget): string[] {
  const keys = Object.keys(map)
  spendElements(budget, keys.length)
  return keys
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
  for (const key in value) if (Object.hasOwn(value, key)) return true
  return false
}
