/**
 * When the next attempt goes out: `min(retryBackoffMs * retryBackoffMult^(n-1), retryBackoffMax)`
 * after n attempts, with a jitter of 10 % either way, so that an endpoint that failed many
 * deliveries at once does not get all of them back at once.
 */
export interface BackoffPolicy {
  retryBackoffMs: number
  retryBackoffMax: number
  retryBackoffMult: number
}

export const DEFAULT_BACKOFF: BackoffPolicy = {
  retryBackoffMs: 1_000,
  retryBackoffMax: 86_400_000,
  retryBackoffMult: 2,
}

const JITTER = 0.1

/**
 * Milliseconds to wait after `attemptsMade` attempts. `floorMs` is what the endpoint asked for
 * (`Retry-After`), honoured up to `retryBackoffMax`. Above a floor, jitter only adds.
 * @param random a number in [0, 1)
 */
export function backoffMs(
  policy: BackoffPolicy,
  attemptsMade: number,
  random: number,
  floorMs = 0,
): number {
  const exponent = Math.max(0, attemptsMade - 1)
  const base = Math.min(
    policy.retryBackoffMs * policy.retryBackoffMult ** exponent,
    policy.retryBackoffMax,
  )
  const floor = Math.min(floorMs, policy.retryBackoffMax)
  const jittered = base * (1 - JITTER + 2 * JITTER * random)
  return Math.round(jittered >= floor ? jittered : floor * (1 + JITTER * random))
}

/**
 * The three forms of RFC 9110; asctime's has no zone. Date.parse alone would accept nearly any text
 * as a date.
 */
const HTTP_DATE =
  /^(\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/

/**
 * `Retry-After` as milliseconds from `now`, given in seconds or as an HTTP date; null when it is
 * absent or not understood.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000
  const at = HTTP_DATE.test(text)
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
