/** Conditions of a filter as they are typed: each value is a text until its operator says what it is. */
import type { Condition, FilterOperator } from '@posthorn/domain/filter'

export interface ConditionDraft {
  key: number
  field: string
  operator: FilterOperator
  text: string
}

export const LISTS: readonly string[] = ['in', 'nin']
const TEXTUAL: readonly string[] = ['startsWith', 'endsWith', 'regex']

let lastKey = 0

export function draftOf({ field, operator, value }: Condition): ConditionDraft {
  lastKey += 1
  return { key: lastKey, field, operator, text: textOf(operator, value) }
}

/** Text that would be read as something else, such as the digits of an id, keeps its quotes. */
function textOf(operator: FilterOperator, value: unknown): string {
  const isPlain = typeof value === 'string' && jsonOr(value.trim()) === value
  if (isPlain || TEXTUAL.includes(operator)) return String(value)
  return JSON.stringify(value) ?? ''
}

/** What is typed as the value that its operator takes: text needs no quotes, a list no brackets. */
export function conditionOf({ field, operator, text }: ConditionDraft): Condition {
  if (TEXTUAL.includes(operator)) return { field, operator, value: text }
  const value = jsonOr(text.trim())
  if (!LISTS.includes(operator)) return { field, operator, value }
  const list = Array.isArray(value) ? value : text.split(',').map((one) => jsonOr(one.trim()))
  return { field, operator, value: list }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
