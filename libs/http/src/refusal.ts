/** What a refused request is told: each problem with its field and in words. */
import { ApiError, type FieldProblem } from '@posthorn/contracts/errors'
import type { z } from 'zod'

/** A body of nothing but mistakes is told no more of them than one can read. */
export const MAX_PROBLEMS = 100
const MAX_PATH_CHARACTERS = 200

export function toProblems(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const issue of issues) {
    if (problems.length >= MAX_PROBLEMS) break
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_PROBLEMS))
        problems.push(unknownField([...issue.path, key]))
    } else {
      problems.push({ path: dotted(issue.path), message: inWords(issue) })
    }
  }
  return problems
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  record: 'an object',
  object: 'an object',
}
/** What a limit counts, by the kind of value. */
const COUNTED: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** Says what is wrong and what would be right, without the library's own words for types. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    // Only a field that is missing is undefined: JSON has no word for it.
    if (issue.message.endsWith('undefined')) return 'is required'
    return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') {
    return `must be at least ${issue.minimum}${COUNTED[issue.origin] ?? ''}`
  }
  if (issue.code === 'too_big') {
    return `must be at most ${issue.maximum}${COUNTED[issue.origin] ?? ''}`
  }
  return issue.message
}

export function refusal(
  code: 'BAD_REQUEST' | 'VALIDATION_ERROR',
  what: string,
  problems: readonly FieldProblem[],
): ApiError {
  const [first] = problems
  const where = first === undefined || first.path === '' ? what : first.path
  const details = problems.slice(0, MAX_PROBLEMS)
  return new ApiError(code, `${where}: ${first?.message ?? 'is not valid'}`, { details })
}

export function dotted(path: readonly PropertyKey[]): string {
  const text = path.map(String).join('.').toWellFormed()
  return text.length > MAX_PATH_CHARACTERS ? `${text.slice(0, MAX_PATH_CHARACTERS)}…` : text
}

export function unknownField(path: readonly PropertyKey[]): FieldProblem {
  return { path: dotted(path), message: 'is not a known field' }
}
