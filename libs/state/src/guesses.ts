/**
 * Counts guesses at a secret (a password, a code) and locks it when there were too many. A guess is
 * counted before anybody knows whether it is right, so that guesses made at once can't be more than
 * those made one after the other. Pure: the in-process store calls it, and the Redis script below
 * repeats it by Redis's clock.
 */
export interface GuessPolicy {
  /** This many guesses are let through; the next one within `windowMs` finds the secret locked. */
  max: number
  windowMs: number
  /** From the last guess that was let through. Guesses at a locked secret do not extend it. */
  lockMs: number
}

export interface GuessAnswer {
  allowed: boolean
  /** Guesses in the window, this one included when it is allowed. */
  count: number
  /** Until the lock ends; 0 when allowed. */
  retryAfterMs: number
}

/** @param times of the guesses that were let through, in ms of any one clock, newest first */
export function countGuessIn(
  times: readonly number[],
  { max, windowMs, lockMs }: GuessPolicy,
  now: number,
): { times: readonly number[]; answer: GuessAnswer } {
  const [newest] = times
  const oldest = times[max - 1]
  if (newest !== undefined && oldest !== undefined) {
    const isLocked = newest - oldest < windowMs && now < newest + lockMs
    const answer = { allowed: false, count: max, retryAfterMs: newest + lockMs - now }
    if (isLocked) return { times, answer }
  }
  const kept = [now, ...times.filter((time) => time > now - windowMs)].slice(0, max)
  return { times: kept, answer: { allowed: true, count: kept.length, retryAfterMs: 0 } }
}

/** After this time without a guess nothing needs to be known of the former ones. */
export function guessesTtlMs({ windowMs, lockMs }: GuessPolicy): number {
  return Math.max(windowMs, lockMs)
}

/**
 * KEYS[1]: the secret; ARGV: max, window and lock in ms. Answers allowed, count, retryAfterMs and,
 * so that a test can repeat the calculation, the time in ms.
 */
export const COUNT_GUESS_SCRIPT = `
local max = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local lock = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local newest = redis.call('LINDEX', KEYS[1], 0)
local oldest = redis.call('LINDEX', KEYS[1], max - 1)
if newest and oldest then
  local ends = tonumber(newest) + lock
  if tonumber(newest) - tonumber(oldest) < window and now < ends then
    return {0, max, ends - now, now}
  end
end
local last = redis.call('LINDEX', KEYS[1], -1)
while last and tonumber(last) <= now - window do
  redis.call('RPOP', KEYS[1])
  last = redis.call('LINDEX', KEYS[1], -1)
end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, max - 1)
redis.call('PEXPIRE', KEYS[1], math.max(window, lock))
return {1, redis.call('LLEN', KEYS[1]), 0, now}
`
