/**
 * Filters with operators such as `$gte`, as Convoy and Outpost have them, as conditions here. What
 * has no exact counterpart is refused, so that no endpoint gets what its filter keeps from it.
 */
import type { Fields } from '../apply/document.ts'
import { isRecord } from '../apply/document.ts'
import type { FilterConditions } from './records.ts'

export type TranslatedFilter = { conditions: FilterConditions } | { reason: string }

const MAX_CONDITIONS = 20
/** Deeper ones are no filters. */
const MAX_DEPTH = 20
/** A negation is left out: where a field is missing it holds there, and here it does not. */
const OPERATORS: Readonly<Record<string, string>> = {
  $eq: 'eq',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
  $in: 'in',
  $startsWith: 'startsWith',
  $endsWith: 'endsWith',
  $exist: 'exists',
}
const FOR_NUMBERS = ['$gt', '$gte', '$lt', '$lte']

class NoCounterpart extends Error {}

export function translateFilter(filter: Fields): TranslatedFilter {
  try {
    const conditions = conditionsOf(filter, [], 0)
    if (conditions.length > MAX_CONDITIONS)
      return { reason: `its filter has more than ${MAX_CONDITIONS} conditions` }
    return { conditions }
  } catch (error) {
    if (error instanceof NoCounterpart) return { reason: error.message }
    throw error
  }
}

function conditionsOf(filter: Fields, path: readonly string[], depth: number): FilterConditions {
  if (depth > MAX_DEPTH) throw new NoCounterpart('its filter is too deep')
  return Object.entries(filter).flatMap(([name, value]) => {
    if (name === '$and' && Array.isArray(value))
      return value.flatMap((one) => {
        if (!isRecord(one)) throw new NoCounterpart('its filter has an $and of no objects')
        return conditionsOf(one, path, depth + 1)
      })
    if (name.startsWith('$') && !name.startsWith('$.')) return [conditionOf(path, name, value)]
    const inner = [...path, ...name.split('.')]
    if (isRecord(value)) return conditionsOf(value, inner, depth + 1)
    return [conditionOf(inner, '$eq', value)]
  })
}

function conditionOf(path: readonly string[], name: string, value: unknown) {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
  if (operator === undefined || path.length === 0)
    throw new NoCounterpart(`its filter has ${name}, which has no exact counterpart`)
  const isPossible = FOR_NUMBERS.includes(name)
    ? typeof value === 'number'
    : name !== '$eq' || !(isRecord(value) || Array.isArray(value))
  if (!isPossible) throw new NoCounterpart(`its filter has ${name} with a value of another kind`)
  return { field: jsonPathOf(path), operator, value }
}

/** A number may be an index there, and `$` is a wildcard of its own. */
function jsonPathOf(path: readonly string[]): string {
  const wrong = path.find((one) => !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(one))
  if (wrong !== undefined)
    throw new NoCounterpart(`its filter has the field ${path.join('.')}, which is no plain path`)
  return `$.${path.join('.')}`
}
