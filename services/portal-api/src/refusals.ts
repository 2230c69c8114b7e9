/** What the routes of this service refuse, in one set of words. */
import { ApiError } from '@posthorn/contracts/errors'

/** Also what another tenant or another project has: nobody learns that it exists. */
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
