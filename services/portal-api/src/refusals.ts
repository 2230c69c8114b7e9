/** Refusals that several routes of this service share. */
import { ApiError } from '@posthorn/contracts/errors'
import type { Caller } from '@posthorn/http/handlers'

/**
 * Resources of another tenant or another project get the same answer, so that nobody learns that
 * they exist.
 */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `there is no such ${what}`)
}

/**
 * A key that is bound to a project changes nothing that concerns the workspace as a whole: an admin
 * whom it invited could do more than the key itself.
 */
export function refuseBoundKey({ keyProjectId }: Pick<Caller, 'keyProjectId'>): void {
  if (keyProjectId === null) return
  const message = 'the API key is bound to a project, and this concerns the whole workspace'
  throw new ApiError('FORBIDDEN', message)
}

/** The request's project was deleted while the request ran. */
export function isGoneParent(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'P2003'
}

/** The row to change was deleted after it was found. */
export function isGoneRow(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'P2025'
}
