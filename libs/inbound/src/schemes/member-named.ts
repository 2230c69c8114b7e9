/**
 * Platforms that write no event type, but name a member by what happened. That name is put beside
 * the other members as `kind`.
 */
import { isCrowded } from '@posthorn/domain/json-in-steps'

interface Members {
  readonly [name: string]: unknown
}

/** An object with more members names nothing by one of them. */
const MAX_MEMBERS = 1_000

/** @returns the document with the name of its first member that `isKind` as `kind` */
export function withKind(
  document: unknown,
  isKind: (name: string, value: unknown) => boolean,
  at: (document: unknown) => unknown = (whole) => whole,
): unknown {
  const members = membersOf(at(document))
  if (hasTooMany(members) || hasTooMany(membersOf(document))) return document
  const named = Object.entries(members).find(([name, value]) => isKind(name, value))
  return named === undefined ? document : { ...membersOf(document), kind: named[0] }
}

export function noneOf(...names: readonly string[]): (name: string) => boolean {
  return (name) => !names.includes(name)
}

function hasTooMany(members: Members): boolean {
  return isCrowded(members) || Object.keys(members).length > MAX_MEMBERS
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}
