/**
 * The limits of a key and of a workspace, in requests a second with a burst of one second's worth,
 * and the headers that tell of the one that leaves less.
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

export interface RequestRate {
  of: 'API key' | 'workspace' | 'sub-account' | 'sub-account session'
  /** The key's, the tenant's, or the session's. */
  id: string
  perSecond: number
}

const BUCKETS = {
  'API key': 'api-key',
  workspace: 'tenant',
  'sub-account': 'sub-account',
  'sub-account session': 'sub-account-session',
}

/** Throws RATE_LIMITED. Several limits may hold for a request, one after the other. */
export async function limitRate(
  deps: RateLimitDeps,
  { of, id, perSecond }: RequestRate,
  response: Pick<ServerResponse, 'getHeader' | 'setHeader'>,
): Promise<void> {
  const answer = await deps.takeToken(`${BUCKETS[of]}:${id}`, perSecond)
  const told = response.getHeader('X-RateLimit-Remaining')
  if (told === undefined || !answer.allowed || answer.remaining < Number(told)) {
    const headers = rateHeaders(perSecond, answer.remaining, deps.now() + answer.resetMs)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  }
  if (answer.allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(answer.retryAfterMs / 1_000))
  const message = `the ${of}'s limit of ${perSecond} requests a second is used up`
  throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds })
}
