/**
 * Endpoints with a rate limit: their queues go by tokens, which all dispatchers take from one
 * bucket in the state store. Tokens are taken for what could go at this moment and used at once, so
 * that the endpoint receives as smoothly as the bucket fills.
 *
 * While another process serves the endpoint's backlog, that one gets the tokens, and what waits
 * here joins the backlog.
 */
import type { TokensWanted } from '@posthorn/state/rate-bucket'
import { throttledKey } from '@posthorn/state/recent-counts'
import type { StateStore } from '@posthorn/state/state-store'
import { limitQueue, type QueueRateLimit, type TargetQueue } from './target-queue.ts'

export interface RateLimitsDeps {
  takeTokens: StateStore['takeTokens']
  countRecent: StateStore['countRecent']
  /** There are tokens, or the time to ask for them has come. */
  wake(queue: TargetQueue): void
  /** The target's backlog is served elsewhere. */
  join(queue: TargetQueue): void
  now(): number
}

export interface RateLimits {
  /** Spends a token for one attempt; false: the queue is woken when there is one. */
  spend(queue: TargetQueue): boolean
  /** A delivery was sent after it had waited for a token, or was parked instead of waiting on. */
  throttled(queue: TargetQueue): void
  /** Called every 50 ms. */
  tick(): void
  /** Queues wait for an answer, or for their time. */
  waiting(): boolean
}

/**
 * A token that is not used by then is lost: saved up here, beside the bucket, it would be a burst.
 */
const USED_WITHIN_MS = 100
const LOWEST_PRIORITY = 10
const COUNT_EVERY_MS = 1_000

export function createRateLimits(deps: RateLimitsDeps): RateLimits {
  const waiting = new Set<TargetQueue>()
  const throttled = new Map<string, number>()
  let countedAt = 0
  let asked = 0

  function spend(queue: TargetQueue): boolean {
    const { rate } = queue
    if (rate === null) return true
    const now = deps.now()
    if (rate.tokens > 0 && now < rate.tokensUntil) {
      rate.tokens -= 1
      return true
    }
    rate.tokens = 0
    if (now < rate.notBefore) waiting.add(queue)
    else if (!rate.isAsking) void ask(queue)
    return false
  }

  async function ask(queue: TargetQueue): Promise<void> {
    const { rate, load } = queue
    if (rate === null) return
    const { perSecond } = rate
    const some = queue.waiting.size() + queue.fetched.size()
    const wanted = Math.max(1, Math.min(some, load.window.size - load.inFlight))
    const backlog = backlogOf(queue, rate)
    rate.isAsking = true
    asked += 1
    rate.ownsBacklog = backlog === 'owned'
    const wants = { perSecond, wanted, backlog, priority: mostUrgentOf(queue) }
    const answer = await deps.takeTokens(`rate:${queue.targetId}`, wants).catch(() => null)
    const now = deps.now()
    rate.isAsking = false
    asked -= 1
    // Whatever went wrong is our own trouble, and slows nobody down.
    rate.tokens = answer?.granted ?? wanted
    rate.tokensUntil = now + USED_WITHIN_MS
    if (answer?.backlogElsewhere) deps.join(queue)
    if (rate.tokens > 0) return deps.wake(queue)
    rate.notBefore = now + (answer?.retryAfterMs ?? 0)
    waiting.add(queue)
  }

  function reportThrottled(now: number): void {
    if (throttled.size === 0 || now - countedAt < COUNT_EVERY_MS) return
    countedAt = now
    const counts = [...throttled].map(([id, times]) => ({ key: throttledKey(id), times }))
    throttled.clear()
    // It is shown and nothing more: what could not be counted is left out.
    deps.countRecent(counts).catch(() => undefined)
  }

  return {
    spend,
    throttled({ targetId }) {
      throttled.set(targetId, (throttled.get(targetId) ?? 0) + 1)
    },
    tick() {
      const now = deps.now()
      reportThrottled(now)
      for (const queue of waiting) {
        if (queue.rate !== null && now < queue.rate.notBefore) continue
        waiting.delete(queue)
        deps.wake(queue)
      }
    },
    waiting: () => waiting.size + asked + throttled.size > 0,
  }
}

function mostUrgentOf({ waiting, fetched }: TargetQueue): number {
  const heads = [waiting, fetched].map((queue) => queue.peek())
  return Math.min(...heads.map((head) => head?.message.priority ?? LOWEST_PRIORITY))
}

/** What was fetched keeps the right of the backlog when the backlog has ended. */
function backlogOf(queue: TargetQueue, rate: QueueRateLimit): TokensWanted['backlog'] {
  if (queue.feed !== null || queue.fetched.size() > 0) return 'owned'
  return rate.ownsBacklog ? 'ended' : 'none'
}

/** Called with each delivery: the limit may have been changed. */
export function applyRateLimit(queue: TargetQueue, perSecond: number): void {
  if ((queue.rate?.perSecond ?? 0) !== perSecond) limitQueue(queue, perSecond)
}
