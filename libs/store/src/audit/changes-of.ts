/**
 * What an audit row tells of a change: the fields that differ between two records as the API shows
 * them, which have no secrets. What a customer may have put a secret into is given as a hint.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '@posthorn/contracts/audit'

/** What a row tells otherwise, or what changes with every change. */
const UNTOLD: readonly string[] = ['id', 'createdAt', 'updatedAt', 'version']

type Hint = (value: unknown) => unknown

/**
 * @param before null: it was made by the change
 * @param after null: it was removed by the change
 * @param hints how the values of some fields are shown instead
 */
export function changesOf(
  before: object | null,
  after: object | null,
  hints: Readonly<Record<string, Hint>> = {},
): AuditChange[] {
  const [from, to] = [new Map(entriesOf(before)), new Map(entriesOf(after))]
  const fields = [...new Set([...from.keys(), ...to.keys()])]
  return fields
    .filter((field) => !UNTOLD.includes(field) && differs(from.get(field), to.get(field)))
    .map((field) => {
      const shown = hints[field] ?? ((value: unknown) => value)
      return { field, from: shown(from.get(field) ?? null), to: shown(to.get(field) ?? null) }
    })
}

function entriesOf(record: object | null): [string, unknown][] {
  return record === null ? [] : Object.entries(record)
}

/** A field without a value is one that is not there. */
function differs(from: unknown, to: unknown): boolean {
  return !isDeepStrictEqual(from ?? null, to ?? null)
}

const HINT_CHARACTERS = 4
/** So much of a secret must stay unsaid. */
const UNSAID_CHARACTERS = 12

/** The last characters of a secret, where most of it is not among them. */
export function secretHintOf(value: unknown): unknown {
  if (typeof value !== 'string') return value === null ? null : '…'
  const isLong = value.length >= HINT_CHARACTERS + UNSAID_CHARACTERS
  return isLong ? `…${value.slice(-HINT_CHARACTERS)}` : '…'
}

/** A URL without its user and its query, which may hold credentials. */
export function urlHintOf(value: unknown): unknown {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null) return value === null ? null : '…'
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`
}
