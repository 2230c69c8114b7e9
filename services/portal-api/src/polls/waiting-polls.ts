/**
 * Polls that wait for events. The polls of one endpoint are served in the order in which they came,
 * by one fetch at a time: when a poll comes, when the endpoint is announced, and when the periodic
 * check, one query for all waiting polls, finds events whose announcement was lost. A waiting poll
 * causes no query of its own.
 *
 * A client that leaves while its events are being fetched loses them to another poll, or until
 * their visibility timeout ends.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { unavailable } from '@posthorn/http/errors'
import { rateHeaders } from '@posthorn/http/rate-limit'
import type { PolledEvent, PollTarget } from '@posthorn/store/pipeline/poll'

export interface WaitingPollsDeps {
  fetch(target: PollTarget, limit: number): Promise<PolledEvent[]>
  /** The endpoints among these that have something to fetch. */
  findVisible(targets: readonly PollTarget[]): Promise<PollTarget[]>
  /** Epoch ms. */
  now(): number
}

export interface WaitingPolls {
  /**
   * Resolves as soon as there are events, or with none when the time is over or `signal` is
   * aborted.
   */
  wait(
    target: PollTarget,
    limit: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<PolledEvent[]>
  /** An endpoint may have something to fetch. */
  ready(target: PollTarget): void
  /** Looks for events whose announcement was lost. */
  recheck(): Promise<void>
  size(): number
}

interface Waiter {
  limit: number
  /** A fetch for it has been answered, so it goes on waiting when a later fetch fails. */
  answered: boolean
  /** Its time ended while a fetch for it was under way. */
  late: boolean
  settle(events: PolledEvent[]): void
  fail(error: unknown): void
}

interface EndpointQueue {
  target: PollTarget
  /** In the order in which they came. */
  waiters: Set<Waiter>
  served: Waiter | undefined
  serving: boolean
  /** Something happened that the fetch under way may have missed. */
  again: boolean
}

/** Each has a connection, a timer and some closures, 30 KB in all: 120 MB for all of them. */
const MAX_WAITING = 4_000
/** Keeps one tenant from taking all of them. */
const MAX_WAITING_OF_TENANT = 1_000
const RETRY_AFTER_SECONDS = 1

// oxlint-disable-next-line max-lines-per-function -- its queues and timers change together
export function createWaitingPolls(deps: WaitingPollsDeps): WaitingPolls {
  const queues = new Map<string, EndpointQueue>()
  const ofTenant = new Map<string, number>()
  let waiting = 0

  function count(tenantId: string, by: 1 | -1): void {
    const left = (ofTenant.get(tenantId) ?? 0) + by
    if (left === 0) ofTenant.delete(tenantId)
    else ofTenant.set(tenantId, left)
    waiting += by
  }

  function requireCapacity(tenantId: string): void {
    if ((ofTenant.get(tenantId) ?? 0) >= MAX_WAITING_OF_TENANT) {
      throw new ApiError('RATE_LIMITED', `more than ${MAX_WAITING_OF_TENANT} polls wait already`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        headers: rateHeaders(MAX_WAITING_OF_TENANT, 0, deps.now() + RETRY_AFTER_SECONDS * 1_000),
      })
    }
    if (waiting >= MAX_WAITING) throw unavailable('too many polls wait; try again')
  }

  function queueOf(target: PollTarget): EndpointQueue {
    const known = queues.get(target.endpointId)
    if (known !== undefined) return known
    const queue: EndpointQueue = {
      target,
      waiters: new Set(),
      served: undefined,
      serving: false,
      again: false,
    }
    queues.set(target.endpointId, queue)
    return queue
  }

  async function wait(
    target: PollTarget,
    limit: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<PolledEvent[]> {
    if (signal.aborted) return []
    requireCapacity(target.tenantId)
    const queue = queueOf(target)
    const { promise, resolve, reject } = Promise.withResolvers<PolledEvent[]>()
    const waiter: Waiter = { limit, answered: false, late: false, settle: resolve, fail: reject }
    const leave = (): void => resolve([])
    const timer = setTimeout(() => {
      if (queue.served === waiter) waiter.late = true
      else resolve([])
    }, timeoutMs)
    signal.addEventListener('abort', leave)
    queue.waiters.add(waiter)
    count(target.tenantId, 1)
    void serve(queue)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      queue.waiters.delete(waiter)
      count(target.tenantId, -1)
      forgetEmpty(queue)
    }
  }

  function forgetEmpty(queue: EndpointQueue): void {
    if (queue.waiters.size > 0 || queue.serving) return
    if (queues.get(queue.target.endpointId) === queue) queues.delete(queue.target.endpointId)
  }

  async function serve(queue: EndpointQueue): Promise<void> {
    queue.again = true
    if (queue.serving) return
    queue.serving = true
    try {
      while (queue.again && queue.waiters.size > 0) {
        queue.again = false
        while (await serveFirst(queue));
      }
    } catch (error) {
      // Polls that have just come get the error. The others go on waiting, for the next event or
      // check.
      for (const waiter of queue.waiters) {
        if (waiter.late) waiter.settle([])
        else if (!waiter.answered) waiter.fail(error)
      }
    } finally {
      queue.served = undefined
      queue.serving = false
      forgetEmpty(queue)
    }
  }

  /** @returns whether there may be more */
  async function serveFirst(queue: EndpointQueue): Promise<boolean> {
    const [first] = queue.waiters
    if (first === undefined) return false
    queue.served = first
    const before = [...queue.waiters]
    const events = await deps.fetch(queue.target, first.limit)
    queue.served = undefined
    if (events.length > 0) {
      const taker = queue.waiters.has(first) ? first : another(queue, events.length)
      taker?.settle(events)
      if (taker !== undefined) queue.waiters.delete(taker)
      return true
    }
    for (const waiter of before) waiter.answered = true
    if (first.late) first.settle([])
    return false
  }

  function another(queue: EndpointQueue, events: number): Waiter | undefined {
    return [...queue.waiters].find((waiter) => waiter.limit >= events)
  }

  function ready({ tenantId, endpointId }: PollTarget): void {
    const queue = queues.get(endpointId)
    if (queue?.target.tenantId === tenantId) void serve(queue)
  }

  return {
    wait,
    ready,
    async recheck() {
      if (queues.size === 0) return
      const targets = [...queues.values()].map(({ target }) => target)
      for (const target of await deps.findVisible(targets)) ready(target)
    },
    size: () => waiting,
  }
}
