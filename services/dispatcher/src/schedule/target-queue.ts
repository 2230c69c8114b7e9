/** One target's line: what waits in memory for a slot of it, by message and from its backlog. */
import { createPriorityQueue, type PriorityQueue } from './priority-queue.ts'
import { createQueue, type Queue } from '../queue.ts'
import { standingOf, type TargetLoad } from './windows.ts'
import { bytesOf, type LeasedDelivery } from '../delivery.ts'

export interface TargetQueue {
  readonly targetId: string
  readonly load: TargetLoad
  waiting: Queue<LeasedDelivery>
  readonly fetched: Queue<LeasedDelivery>
  /** Of payloads in `waiting`. */
  bytes: number
  fetchedWentLast: boolean
  /** Its backlog is served here. */
  servesBacklog: boolean
  usedAt: number
  /** Tries that ended in this round of `pace.ts`, and in a round. */
  endedInRound: number
  throughput: number
  /** null: as fast as its window lets it. */
  rate: QueueRateLimit | null
}

/** Of a line whose endpoint has a rate limit: see `rates.ts`. */
export interface QueueRateLimit {
  readonly perSecond: number
  /** The line's own `waiting`: what waits for a token goes by priority. */
  readonly byPriority: PriorityQueue<LeasedDelivery>
  /** Taken and not used yet. */
  tokens: number
  tokensUntil: number
  isAsking: boolean
  /** The store was told so. */
  ownsBacklog: boolean
  notBefore: number
}

/** A fifth of a second's deliveries are fetched ahead of their tokens: what comes later and is more urgent overtakes. */
const AHEAD_SECONDS = 0.2

/** A target's share of memory. */
const MAX_WAITING = 1_000
const MAX_WAITING_BYTES = 8 * 1024 * 1024

export function newTargetQueue(targetId: string, target: TargetLoad, now: number): TargetQueue {
  return {
    targetId,
    load: target,
    waiting: createQueue(),
    fetched: createQueue(),
    bytes: 0,
    fetchedWentLast: false,
    servesBacklog: false,
    usedAt: now,
    endedInRound: 0,
    throughput: 0,
    rate: null,
  }
}

/** @param perSecond 0: no limit any more */
export function limitQueue(line: TargetQueue, perSecond: number): void {
  const byPriority = createPriorityQueue<LeasedDelivery>((work) => work.message.priority)
  const rate: QueueRateLimit = {
    perSecond,
    byPriority,
    tokens: 0,
    tokensUntil: 0,
    isAsking: false,
    ownsBacklog: false,
    notBefore: 0,
  }
  const queue: Queue<LeasedDelivery> = perSecond > 0 ? byPriority : createQueue()
  for (let work = line.waiting.shift(); work !== undefined; work = line.waiting.shift()) {
    queue.push(work)
  }
  line.waiting = queue
  line.rate = perSecond > 0 ? rate : null
}

/** How many of its backlog could be fetched now. */
export function wantedOf(line: TargetQueue, mayStart: boolean): number {
  const { load: target, fetched } = line
  const free = target.window.size - target.inFlight - fetched.size()
  if (!isQuick(line)) return mayStart ? wantedAhead(line, free) : 0
  // A window's worth ahead, asked for by the half: so that the next are here before these have ended.
  if (fetched.size() * 2 > target.window.size) return 0
  return wantedAhead(line, free + target.window.size)
}

function wantedAhead(line: TargetQueue, free: number): number {
  if (line.rate === null) return free
  const ahead = Math.max(1, Math.ceil(line.rate.perSecond * AHEAD_SECONDS))
  const here = line.fetched.size()
  return here * 2 > ahead ? 0 : Math.min(free, ahead - here)
}

/**
 * What has waited since `before` or longer. Under a rate limit all goes with the first: its backlog goes by priority, and
 * what stayed would overtake it.
 */
export function shiftOverdue(line: TargetQueue, before: number): LeasedDelivery[] {
  const works: LeasedDelivery[] = []
  const { rate } = line
  if (rate?.byPriority.heads().every(({ waitingSince }) => waitingSince > before)) return works
  for (let next = line.waiting.peek(); next !== undefined; next = line.waiting.peek()) {
    if (rate === null && next.waitingSince > before) break
    works.push(shiftWaiting(line) as LeasedDelivery)
  }
  return works
}

export function isQuick({ load: target }: TargetQueue): boolean {
  return standingOf(target) === 'quick'
}

export function hasMore(line: TargetQueue): boolean {
  return line.waiting.size() > 0 || line.fetched.size() > 0
}

export function hasCapacityFor(line: TargetQueue, work: LeasedDelivery): boolean {
  return line.waiting.size() < MAX_WAITING && line.bytes + bytesOf(work) <= MAX_WAITING_BYTES
}

export function pushWaiting(line: TargetQueue, work: LeasedDelivery): void {
  line.waiting.push(work)
  line.bytes += bytesOf(work)
}

export function shiftWaiting(line: TargetQueue): LeasedDelivery | undefined {
  const work = line.waiting.shift()
  if (work !== undefined) line.bytes -= bytesOf(work)
  return work
}

/** The next to go: what came just now takes turns with what was fetched from the backlog. */
export function shiftNext(line: TargetQueue): LeasedDelivery | undefined {
  if (line.rate !== null) return shiftUrgent(line)
  const fetchedFirst = !line.fetchedWentLast || line.waiting.size() === 0
  line.fetchedWentLast = fetchedFirst
  return fetchedFirst ? (line.fetched.shift() ?? shiftWaiting(line)) : shiftWaiting(line)
}

function shiftUrgent(line: TargetQueue): LeasedDelivery | undefined {
  const [fetched, waiting] = [line.fetched.peek(), line.waiting.peek()]
  if (fetched === undefined) return shiftWaiting(line)
  if (waiting === undefined || goesBefore(fetched, waiting)) return line.fetched.shift()
  return shiftWaiting(line)
}

function goesBefore({ message: a }: LeasedDelivery, { message: b }: LeasedDelivery): boolean {
  return a.priority === b.priority ? a.seq < b.seq : a.priority < b.priority
}

export function takeFetched(line: TargetQueue): LeasedDelivery[] {
  const works: LeasedDelivery[] = []
  for (let work = line.fetched.shift(); work !== undefined; work = line.fetched.shift())
    works.push(work)
  return works
}

export function takeAll(line: TargetQueue): LeasedDelivery[] {
  return [...takeFetched(line), ...shiftOverdue(line, Infinity)]
}
