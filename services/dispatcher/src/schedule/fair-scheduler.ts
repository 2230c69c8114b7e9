/**
 * What waits in memory for a slot, in a line per target, and who goes next: round robin over the targets, and within one
 * what came just now takes turns with what was fetched from the target's backlog. What has waited for a second, or
 * finds its line full, is handed back to be parked.
 *
 * It decides by `windows.ts` and, where an endpoint has a rate limit, `rates.ts`, and keeps no timer: it is told when a
 * try ends and when time has passed.
 */
import {
  hasMore,
  hasCapacityFor,
  isQuick,
  type TargetQueue,
  newTargetQueue,
  pushWaiting,
  shiftNext,
  shiftOverdue,
  takeAll,
  wantedOf,
} from './target-queue.ts'
import { createThrottle } from './throttle.ts'
import { createRateLimits, applyRateLimit, type RateLimitsDeps } from './rate-limits.ts'
import { createReadyQueues } from './ready-queues.ts'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import { UNREAD_BYTES, type Windows } from './windows.ts'
import { bytesOf, type LeasedDelivery } from '../delivery.ts'

export interface FairSchedulerDeps {
  windows: Windows
  takeTokens: RateLimitsDeps['takeTokens']
  /** False: results can't be recorded as fast as they come. */
  canStart(): boolean
  /** The way as it is now; null: it does not go, and has been seen to. */
  reconsider(work: LeasedDelivery): ResolvedTarget | null
  begin(work: LeasedDelivery, way: ResolvedTarget): void
  /** It could not go in time: to be parked. */
  park(work: LeasedDelivery): void
  /** A lost one is not ours any more. */
  drop(work: LeasedDelivery): void
  /** A try of a target has ended, or one of a rate-limited target has begun: its backlog may have room. */
  onCapacity(line: TargetQueue): void
  /** `tick` may have something to do. */
  onWaiting(): void
  /** Of the event loop since the last call, in [0, 1]. */
  utilization(): number
  now(): number
}

export interface FairScheduler {
  /** What came by message or was fetched from a backlog; call `pump` after the last of a batch. */
  enqueue(work: LeasedDelivery, way: ResolvedTarget, fetched: boolean): void
  /** Starts what may start. */
  pump(): void
  ended(work: LeasedDelivery): void
  /** The payload of a try under way has been read. */
  payloadRead(work: LeasedDelivery, bytes: number): void
  /** Hands back what has waited for too long; called every 50 ms. False: there is nothing to do until `onWaiting`. */
  tick(): boolean
  /** Forgets targets that nothing has happened at; called every 10 s. */
  forgetIdle(): void
  queueOf(targetId: string, originKey: string): TargetQueue
  /** How many of a backlog could be fetched now. */
  wanted(line: TargetQueue): number
  /** Stops starting and gives out all that waits. */
  drain(): LeasedDelivery[]
  waiting(): number
  /** Of these, those that will go soon, up to `most`: they are as good as in flight. */
  waitingSoon(most: number): number
  /** How many more may be taken on when this process is what is slow. */
  roomAtPace(): number
}

/** Longer is worth a write. */
export const MAX_WAIT_MS = 1_000
/** Of all targets together: some 24 MiB of small payloads and their objects, or of large ones alone. */
const MAX_WAITING_IN_ALL = 20_000
const MAX_WAITING_BYTES_IN_ALL = 24 * 1024 * 1024
/**
 * Of a target's line, as many keep work of other targets on the bus: a share of the slots, so that 32 lines make us stop
 * and two that are flooded do not.
 */
const MAX_SOON = 64
const IDLE_MS = 60_000
/** Each some 700 bytes. Beyond it the idle ones go at once. */
const MAX_IDLE_LINES = 20_000

export function createFairScheduler(deps: FairSchedulerDeps): FairScheduler {
  const { windows } = deps
  const lines = new Map<string, TargetQueue>()
  const { ready, stop, wake, wakeSome, hasStopped } = createReadyQueues()
  const pace = createThrottle(deps)
  const withWaiting = new Set<TargetQueue>()
  const inAll = createAmount()
  let closed = false
  const rates = createRateLimits({
    takeTokens: deps.takeTokens,
    wake(line) {
      ready.add(line)
      pump()
    },
    join: (line) => holdOverdue(line, Infinity),
    now: deps.now,
  })

  function lineOf(targetId: string, originKey: string): TargetQueue {
    const known = lines.get(targetId)
    if (known !== undefined) return known
    const line = newTargetQueue(targetId, windows.add(originKey), deps.now())
    lines.set(targetId, line)
    return line
  }

  function enqueue(work: LeasedDelivery, way: ResolvedTarget, fetched: boolean): void {
    const line = lineOf(way.targetId, way.originKey)
    windows.move(line.load, way.originKey)
    applyRateLimit(line, way.rateLimitPerSec)
    work.target = way
    work.phase = 'waiting'
    work.waitingSince = deps.now()
    deps.onWaiting()
    if (fetched) line.fetched.push(work)
    // Its backlog goes by priority; what came just now has no better right.
    else if (line.rate !== null && line.servesBacklog) return deps.park(work)
    else if (
      !goesAtOnce(line, windows) &&
      (inAll.isFull(work, line) || !hasCapacityFor(line, work))
    )
      return deps.park(work)
    else {
      pushWaiting(line, work)
      inAll.add(work)
      withWaiting.add(line)
    }
    ready.add(line)
  }

  function pump(): void {
    if (closed || !deps.canStart()) return
    // A line that started one goes to the end of the set, and is reached again by the same loop.
    for (const line of ready) {
      const may = hasMore(line) ? windows.mayStart(line.load) : 'nothing'
      if (may === 'slots') return
      ready.delete(line)
      if (may === 'origin' || may === 'tenant') stop(line, may)
      else if (may === 'go' && (line.rate === null || rates.spend(line))) {
        startNext(line)
        if (hasMore(line)) ready.add(line)
      }
    }
  }

  function startNext(line: TargetQueue): void {
    const size = line.waiting.size()
    const work = shiftNext(line)
    if (work === undefined) return
    if (line.waiting.size() < size) inAll.remove(work)
    if (work.lost) return deps.drop(work)
    const way = deps.reconsider(work)
    if (way === null) return
    const now = deps.now()
    line.usedAt = now
    windows.move(line.load, way.originKey)
    work.phase = 'sending'
    work.target = way
    work.slot = windows.takeSlot(line.load, now, work.message.payload?.length ?? UNREAD_BYTES)
    deps.begin(work, way)
    if (line.rate !== null && line.servesBacklog) deps.onCapacity(line)
  }

  function ended(work: LeasedDelivery): void {
    const { slot: flight, target: way } = work
    if (flight === null || way === null) return
    work.slot = null
    const now = deps.now()
    deps.onWaiting()
    windows.releaseSlot(flight, now)
    wake(flight.origin)
    const line = lines.get(way.targetId)
    if (line !== undefined) {
      line.usedAt = now
      pace.ended(line)
      if (hasMore(line)) ready.add(line)
      if (line.servesBacklog) deps.onCapacity(line)
    }
    pump()
  }

  function carries({ slot: flight }: LeasedDelivery, bytes: number): void {
    if (flight === null) return
    windows.setBytes(flight, bytes)
    wake(flight.origin)
    pump()
  }

  function tick(): boolean {
    const before = deps.now() - MAX_WAIT_MS
    for (const line of withWaiting) {
      holdOverdue(line, before)
      if (line.waiting.size() === 0) withWaiting.delete(line)
    }
    wakeSome()
    rates.tick()
    const moving = pace.tick()
    pump()
    return moving || withWaiting.size > 0 || rates.waiting() || hasStopped()
  }

  function holdOverdue(line: TargetQueue, before: number): void {
    for (const work of shiftOverdue(line, before)) {
      inAll.remove(work)
      if (work.lost) deps.drop(work)
      else deps.park(work)
    }
  }

  function forgetIdle(): void {
    const before = deps.now() - (lines.size > MAX_IDLE_LINES ? 0 : IDLE_MS)
    for (const [id, line] of lines) {
      if (line.usedAt > before || line.servesBacklog || line.load.inFlight > 0 || hasMore(line))
        continue
      lines.delete(id)
      ready.delete(line)
      pace.forget(line)
      windows.remove(line.load)
    }
  }

  function drain(): LeasedDelivery[] {
    closed = true
    const works = [...lines.values()].flatMap(takeAll)
    inAll.clear()
    ready.clear()
    withWaiting.clear()
    return works
  }

  return {
    enqueue,
    pump,
    ended,
    payloadRead: carries,
    tick,
    forgetIdle,
    queueOf: lineOf,
    wanted: (line) => wantedOf(line, windows.mayStart(line.load) === 'go'),
    drain,
    waiting: inAll.size,
    waitingSoon: (most) => countSoon(withWaiting, most),
    roomAtPace: () => pace.capacity(withWaiting),
  }
}

/** Then it takes no room: however full memory is of what waits for others. */
function goesAtOnce(line: TargetQueue, windows: Windows): boolean {
  return !hasMore(line) && windows.mayStart(line.load) === 'go'
}

function countSoon(lines: Iterable<TargetQueue>, most: number): number {
  let count = 0
  for (const line of lines) {
    if (count >= most) break
    if (isQuick(line) && line.rate === null) count += Math.min(line.waiting.size(), MAX_SOON)
  }
  return count
}

/** What waits in all lines together, fetched from backlogs not counted. */
function createAmount() {
  let count = 0
  let bytes = 0
  return {
    size: () => count,
    /** Each line has as many as are left: two that are flooded a third each. */
    isFull: (more: LeasedDelivery, line: TargetQueue) =>
      line.waiting.size() >= MAX_WAITING_IN_ALL - count ||
      bytes + line.bytes + bytesOf(more) > MAX_WAITING_BYTES_IN_ALL,
    add(work: LeasedDelivery) {
      count += 1
      bytes += bytesOf(work)
    },
    remove(work: LeasedDelivery) {
      count -= 1
      // A newer message may have come for it since, of another size.
      bytes = count === 0 ? 0 : bytes - bytesOf(work)
    },
    clear() {
      count = 0
      bytes = 0
    },
  }
}
