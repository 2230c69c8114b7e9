/**
 * What follows from an attempt: delivered, another attempt and when, or dead. Pure: time and
 * randomness are arguments.
 */
import type { BackoffPolicy } from './backoff.ts'
import { backoffMs, retryAfterMs } from './backoff.ts'

export const ERROR_CATEGORIES = [
  'timeout',
  'dns',
  'tls',
  'refused',
  'reset',
  'blocked',
  'http_4xx',
  'http_5xx',
  'http_3xx',
  'transformation',
  'storage',
  'internal',
] as const
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number]

/** The HTTP answer behind an error, from which a `Retry-After` may be read. */
type RetryHint = { statusCode: number; retryAfter: string | undefined }

/** What an attempt observed. */
export type Observation =
  | { outcome: 'response'; statusCode: number; retryAfter: string | undefined }
  | { outcome: 'error'; category: ErrorCategory; detail: string; response?: RetryHint }

export interface AttemptLimits extends BackoffPolicy {
  /** Attempts made since the event was created or last replayed, this one included. */
  attemptsMade: number
  maxAttempts: number
}

export type AttemptOutcome =
  | { outcome: 'delivered' }
  | { outcome: 'retry'; error: string; category: ErrorCategory; afterMs: number }
  | { outcome: 'dead'; error: string; category: ErrorCategory; reason: string; gone: boolean }

/**
 * The limit of attempts of one delivery over all its replays: 1,200 replays of 25. The number is
 * stored as a smallint, of which the largest is 32,767; the last round of a delivery that came
 * close to the limit still fits. A wider type would rewrite a column of 20 million rows for nothing
 * else.
 */
export const MAX_TOTAL_ATTEMPTS = 30_000

const GONE = 410
/** `Retry-After` is honoured for these statuses only. */
const HONOURED_STATUSES = [429, 503]

export function classifyAttempt(
  observed: Observation,
  limits: AttemptLimits,
  now: number,
  random: number,
): AttemptOutcome {
  if (observed.outcome === 'response' && isSuccess(observed.statusCode)) {
    return { outcome: 'delivered' }
  }
  const { category, error } = describe(observed)
  const gone = observed.outcome === 'response' && observed.statusCode === GONE
  if (gone) return { outcome: 'dead', category, error, reason: 'gone', gone }
  if (category === 'blocked') {
    return { outcome: 'dead', category, error, reason: 'destination blocked', gone }
  }
  if (limits.attemptsMade >= limits.maxAttempts) {
    return { outcome: 'dead', category, error, reason: 'attempts used up', gone }
  }
  const floorMs = retryHintMs(observed, now)
  return {
    outcome: 'retry',
    category,
    error,
    afterMs: backoffMs(limits, limits.attemptsMade, random, floorMs),
  }
}

export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300
}

function retryHintMs(observed: Observation, now: number): number {
  const hint = observed.outcome === 'response' ? observed : observed.response
  if (hint === undefined || !HONOURED_STATUSES.includes(hint.statusCode)) return 0
  return retryAfterMs(hint.retryAfter, now) ?? 0
}

function describe(observed: Observation): { category: ErrorCategory; error: string } {
  if (observed.outcome === 'error') {
    return { category: observed.category, error: `${observed.category}: ${observed.detail}` }
  }
  const category = categoryOf(observed.statusCode)
  return { category, error: `${category}: status ${observed.statusCode}` }
}

function categoryOf(statusCode: number): ErrorCategory {
  if (statusCode >= 500) return 'http_5xx'
  if (statusCode >= 400) return 'http_4xx'
  return 'http_3xx'
}
