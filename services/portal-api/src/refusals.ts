/** Refusals that several routes of this service share. */
import { ApiError } from '@posthorn/contracts/errors'

/**
 * Resources of another tenant or another project get the same answer, so that nobody learns that
 * they exist.
 */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `there is no such ${what}`)
}

/** The request's project was deleted while the request ran. */
export function isGoneParent(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'P2003'
}

/** The row to change was deleted after it was found. */
export function isGoneRow(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'P2025'
}
