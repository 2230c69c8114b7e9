/**
 * A key's own limit, in requests a second with a burst of one second's worth, and the headers that
 * tell of it.
 */
import type { ServerResponse } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'

export interface RateLimitDeps {
  /** Takes one token from the bucket `key`; fails open where the state store is down. */
  takeToken(
    key: string,
    perSecond: number,
  ): Promise<{ allowed: boolean; remaining: number; retryAfterMs: number; resetMs: number }>
  /** Epoch ms. */
  now(): number
}

/** The headers of every 429, whichever limit was reached. */
export function rateHeaders(
  limit: number,
  remaining: number,
  resetAtMs: number,
): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / 1_000)),
  }
}

export async function limitRate(
  deps: RateLimitDeps,
  keyId: string,
  perSecond: number,
  response: Pick<ServerResponse, 'setHeader'>,
): Promise<void> {
  const answer = await deps.takeToken(`api-key:${keyId}`, perSecond)
  const headers = rateHeaders(perSecond, answer.remaining, deps.now() + answer.resetMs)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (answer.allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(answer.retryAfterMs / 1_000))
  const message = `the API key's limit of ${perSecond} requests a second is used up`
  throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds })
}
