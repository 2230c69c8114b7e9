/**
 * What differs between a file and an installation. Where the installation shows a secret masked, a
 * value that would be masked alike is taken for the same.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Fields, isRecord } from './document.ts'

export interface Change {
  field: string
  from: unknown
  to: unknown
}

const MASK = '••••'
/** As the installation masks: the end of a shorter secret is not shown. */
const LONG_ENOUGH = 12

/** @param desired with its defaults; a field that only the installation has is not looked at */
export function changesBetween(actual: Fields, desired: Fields): Change[] {
  return Object.entries(desired)
    .filter(([field, to]) => !isSame(actual[field], to))
    .map(([field, to]) => ({ field, from: actual[field] ?? null, to }))
}

export function isSame(actual: unknown, desired: unknown): boolean {
  if (typeof actual === 'string' && typeof desired === 'string' && actual.startsWith(MASK))
    return actual === desired || actual === masked(desired)
  if (Array.isArray(actual) && Array.isArray(desired))
    return actual.length === desired.length && actual.every((one, at) => isSame(one, desired[at]))
  if (isRecord(actual) && isRecord(desired)) {
    const names = new Set([...Object.keys(actual), ...Object.keys(desired)])
    return [...names].every((name) => isSame(actual[name] ?? null, desired[name] ?? null))
  }
  return isDeepStrictEqual(actual ?? null, desired ?? null)
}

function masked(secret: string): string {
  return MASK + (secret.length < LONG_ENOUGH ? '' : secret.slice(-4))
}

/** Without fields that are null, at any depth of objects. */
export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, isRecord(value) ? withoutNulls(value) : value]),
  )
}

/** Fields that the installation adds to when it is sent an object: what is gone is sent as null. */
export function mergePatch(actual: unknown, desired: unknown): unknown {
  if (!isRecord(actual) || !isRecord(desired)) return desired
  const gone = Object.keys(actual).filter((name) => desired[name] === undefined)
  return { ...desired, ...Object.fromEntries(gone.map((name) => [name, null])) }
}
