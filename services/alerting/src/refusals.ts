/** Refusals that several routes of this service share. */
import { ApiError } from '@posthorn/contracts/errors'
import type { DestinationCheck } from '@posthorn/egress/check-destination'
import { badField } from '@posthorn/http/errors'

export type CheckTargetUrl = (url: string) => DestinationCheck

/**
 * Resources of another tenant or another project get the same answer, so that nobody learns that
 * they exist.
 */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `there is no such ${what}`)
}

/** Refuses at once what can be seen to be blocked; a name is looked up when something is sent. */
export function checkUrl(path: string, url: string, checkDestination: CheckTargetUrl): void {
  const check = checkDestination(url)
  if (check.outcome === 'invalid') throw badField(path, check.reason)
  if (check.outcome === 'blocked') {
    throw new ApiError('DESTINATION_BLOCKED', `${path} is blocked: ${check.reason}`, {
      details: [{ path, message: check.reason }],
    })
  }
}

export interface TemplateProblem {
  message: string
  line: number
  column: number
}

/** null: it is a template. */
export type FindTemplateProblem = (text: string) => TemplateProblem | null

/** @param text null or undefined: there is none to check */
export function checkTemplate(
  path: string,
  text: string | null | undefined,
  findProblem: FindTemplateProblem,
): void {
  if (text === null || text === undefined) return
  const problem = findProblem(text)
  if (problem === null) return
  const { message, line, column } = problem
  throw badField(path, `is no template: line ${line}, column ${column}: ${message}`)
}

/** The request's project was deleted while the request ran. */
export function isGoneParent(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23503'
}
