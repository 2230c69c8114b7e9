/**
 * Endpoints with a rate limit: their lines go by tokens, which all dispatchers take from one bucket in the state store.
 * They are taken for what could go at this moment and used at once, so that what is received is as smooth as the bucket.
 *
 * While somebody else serves the endpoint's backlog, that one gets the tokens, and what waits here joins the backlog.
 */
import type { TokensWanted } from '@posthorn/state/rate-bucket'
import type { StateStore } from '@posthorn/state/state-store'
import { type TargetQueue, type QueueRateLimit, limitQueue } from './target-queue.ts'

export interface RateLimitsDeps {
  takeTokens: StateStore['takeTokens']
  /** There are tokens, or the time to ask for them has come. */
  wake(line: TargetQueue): void
  /** The line's backlog is served elsewhere. */
  join(line: TargetQueue): void
  now(): number
}

export interface RateLimits {
  /** A token for one try; false: the line is woken when there is one. */
  spend(line: TargetQueue): boolean
  /** Called every 50 ms. */
  tick(): void
  /** Lines wait for an answer, or for their time. */
  waiting(): boolean
}

/** What is not used by then is lost: saved up here, beside the bucket, it would be a burst. */
const USED_WITHIN_MS = 100
const LOWEST = 10

export function createRateLimits(deps: RateLimitsDeps): RateLimits {
  const waiting = new Set<TargetQueue>()
  let asked = 0

  function spend(line: TargetQueue): boolean {
    const { rate } = line
    if (rate === null) return true
    const now = deps.now()
    if (rate.tokens > 0 && now < rate.tokensUntil) {
      rate.tokens -= 1
      return true
    }
    rate.tokens = 0
    if (now < rate.notBefore) waiting.add(line)
    else if (!rate.isAsking) void ask(line)
    return false
  }

  async function ask(line: TargetQueue): Promise<void> {
    const { rate, load: target } = line
    if (rate === null) return
    const { perSecond } = rate
    const some = line.waiting.size() + line.fetched.size()
    const wanted = Math.max(1, Math.min(some, target.window.size - target.inFlight))
    const backlog = backlogOf(line, rate)
    rate.isAsking = true
    asked += 1
    rate.ownsBacklog = backlog === 'held'
    const wants = { perSecond, wanted, backlog, priority: mostUrgentOf(line) }
    const answer = await deps.takeTokens(`rate:${line.targetId}`, wants).catch(() => null)
    const now = deps.now()
    rate.isAsking = false
    asked -= 1
    // Whatever went wrong is ours: it holds nobody back.
    rate.tokens = answer?.granted ?? wanted
    rate.tokensUntil = now + USED_WITHIN_MS
    if (answer?.backlogElsewhere) deps.join(line)
    if (rate.tokens > 0) return deps.wake(line)
    rate.notBefore = now + (answer?.retryAfterMs ?? 0)
    waiting.add(line)
  }

  return {
    spend,
    tick() {
      const now = deps.now()
      for (const line of waiting) {
        if (line.rate !== null && now < line.rate.notBefore) continue
        waiting.delete(line)
        deps.wake(line)
      }
    },
    waiting: () => waiting.size + asked > 0,
  }
}

function mostUrgentOf({ waiting, fetched }: TargetQueue): number {
  return Math.min(...[waiting, fetched].map((queue) => queue.peek()?.message.priority ?? LOWEST))
}

/** What was fetched has the backlog's right still when the backlog has ended. */
function backlogOf(line: TargetQueue, rate: QueueRateLimit): TokensWanted['backlog'] {
  if (line.servesBacklog || line.fetched.size() > 0) return 'held'
  return rate.ownsBacklog ? 'ended' : 'none'
}

/** Called with each delivery: the limit may have been changed. */
export function applyRateLimit(line: TargetQueue, perSecond: number): void {
  if ((line.rate?.perSecond ?? 0) !== perSecond) limitQueue(line, perSecond)
}
