/** Turns the egress guard's answer about a destination into the refusal that the caller reads. */
import { ApiError } from '@posthorn/contracts/errors'

export type CheckDestination = (
  url: string,
) =>
  | { outcome: 'ok' }
  | { outcome: 'invalid'; reason: string }
  | { outcome: 'blocked'; reason: string }

export function requireDestination(
  check: CheckDestination,
  url: string,
  path: string,
  invalidCode: 'BAD_REQUEST' | 'VALIDATION_ERROR' = 'BAD_REQUEST',
): void {
  const result = check(url)
  if (result.outcome === 'ok') return
  const details = [{ path, message: result.reason }]
  const code = result.outcome === 'blocked' ? 'DESTINATION_BLOCKED' : invalidCode
  throw new ApiError(code, `${path}: ${result.reason}`, { details })
}
