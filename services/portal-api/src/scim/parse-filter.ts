/**
 * Parses the filters that identity providers send: comparisons with `eq`, joined by `and`. It reads
 * a filter once from left to right, without recursion, so that its cost is that of its length.
 * Everything else that SCIM's grammar knows is refused.
 */
import { scimRefusal } from './scim-refusals.ts'

export interface FilterComparison {
  /** In lower case, without the schema's URN. */
  attribute: string
  value: string | boolean
}

const MAX_CHARACTERS = 512
const MAX_COMPARISONS = 10

const SPACE = /\s*/y
const ATTRIBUTE = /[a-z$][\w$.:-]*/iy
const TEXT = /"(?:[^"\\]|\\.)*"/y
const WORD = /[a-z]+/iy

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

export function parseFilter(filter: string): FilterComparison[] {
  if (filter.length > MAX_CHARACTERS)
    throw refused(`a filter has at most ${MAX_CHARACTERS} characters`)
  let at = 0

  function take(pattern: RegExp): string {
    pattern.lastIndex = at
    const taken = pattern.exec(filter)?.[0] ?? ''
    at += taken.length
    return taken
  }

  function word(): string {
    take(SPACE)
    return take(WORD).toLowerCase()
  }

  const comparisons: FilterComparison[] = []
  do {
    if (comparisons.length >= MAX_COMPARISONS)
      throw refused(`a filter has at most ${MAX_COMPARISONS} comparisons`)
    take(SPACE)
    const attribute = withoutSchema(take(ATTRIBUTE)).toLowerCase()
    if (attribute === '') throw refused(`expected an attribute at character ${at + 1}`)
    if (word() !== 'eq') throw refused('the only operator is eq')
    take(SPACE)
    const text = take(TEXT)
    comparisons.push({ attribute, value: text === '' ? toBoolean(take(WORD)) : fromJson(text) })
    take(SPACE)
    if (at === filter.length) return comparisons
  } while (word() === 'and')
  throw refused('comparisons are joined by and')
}

/** A full name, such as `urn:…:User:userName`, means the same as the short one. */
export function withoutSchema(name: string): string {
  const prefix = `${CORE_USER}:`
  return name.toLowerCase().startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name
}

function toBoolean(word: string): boolean {
  if (/^true$/i.test(word)) return true
  if (/^false$/i.test(word)) return false
  throw refused('a value is a text in quotes, true or false')
}

function fromJson(text: string): string {
  let value: string
  try {
    value = JSON.parse(text) as string
  } catch {
    throw refused('a text is written as in JSON')
  }
  // An escape may stand for what Postgres can't compare with.
  if (value.includes('\0') || !value.isWellFormed())
    throw refused('a text has no NUL and no half of a surrogate pair')
  return value
}

function refused(message: string): Error {
  return scimRefusal('invalidFilter', `filter: ${message}`)
}
