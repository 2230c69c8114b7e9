/**
 * A bucket contains `perSecond` tokens (at least one), starts full and refills at that rate. Pure:
 * the in-process store calls it, the Redis script of `token-bucket-script.ts` repeats it operation
 * by operation.
 */
import type { TokenAnswer } from './state-store.ts'

export interface TokenBucket {
  /** When the bucket had `tokens`, in whole microseconds of any one clock. */
  at: number
  /** Including the fraction of a token. */
  tokens: number
}

/** The error of sums of binary fractions is far smaller, and 1e-9 of a token exceeds no limit. */
const SLACK = 1e-9

/**
 * @param bucket undefined: it is full @returns a bucket that is to be kept only when a token was
 * taken
 */
export function takeTokenFrom(
  bucket: TokenBucket | undefined,
  perSecond: number,
  nowMicros: number,
): { bucket: TokenBucket; answer: TokenAnswer } {
  const size = Math.max(1, perSecond)
  let tokens = size
  if (bucket) {
    const elapsed = Math.max(0, nowMicros - bucket.at)
    tokens = Math.min(size, bucket.tokens + (elapsed * perSecond) / 1e6)
  }
  const allowed = tokens >= 1 - SLACK
  if (allowed) tokens = Math.max(0, tokens - 1)
  return {
    bucket: { at: nowMicros, tokens },
    answer: {
      allowed,
      remaining: Math.floor(tokens + SLACK),
      retryAfterMs: allowed ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond),
      resetMs: Math.ceil(((size - tokens) * 1000) / perSecond),
    },
  }
}

/**
 * A rate of 0 would never let anything through again: whoever means that must not ask for tokens.
 */
export function assertRate(perSecond: number): void {
  if (perSecond > 0 && Number.isFinite(perSecond)) return
  throw new RangeError(`perSecond is ${perSecond}; a bucket needs a rate above 0`)
}
