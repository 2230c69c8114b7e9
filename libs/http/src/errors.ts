/**
 * Turns a failure into an answer: a refusal as it is, a store that is down as 503, and anything
 * else as a 500 that tells nothing but the trace id under which the log has the rest.
 */
import { ApiError, type ErrorBody } from '@posthorn/contracts/errors'

export interface ErrorAnswerDeps {
  /** Whether a store could not be reached: the caller may try again. */
  isUnavailable(error: unknown): boolean
  log: { error(name: string, fields: Record<string, unknown>): void }
}

export interface ErrorAnswer {
  status: number
  body: ErrorBody
  retryAfterSeconds: number | undefined
  headers: Readonly<Record<string, string>>
}

/** A store that restarts is back within seconds; asking each second does not burden it. */
const RETRY_AFTER_SECONDS = 1

export type ErrorAnswerer = (error: unknown, requestId: string, route: string) => ErrorAnswer

export function createErrorAnswerer(deps: ErrorAnswerDeps): ErrorAnswerer {
  return (error, requestId, route) => {
    const refusal = toApiError(error, deps)
    if (refusal !== null) {
      const { status, code, details, retryAfterSeconds, headers, portal } = refusal
      const body: ErrorBody = { error: refusal.message, code, ...portal }
      if (details !== undefined) body.details = details
      return { status, body, retryAfterSeconds, headers }
    }
    deps.log.error('request.failed', { requestId, route, error })
    const body: ErrorBody = {
      error: 'an internal error; the trace id finds it in the log',
      code: 'INTERNAL',
      details: { traceId: requestId },
    }
    return { status: 500, body, retryAfterSeconds: undefined, headers: {} }
  }
}

function toApiError(error: unknown, deps: ErrorAnswerDeps): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof URIError)
    return new ApiError('BAD_REQUEST', 'the path is not valid percent-encoding')
  if (deps.isUnavailable(error)) return unavailable('a store is not reachable; try again', error)
  return null
}

export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

/** An error about one field of a request. */
export function badField(path: string, message: string): ApiError {
  return new ApiError('BAD_REQUEST', `${path} ${message}`, { details: [{ path, message }] })
}
