/**
 * The bucket of an endpoint's rate limit, from which a dispatcher takes tokens for all that it
 * could send now. It contains a quarter of a second and one token more: as much as comes while a
 * busy dispatcher does not ask, so that the rate is reached, and so little that in no second more
 * than twice the rate goes out (1 + 1.25 r <= 2 r, in whole tokens, from 1 a second).
 *
 * Whoever serves the endpoint's backlog goes before all others: while it takes tokens the others
 * get none and are told so, so that their deliveries may join the backlog, where priority decides.
 * Without a backlog the more urgent delivery goes first, whichever dispatcher has it: the priority
 * of a request that came too early for a token is kept until that dispatcher has asked again. Pure:
 * the in-process store calls it, and the Redis script below repeats it operation by operation, by
 * Redis's clock.
 */
export interface RateBucket {
  /** When the bucket had `tokens`, in whole microseconds of any one clock. */
  at: number
  /** Including the fraction of a token. */
  tokens: number
  /** Until then only the dispatcher that serves the backlog may take tokens. */
  ownedUntil: number
  /**
   * The priority of the request that got no token; until `urgentUntil` nothing less urgent goes.
   */
  urgent: number
  urgentUntil: number
}

export interface TokensWanted {
  perSecond: number
  wanted: number
  /**
   * The most urgent priority among the deliveries that wait with the caller; 1 goes first, 10 last.
   */
  priority: number
  /**
   * `owned`: the caller serves the endpoint's backlog; `ended`: it did, and the backlog is empty
   * now.
   */
  backlog: 'owned' | 'ended' | 'none'
}

export interface TokensGranted {
  granted: number
  /** Until the next token; 0 when some were granted. */
  retryAfterMs: number
  /** Somebody else serves the endpoint's backlog: join it. */
  backlogElsewhere: boolean
}

const SLACK = 1e-9
/**
 * The owner of a backlog asks again when the next token comes, late by a round of its event loop at
 * worst: two tokens' time, and half a second.
 */
const OWNED_MICROS = 500_000
const OWNED_TOKENS = 2
/** Two of the rounds, of 50 ms, in which dispatchers ask again. */
const URGENT_MICROS = 100_000

/** @param bucket undefined: it is full and nobody owns the backlog */
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
  let ownedUntil = bucket?.ownedUntil ?? 0
  if (backlog === 'ended') ownedUntil = 0
  const backlogElsewhere = backlog === 'none' && nowMicros < ownedUntil
  if (backlog === 'owned') ownedUntil = nowMicros + OWNED_MICROS + (OWNED_TOKENS * 1e6) / perSecond
  let { urgent, urgentUntil } = bucket ?? { urgent: 0, urgentUntil: 0 }
  const outranked = backlog !== 'owned' && nowMicros < urgentUntil && priority > urgent
  const granted = backlogElsewhere || outranked ? 0 : Math.min(wanted, Math.floor(tokens + SLACK))
  const retryAfterMs = granted > 0 ? 0 : Math.ceil((Math.max(0, 1 - tokens) * 1000) / perSecond)
  if (granted > 0) urgentUntil = 0
  else if (!backlogElsewhere && !outranked) {
    urgent = priority
    urgentUntil = nowMicros + retryAfterMs * 1000 + URGENT_MICROS
  }
  tokens = Math.max(0, tokens - granted)
  return {
    bucket: { at: nowMicros, tokens, ownedUntil: ownedUntil, urgent, urgentUntil },
    answer: { granted, retryAfterMs, backlogElsewhere },
  }
}

/** After this time it is full again and nobody's. */
export function rateBucketTtlMs(bucket: RateBucket, perSecond: number): number {
  const fullMs = ((1 + perSecond / 4 - bucket.tokens) * 1000) / perSecond
  const until = Math.max(bucket.ownedUntil, bucket.urgentUntil)
  return Math.max(1, Math.ceil(fullMs), Math.ceil((until - bucket.at) / 1000))
}

/**
 * KEYS[1]: the bucket; ARGV: tokens a second, how many are wanted, the state of the backlog, the
 * priority. Answers granted, retryAfterMs, 1 when somebody else owns a backlog and, so that a test
 * can repeat the calculation, the time in microseconds.
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
local owned = 0
local urgent = 0
local untilUrgent = 0
local kept = redis.call('GET', KEYS[1])
if kept then
  local at, left, till, rank, rankTill = string.match(kept, '^(%S+) (%S+) (%S+) (%S+) (%S+)$')
  local elapsed = math.max(0, now - tonumber(at))
  tokens = math.min(size, tonumber(left) + (elapsed * rate) / 1000000)
  owned = tonumber(till)
  urgent = tonumber(rank)
  untilUrgent = tonumber(rankTill)
end
if backlog == 'ended' then owned = 0 end
local elsewhere = backlog == 'none' and now < owned
if backlog == 'owned' then owned = now + 500000 + 2000000 / rate end
local outranked = backlog ~= 'owned' and now < untilUrgent and priority > urgent
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
local ttl = math.max(1, full, math.ceil((math.max(owned, untilUrgent) - now) / 1000))
local text = string.format('%.0f %.17g %.17g %d %.0f', now, tokens, owned, urgent, untilUrgent)
redis.call('SET', KEYS[1], text, 'PX', ttl)
return {granted, retry, elsewhere and 1 or 0, now}
`
