/**
 * The bucket of an endpoint's rate limit, from which a dispatcher takes tokens for all that it could send now. It holds
 * a tenth of a second and one token more: as much as comes while a dispatcher looks away, so that the rate is reached,
 * and so little that in no second more than twice the rate goes out (1 + 1.1 r <= 2 r, in whole tokens, from 1 a second).
 *
 * Whoever serves the endpoint's backlog goes before all others: while it takes, they get none and are told so, that what
 * they have may join the backlog, where priority decides. Pure: the in-process store calls it, the Redis script below
 * repeats it operation by operation, by Redis's clock.
 */
export interface RateBucket {
  /** When `tokens` was true, in whole microseconds of any one clock. */
  at: number
  /** With its fraction. */
  tokens: number
  /** Until then only who serves the backlog may take. */
  heldUntil: number
}

export interface TokensWanted {
  perSecond: number
  wanted: number
  /** `held`: the endpoint's backlog is served by who asks; `ended`: it was, and is empty now. */
  backlog: 'held' | 'ended' | 'none'
}

export interface TokensGranted {
  granted: number
  /** Until the next token; 0 when some were granted. */
  retryAfterMs: number
  /** Somebody else serves a backlog: join it. */
  backlogElsewhere: boolean
}

const SLACK = 1e-9
/** A holder asks again when the next token comes, or is late by a turn of its event loop: twice that, and half a second. */
const HELD_MICROS = 500_000
const HELD_TOKENS = 2

/** `bucket` is undefined when it is full and nobody holds the backlog. */
export function takeTokensFrom(
  bucket: RateBucket | undefined,
  { perSecond, wanted, backlog }: TokensWanted,
  nowMicros: number,
): { bucket: RateBucket; answer: TokensGranted } {
  const size = 1 + perSecond / 10
  let tokens = size
  if (bucket) {
    const elapsed = Math.max(0, nowMicros - bucket.at)
    tokens = Math.min(size, bucket.tokens + (elapsed * perSecond) / 1e6)
  }
  let heldUntil = bucket?.heldUntil ?? 0
  if (backlog === 'ended') heldUntil = 0
  const backlogElsewhere = backlog === 'none' && nowMicros < heldUntil
  if (backlog === 'held') heldUntil = nowMicros + HELD_MICROS + (HELD_TOKENS * 1e6) / perSecond
  const granted = backlogElsewhere ? 0 : Math.min(wanted, Math.floor(tokens + SLACK))
  const retryAfterMs = granted > 0 ? 0 : Math.ceil((Math.max(0, 1 - tokens) * 1000) / perSecond)
  tokens = Math.max(0, tokens - granted)
  return {
    bucket: { at: nowMicros, tokens, heldUntil },
    answer: { granted, retryAfterMs, backlogElsewhere },
  }
}

/** When it is full and nobody's again. */
export function rateBucketLifeMs(bucket: RateBucket, perSecond: number): number {
  const fullMs = ((1 + perSecond / 10 - bucket.tokens) * 1000) / perSecond
  return Math.max(1, Math.ceil(fullMs), Math.ceil((bucket.heldUntil - bucket.at) / 1000))
}

/**
 * KEYS[1]: the bucket; ARGV: tokens a second, how many are wanted, the backlog's word. Answers granted,
 * retryAfterMs, 1 when a backlog is held elsewhere and, so that a test can repeat the sum, the time in microseconds.
 */
export const TAKE_TOKENS_SCRIPT = `
local rate = tonumber(ARGV[1])
local wanted = tonumber(ARGV[2])
local backlog = ARGV[3]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local size = 1 + rate / 10
local tokens = size
local held = 0
local kept = redis.call('GET', KEYS[1])
if kept then
  local at, left, till = string.match(kept, '^(%S+) (%S+) (%S+)$')
  local elapsed = math.max(0, now - tonumber(at))
  tokens = math.min(size, tonumber(left) + (elapsed * rate) / 1000000)
  held = tonumber(till)
end
if backlog == 'ended' then held = 0 end
local elsewhere = backlog == 'none' and now < held
if backlog == 'held' then held = now + 500000 + 2000000 / rate end
local granted = 0
if not elsewhere then granted = math.min(wanted, math.floor(tokens + 1e-9)) end
local retry = 0
if granted == 0 then retry = math.ceil((math.max(0, 1 - tokens) * 1000) / rate) end
tokens = math.max(0, tokens - granted)
local full = math.ceil(((size - tokens) * 1000) / rate)
local life = math.max(1, full, math.ceil((held - now) / 1000))
redis.call('SET', KEYS[1], string.format('%.0f %.17g %.17g', now, tokens, held), 'PX', life)
return {granted, retry, elsewhere and 1 or 0, now}
`
