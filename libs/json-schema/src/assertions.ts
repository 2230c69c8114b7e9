/**
 * Keywords that look at a value itself: its type, the values it may equal, its number or its text.
 */
import { isOneOf, spell } from '@posthorn/domain/json-equality'
import { type StepBudget, spend } from '@posthorn/domain/step-budget'
import { type SchemaCheck, report, type EvaluationRun } from './evaluate.ts'
import type { Format } from './formats.ts'

const IS_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  // JSON.parse reads 1e999 as Infinity, which is no number of JSON.
  number: (value) => Number.isFinite(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
}

export function type(wanted: string | readonly string[]): SchemaCheck {
  const names = typeof wanted === 'string' ? [wanted] : wanted
  const tests = names.flatMap((name) => IS_TYPE[name] ?? [])
  const message = `must be ${names.join(',')}`
  return (value, run) => tests.some((test) => test(value)) || report(run, message)
}

export function oneOfValues(values: readonly unknown[], message: string): SchemaCheck {
  const test = isOneOf(values)
  return (value, run) => test(value, run.budget) || report(run, message)
}

type Numbers = (value: number, limit: number) => boolean
const LIMITS: Readonly<Record<string, [Numbers, string]>> = {
  maximum: [(value, limit) => value <= limit, '<='],
  minimum: [(value, limit) => value >= limit, '>='],
  exclusiveMaximum: [(value, limit) => value < limit, '<'],
  exclusiveMinimum: [(value, limit) => value > limit, '>'],
}

export function limited(keyword: string, limit: number): SchemaCheck {
  const [holds, sign] = LIMITS[keyword] as [Numbers, string]
  const message = `must be ${sign} ${limit}`
  return (value, run) => typeof value !== 'number' || holds(value, limit) || report(run, message)
}

export function multipleOf(factor: number): SchemaCheck {
  const message = `must be multiple of ${factor}`
  return (value, run) =>
    typeof value !== 'number' || Number.isInteger(value / factor) || report(run, message)
}

export function length(keyword: 'maxLength' | 'minLength', limit: number): SchemaCheck {
  const [isMax, words] = [keyword === 'maxLength', keyword === 'maxLength' ? 'more' : 'fewer']
  const message = `must NOT have ${words} than ${limit} characters`
  return (value, run) => {
    if (typeof value !== 'string') return true
    const characters = charactersIn(value, limit, run)
    return (isMax ? characters <= limit : characters >= limit) || report(run, message)
  }
}

/**
 * A pair of surrogates is one character; pairs are counted only where that can make a difference.
 */
function charactersIn(text: string, limit: number, run: EvaluationRun): number {
  const least = Math.ceil(text.length / 2)
  if (text.length < limit) return text.length
  if (least > limit) return least
  spend(run.budget, text.length >> 2)
  let characters = text.length
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.codePointAt(at) as number) <= 0xffff) continue
    characters -= 1
    at += 1
  }
  return characters
}

export function pattern(
  source: string,
  test: (text: string, budget: StepBudget) => boolean,
): SchemaCheck {
  const message = `must match pattern "${source}"`
  return (value, run) =>
    typeof value !== 'string' || test(value, run.budget) || report(run, message)
}

export function format(name: string, test: Format): SchemaCheck {
  const message = `must match format "${name}"`
  return (value, run) => test(value, run.budget) || report(run, message)
}

/** Compared by spelling instead of pair by pair: 100,000 items would make 5 * 10^9 pairs. */
export function uniqueItems(): SchemaCheck {
  return (value, run) => {
    if (!Array.isArray(value)) return true
    const known = new Set<string>()
    for (const item of value) {
      spend(run.budget, 8)
      const spelling = spell(item, Number.POSITIVE_INFINITY, run.budget)
      if (known.has(spelling)) return report(run, 'must NOT have duplicate items')
      known.add(spelling)
    }
    return true
  }
}
