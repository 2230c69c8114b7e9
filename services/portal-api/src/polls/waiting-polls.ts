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
  asked: boolean
  /** Its time ended while a fetch for it was under way. */
  late: boolean
  settle(events: PolledEvent[]): void
  fail(error: unknown): void
}

interface Line {
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

export function createWaitingPolls(deps: WaitingPollsDeps): WaitingPolls {
  const lines = new Map<string, Line>()
  const ofTenant = new Map<string, number>()
  let waiting = 0

  function count(tenantId: string, by: 1 | -1): void {
    const left = (ofTenant.get(tenantId) ?? 0) + by
    if (left === 0) ofTenant.delete(tenantId)
    else ofTenant.set(tenantId, left)
    waiting += by
  }

  function makeRoom(tenantId: string): void {
    if ((ofTenant.get(tenantId) ?? 0) >= MAX_WAITING_OF_TENANT) {
      throw new ApiError('RATE_LIMITED', `more than ${MAX_WAITING_OF_TENANT} polls wait already`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        headers: rateHeaders(MAX_WAITING_OF_TENANT, 0, deps.now() + RETRY_AFTER_SECONDS * 1_000),
      })
    }
    if (waiting >= MAX_WAITING) throw unavailable('too many polls wait; try again')
  }

  function lineOf(target: PollTarget): Line {
    const known = lines.get(target.endpointId)
    if (known !== undefined) return known
    const line: Line = {
      target,
      waiters: new Set(),
      served: undefined,
      serving: false,
      again: false,
    }
    lines.set(target.endpointId, line)
    return line
  }

  async function wait(
    target: PollTarget,
    limit: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<PolledEvent[]> {
    if (signal.aborted) return []
    makeRoom(target.tenantId)
    const line = lineOf(target)
    const { promise, resolve, reject } = Promise.withResolvers<PolledEvent[]>()
    const waiter: Waiter = { limit, asked: false, late: false, settle: resolve, fail: reject }
    const leave = (): void => resolve([])
    const timer = setTimeout(() => {
      if (line.served === waiter) waiter.late = true
      else resolve([])
    }, timeoutMs)
    signal.addEventListener('abort', leave)
    line.waiters.add(waiter)
    count(target.tenantId, 1)
    void serve(line)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      line.waiters.delete(waiter)
      count(target.tenantId, -1)
      forgetEmpty(line)
    }
  }

  function forgetEmpty(line: Line): void {
    if (line.waiters.size > 0 || line.serving) return
    if (lines.get(line.target.endpointId) === line) lines.delete(line.target.endpointId)
  }

  async function serve(line: Line): Promise<void> {
    line.again = true
    if (line.serving) return
    line.serving = true
    try {
      while (line.again && line.waiters.size > 0) {
        line.again = false
        while (await serveFirst(line));
      }
    } catch (error) {
      // Polls that have just come get the error. The others go on waiting, for the next event or
      // check.
      for (const waiter of line.waiters) {
        if (waiter.late) waiter.settle([])
        else if (!waiter.asked) waiter.fail(error)
      }
    } finally {
      line.served = undefined
      line.serving = false
      forgetEmpty(line)
    }
  }

  /** @returns whether there may be more */
  async function serveFirst(line: Line): Promise<boolean> {
    const [first] = line.waiters
    if (first === undefined) return false
    line.served = first
    const before = [...line.waiters]
    const events = await deps.fetch(line.target, first.limit)
    line.served = undefined
    if (events.length > 0) {
      const taker = line.waiters.has(first) ? first : another(line, events.length)
      taker?.settle(events)
      if (taker !== undefined) line.waiters.delete(taker)
      return true
    }
    for (const waiter of before) waiter.asked = true
    if (first.late) first.settle([])
    return false
  }

  function another(line: Line, events: number): Waiter | undefined {
    return [...line.waiters].find((waiter) => waiter.limit >= events)
  }

  function ready({ tenantId, endpointId }: PollTarget): void {
    const line = lines.get(endpointId)
    if (line?.target.tenantId === tenantId) void serve(line)
  }

  return {
    wait,
    ready,
    async recheck() {
      if (lines.size === 0) return
      const targets = [...lines.values()].map(({ target }) => target)
      for (const target of await deps.findVisible(targets)) ready(target)
    },
    size: () => waiting,
  }
}
