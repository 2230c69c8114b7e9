/**
 * What waits in memory for a slot of one target: what came by message, and what was fetched from
 * the backlog of the target.
 */
import { payloadBytes, type Queued } from '../delivery.ts'
import { createQueue, type Queue } from '@posthorn/async/queue'
import { createPriorityQueue, type PriorityQueue } from './priority-queue.ts'
import { standingOf, type TargetLoad } from './loads.ts'

export interface TargetQueue {
  readonly targetId: string
  readonly load: TargetLoad
  /** What came by message. */
  waiting: Queue<Queued>
  /** What was fetched from the target's backlog. */
  readonly fetched: Queue<Queued>
  /** The bytes of payloads in `waiting`. */
  bytes: number
  fetchedWentLast: boolean
  /** Fetches more of the target's backlog; null: its backlog is not served by this process. */
  feed: (() => void) | null
  usedAt: number
  /** Attempts that ended in this round of `throttle.ts`. */
  endedInRound: number
  /** Attempts that ended in the last round. */
  throughput: number
  /** null: as fast as its window lets it. */
  rate: QueueRateLimit | null
}

/** The rate limit of an endpoint: see `rate-limits.ts`. */
export interface QueueRateLimit {
  readonly perSecond: number
  /** The queue's own `waiting`: what waits for a token goes by priority. */
  readonly byPriority: PriorityQueue<Queued>
  /** Taken and not used yet. */
  tokens: number
  tokensUntil: number
  isAsking: boolean
  /** The state store was told that the target's backlog is served here. */
  ownsBacklog: boolean
  notBefore: number
}

/**
 * A fifth of a second's deliveries are fetched ahead of their tokens: what comes later and is more
 * urgent overtakes the rest.
 */
const AHEAD_SECONDS = 0.2

/** A target's share of memory. */
const MAX_WAITING = 1_000
const MAX_WAITING_BYTES = 8 * 1024 * 1024

export function newTargetQueue(targetId: string, load: TargetLoad, now: number): TargetQueue {
  return {
    targetId,
    load,
    waiting: createQueue(),
    fetched: createQueue(),
    bytes: 0,
    fetchedWentLast: false,
    feed: null,
    usedAt: now,
    endedInRound: 0,
    throughput: 0,
    rate: null,
  }
}

/** @param perSecond 0: there is no limit any more */
export function limitQueue(queue: TargetQueue, perSecond: number): void {
  const byPriority = createPriorityQueue<Queued>(({ message }) => message.priority)
  const rate: QueueRateLimit = {
    perSecond,
    byPriority,
    tokens: 0,
    tokensUntil: 0,
    isAsking: false,
    ownsBacklog: false,
    notBefore: 0,
  }
  const waiting: Queue<Queued> = perSecond > 0 ? byPriority : createQueue()
  for (let one = queue.waiting.shift(); one !== undefined; one = queue.waiting.shift()) {
    waiting.push(one)
  }
  queue.waiting = waiting
  queue.rate = perSecond > 0 ? rate : null
}

/** How many deliveries of its backlog could be fetched now. */
export function wantedOf(queue: TargetQueue, mayStart: boolean): number {
  const { load, fetched } = queue
  const free = load.window.size - load.inFlight - fetched.size()
  if (!isQuick(queue)) return mayStart ? wantedAhead(queue, free) : 0
  // A window's worth is fetched ahead and asked for by the half, so that the next are here before
  // these have ended.
  if (fetched.size() * 2 > load.window.size) return 0
  return wantedAhead(queue, free + load.window.size)
}

function wantedAhead(queue: TargetQueue, free: number): number {
  if (queue.rate === null) return free
  const ahead = Math.max(1, Math.ceil(queue.rate.perSecond * AHEAD_SECONDS))
  const here = queue.fetched.size()
  return here * 2 > ahead ? 0 : Math.min(free, ahead - here)
}

/**
 * Takes out what has waited since `before` or longer. Under a rate limit all goes with the first:
 * the backlog goes by priority, and what stayed would overtake it.
 */
export function shiftOverdue(queue: TargetQueue, before: number): Queued[] {
  const overdue: Queued[] = []
  const { rate } = queue
  if (rate?.byPriority.heads().every(({ queuedAt }) => queuedAt > before)) return overdue
  for (let next = queue.waiting.peek(); next !== undefined; next = queue.waiting.peek()) {
    if (rate === null && next.queuedAt > before) break
    overdue.push(shiftWaiting(queue) as Queued)
  }
  return overdue
}

export function isQuick({ load }: TargetQueue): boolean {
  return standingOf(load) === 'quick'
}

export function hasMore(queue: TargetQueue): boolean {
  return queue.waiting.size() > 0 || queue.fetched.size() > 0
}

export function hasCapacityFor(queue: TargetQueue, bytes: number): boolean {
  return queue.waiting.size() < MAX_WAITING && queue.bytes + bytes <= MAX_WAITING_BYTES
}

export function pushWaiting(queue: TargetQueue, delivery: Queued): void {
  queue.waiting.push(delivery)
  queue.bytes += payloadBytes(delivery)
}

export function shiftWaiting(queue: TargetQueue): Queued | undefined {
  const delivery = queue.waiting.shift()
  if (delivery !== undefined) queue.bytes -= payloadBytes(delivery)
  return delivery
}

/** The next to go: what came just now takes turns with what was fetched from the backlog. */
export function shiftNext(queue: TargetQueue): Queued | undefined {
  if (queue.rate !== null) return shiftUrgent(queue)
  const fetchedFirst = !queue.fetchedWentLast || queue.waiting.size() === 0
  queue.fetchedWentLast = fetchedFirst
  return fetchedFirst ? (queue.fetched.shift() ?? shiftWaiting(queue)) : shiftWaiting(queue)
}

/** What `shiftNext` would give out. */
export function peekNext(queue: TargetQueue): Queued | undefined {
  const [fetched, waiting] = [queue.fetched.peek(), queue.waiting.peek()]
  if (fetched === undefined || waiting === undefined) return fetched ?? waiting
  if (queue.rate !== null) return goesBefore(fetched, waiting) ? fetched : waiting
  return queue.fetchedWentLast ? waiting : fetched
}

function shiftUrgent(queue: TargetQueue): Queued | undefined {
  const [fetched, waiting] = [queue.fetched.peek(), queue.waiting.peek()]
  if (fetched === undefined) return shiftWaiting(queue)
  if (waiting === undefined || goesBefore(fetched, waiting)) return queue.fetched.shift()
  return shiftWaiting(queue)
}

function goesBefore({ message: a }: Queued, { message: b }: Queued): boolean {
  return a.priority === b.priority ? a.seq < b.seq : a.priority < b.priority
}

export function takeFetched(queue: TargetQueue): Queued[] {
  const taken: Queued[] = []
  for (let one = queue.fetched.shift(); one !== undefined; one = queue.fetched.shift())
    taken.push(one)
  return taken
}

export function takeAll(queue: TargetQueue): Queued[] {
  return [...takeFetched(queue), ...shiftOverdue(queue, Infinity)]
}
