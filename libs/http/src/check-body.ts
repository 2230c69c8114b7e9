/** Checks a body that was read against its route's schema, and refuses it by the route's codes. */
import { ApiError, type FieldProblem } from '@posthorn/contracts/errors'
import { maxBodyValues, type Route } from '@posthorn/contracts/routes'
import { findOversized } from './find-oversized.ts'
import type { ValueLimits } from './parse-request.ts'
import { refusal, toProblems } from './refusal.ts'

/** What zod does with a shorter text takes some 5 ms, whatever is in it. */
const MEASURED_CHARACTERS = 16 * 1024

/** @param text what the value was read from */
export function checkBody(route: Route, text: string, value: Record<string, unknown>): unknown {
  const { body: schema } = route
  if (schema === undefined) return undefined
  if (text.length >= MEASURED_CHARACTERS) {
    const problem = findOversized(schema, value)
    if (problem !== null) throw refusalOf(route, [problem])
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refusalOf(route, toProblems(parsed.error.issues))
}

/** What has more values than are built is refused for the part of it that is too large. */
export function limitsOf(route: Route): ValueLimits {
  return {
    maxValues: maxBodyValues(route),
    onTooMany(built) {
      const problem = route.body === undefined ? null : findOversized(route.body, built)
      if (problem !== null) throw refusalOf(route, [problem])
      throw new ApiError('BAD_REQUEST', 'the body has too many values or fields')
    },
  }
}

function refusalOf({ errors, invalidBody }: Route, problems: readonly FieldProblem[]): ApiError {
  const tooMany = problems.find(
    ({ path, message }) => path === 'events' && message.startsWith('must be at most'),
  )
  if (tooMany !== undefined && errors?.includes('BATCH_TOO_LARGE') === true)
    return new ApiError('BATCH_TOO_LARGE', 'the batch has too many events', { details: [tooMany] })
  return refusal(invalidBody ?? 'BAD_REQUEST', 'the body', problems)
}
