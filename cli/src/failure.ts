/** What ends a command, with the exit code that a script can tell it by. */
import {
  PosthornApiError,
  PosthornConnectionError,
  PosthornTimeoutError,
} from '../../sdks/node/src/posthorn-node.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3, noAccess: 4 } as const

export interface CommandFailure extends Error {
  exitCode: number
}

/** @param message what failed, on what, and what to do */
export function failure(message: string, exitCode: number = EXIT.failed): CommandFailure {
  return Object.assign(new Error(message), { exitCode })
}

export function usage(message: string): CommandFailure {
  return failure(message, EXIT.usage)
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof PosthornApiError) {
    if (error.status === 404) return EXIT.notFound
    return [401, 402, 403].includes(error.status) ? EXIT.noAccess : EXIT.failed
  }
  const { exitCode } = (error ?? {}) as { exitCode?: unknown }
  return typeof exitCode === 'number' ? exitCode : EXIT.failed
}

export interface ErrorRecord {
  error: string
  code?: string
  details?: unknown
  requestId?: string | undefined
}

export function describeError(error: unknown): ErrorRecord {
  if (error instanceof PosthornApiError) {
    const { message, code, details, requestId } = error
    return { error: message, code, ...(details === undefined ? {} : { details }), requestId }
  }
  if (error instanceof PosthornConnectionError) {
    const cause = reasonOf(error.cause)
    return {
      error: cause === '' ? error.message : `${error.message}: ${cause}`,
      code: 'CONNECTION',
    }
  }
  if (error instanceof PosthornTimeoutError) return { error: error.message, code: 'TIMEOUT' }
  return { error: error instanceof Error ? error.message : String(error) }
}

/** The innermost reason: fetch wraps the one that tells something. */
export function reasonOf(error: unknown): string {
  const { cause, message, code, errors } = (error ?? {}) as {
    cause?: unknown
    message?: unknown
    code?: unknown
    errors?: unknown
  }
  if (cause !== undefined) return reasonOf(cause)
  // The addresses of a name that were tried one after the other.
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0])
  return [message, code].find((one) => typeof one === 'string' && one !== '')?.toString() ?? ''
}

/** As people read it. */
export function errorLines(error: unknown): string[] {
  const { error: message, code, details, requestId } = describeError(error)
  const known =
    code === undefined || code === 'CONNECTION' || code === 'TIMEOUT' ? '' : ` (${code})`
  return [
    `posthorn: ${message}${known}`,
    ...(details === undefined ? [] : [`  ${JSON.stringify(details)}`]),
    ...(requestId === undefined ? [] : [`  request ${requestId}`]),
  ]
}
