/**
 * The bucket of an endpoint's rate limit, from which a dispatcher takes tokens for all that it could send now. It holds
 * a quarter of a second and one token more: as much as comes while a busy dispatcher looks away, so that the rate is
 * reached, and so little that in no second more than twice the rate goes out (1 + 1.25 r <= 2 r, in whole tokens, from
 * 1 a second).
 *
 * Whoever serves the endpoint's backlog goes before all others: while it takes, they get none and are told so, that what
 * they have may join the backlog, where priority decides. Without a backlog the more urgent goes first, whichever
 * dispatcher has it: one who came for a token too early is remembered with its priority until it has come again. Pure: the in-process store calls it, the Redis script below
 * repeats it operation by operation, by Redis's clock.
 */
export interface RateBucket {
  /** When `tokens` was true, in whole microseconds of any one clock. */
  at: number
  /** With its fraction. */
  tokens: number
  /** Until then only who serves the backlog may take. */
  ownedUntil: number
  /** The priority of who was refused for want of tokens; until `urgentUntil` nothing less urgent goes. */
  urgent: number
  urgentUntil: number
}

export interface TokensWanted {
  perSecond: number
  wanted: number
  /** 1 to 10, 1 first: of the most urgent that waits with who asks. */
  priority: number
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
/** Two turns of the 50 ms at which dispatchers ask again. */
const URGENT_MICROS = 100_000

/** `bucket` is undefined when it is full and nobody holds the backlog. */
export function takeTokensFrom(
  bucket: RateBucket | undefined,
  { perSecond, wanted, priority, backlog }: TokensWanted,
  nowMicros: number,
): { bucket: RateBucket; answer: TokensGranted } {
  const size = 1 + perSecond / 4
  let tokens = size
  if (bucket) {
    const elapsed = Math.max(0, nowMicros - bucket.at)
    tokens = Math.min(size, bucket.tokens + (elapsed * perSecond) / 1e6)
  }
  let heldUntil = bucket?.ownedUntil ?? 0
  if (backlog === 'ended') heldUntil = 0
  const backlogElsewhere = backlog === 'none' && nowMicros < heldUntil
  if (backlog === 'held') heldUntil = nowMicros + HELD_MICROS + (HELD_TOKENS * 1e6) / perSecond
  let { urgent, urgentUntil } = bucket ?? { urgent: 0, urgentUntil: 0 }
  const outranked = backlog !== 'held' && nowMicros < urgentUntil && priority > urgent
  const granted = backlogElsewhere || outranked ? 0 : Math.min(wanted, Math.floor(tokens + SLACK))
  const retryAfterMs = granted > 0 ? 0 : Math.ceil((Math.max(0, 1 - tokens) * 1000) / perSecond)
  if (granted > 0) urgentUntil = 0
  else if (!backlogElsewhere && !outranked) {
    urgent = priority
    urgentUntil = nowMicros + retryAfterMs * 1000 + URGENT_MICROS
  }
  tokens = Math.max(0, tokens - granted)
  return {
    bucket: { at: nowMicros, tokens, ownedUntil: heldUntil, urgent, urgentUntil },
    answer: { granted, retryAfterMs, backlogElsewhere },
  }
}

/** When it is full and nobody's again. */
export function rateBucketTtlMs(bucket: RateBucket, perSecond: number): number {
  const fullMs = ((1 + perSecond / 4 - bucket.tokens) * 1000) / perSecond
  const until = Math.max(bucket.ownedUntil, bucket.urgentUntil)
  return Math.max(1, Math.ceil(fullMs), Math.ceil((until - bucket.at) / 1000))
}

/**
 * KEYS[1]: the bucket; ARGV: tokens a second, how many are wanted, the backlog's word, the priority. Answers granted,
 * retryAfterMs, 1 when a backlog is held elsewhere and, so that a test can repeat the sum, the time in microseconds.
 */
export const TAKE_TOKENS_SCRIPT = `
local rate = tonumber(ARGV[1])
local wanted = tonumber(ARGV[2])
local backlog = ARGV[3]
local priority = tonumber(ARGV[4])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local size = 1 + rate / 4
local tokens = size
local held = 0
local urgent = 0
local untilUrgent = 0
local kept = redis.call('GET', KEYS[1])
if kept then
  local at, left, till, rank, rankTill = string.match(kept, '^(%S+) (%S+) (%S+) (%S+) (%S+)$')
  local elapsed = math.max(0, now - tonumber(at))
  tokens = math.min(size, tonumber(left) + (elapsed * rate) / 1000000)
  held = tonumber(till)
  urgent = tonumber(rank)
  untilUrgent = tonumber(rankTill)
end
if backlog == 'ended' then held = 0 end
local elsewhere = backlog == 'none' and now < held
if backlog == 'held' then held = now + 500000 + 2000000 / rate end
local outranked = backlog ~= 'held' and now < untilUrgent and priority > urgent
local granted = 0
if not elsewhere and not outranked then granted = math.min(wanted, math.floor(tokens + 1e-9)) end
local retry = 0
if granted == 0 then retry = math.ceil((math.max(0, 1 - tokens) * 1000) / rate) end
if granted > 0 then untilUrgent = 0
elseif not elsewhere and not outranked then
  urgent = priority
  untilUrgent = now + retry * 1000 + 100000
end
tokens = math.max(0, tokens - granted)
local full = math.ceil(((size - tokens) * 1000) / rate)
local life = math.max(1, full, math.ceil((math.max(held, untilUrgent) - now) / 1000))
redis.call('SET', KEYS[1], string.format('%.0f %.17g %.17g %d %.0f', now, tokens, held, urgent, untilUrgent), 'PX', life)
return {granted, retry, elsewhere and 1 or 0, now}
`
