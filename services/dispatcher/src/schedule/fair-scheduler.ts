/**
 * The flow of the schedule: a delivery waits for a slot in its target's queue (`enqueue`); the
 * queues take turns (`pump`), and within one what came just now takes turns with what was fetched
 * from the target's backlog; then its attempt is made (`send/attempt-delivery.ts`). A delivery that
 * has waited for a second, or finds its queue full, is parked.
 *
 * Who may start is decided by `windows.ts` and, where an endpoint has a rate limit,
 * `rate-limits.ts`. The scheduler keeps no timer: it is told when time has passed.
 */
import type { Ticker } from '@posthorn/async/ticker'
import type { StateStore } from '@posthorn/state/state-store'
import type { ParkingWriter } from '../backlog/park-deliveries.ts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import {
  type Admitted,
  type LeasedDelivery,
  payloadBytes,
  type Queued,
  type Sending,
  toQueued,
} from '../delivery.ts'
import { type InFlightSet, MAX_IN_FLIGHT_BYTES } from '../in-flight-set.ts'
import type { Recorder } from '../record/record-results.ts'
import type { Attempts } from '../send/attempt-delivery.ts'
import type { Circuits } from './circuits.ts'
import { applyRateLimit, createRateLimits } from './rate-limits.ts'
import { createReadyQueues } from './ready-queues.ts'
import {
  hasCapacityFor,
  hasMore,
  newTargetQueue,
  peekNext,
  pushWaiting,
  shiftNext,
  shiftOverdue,
  takeAll,
  type TargetQueue,
  wantedOf,
} from './target-queue.ts'
import { createThrottle, type ThrottleDeps } from './throttle.ts'
import { createWaitingTotal } from './waiting-total.ts'
import type { Windows } from './windows.ts'

export interface FairSchedulerDeps extends ThrottleDeps {
  windows: Windows
  attempts: Pick<Attempts, 'start'>
  inFlight: Pick<InFlightSet, 'bytes'>
  state: Pick<StateStore, 'takeTokens' | 'countRecent'>
  circuits: Pick<Circuits, 'releaseProbe'>
  recorder: Pick<Recorder, 'full'>
  parking: Pick<ParkingWriter, 'park' | 'drop' | 'full'>
  /** A slot is free: the intake may take more. */
  wakeIntake(): void
  /** Calls `tick`. */
  ticker: Pick<Ticker, 'wake'>
}

export interface FairScheduler {
  /** @param isFetched from the backlog of its target. Call `pump` after the last of a batch. */
  enqueue(delivery: Admitted, target: ResolvedTarget, isFetched: boolean): void
  /** Starts what may start. */
  pump(): void
  /** The payload of an attempt under way has been read. */
  slotResized(sending: Sending): void
  /** An attempt has ended and given back its slot. */
  slotFreed(sending: Sending, now: number): void
  /** Parks what has waited too long; called every 50 ms. False: nothing to do until it is woken. */
  tick(): boolean
  /** Forgets targets that nothing has happened at; called every 10 s. */
  forgetIdle(): void
  queueOf(targetId: string, originKey: string): TargetQueue
  /** How many deliveries of its backlog a queue could take now. */
  wanted(queue: TargetQueue): number
  /** False: nothing new. What is announced stays on the bus, and what is parked in Postgres. */
  hasCapacity(): boolean
  /** How many more deliveries may be taken on: free slots, as fast as this process goes. */
  capacity(): number
  /**
   * Beyond it, for deliveries that belong to no flood: while a flood fills what is written to
   * Postgres, or all time of the event loop, they go on.
   */
  spareCapacity(): number
  waiting(): number
  /** Starts nothing more, and gives out all that waits. */
  drain(): Queued[]
}

/** To wait longer is worth a write. */
export const MAX_WAIT_MS = 1_000
const IDLE_MS = 60_000
/** Deliveries that are taken on, or started, beyond what is full for a flood. */
const SPARE = 256
/** Queues that are looked at for those that may use it: 10 us. */
const MAX_LOOKED_AT = 256
/** A target without a backlog that has no more than this, in flight and waiting, is sent little. */
const SPARSE = 8
/** Some 700 bytes each. Beyond it the idle ones go at once. */
const MAX_IDLE_QUEUES = 20_000

// oxlint-disable-next-line max-lines-per-function -- its queues and counts must change together
export function createFairScheduler(deps: FairSchedulerDeps): FairScheduler {
  const { windows, circuits, recorder, parking } = deps
  const queues = new Map<string, TargetQueue>()
  const { ready, stop, wake, wakeUnread, wakeSome, hasStopped } = createReadyQueues()
  const throttle = createThrottle(deps)
  const total = createWaitingTotal()
  let closed = false
  const rateLimits = createRateLimits({
    takeTokens: deps.state.takeTokens,
    countRecent: deps.state.countRecent,
    wake(queue) {
      ready.add(queue)
      pump()
    },
    join: (queue) => parkOverdue(queue, Infinity),
    now: deps.now,
  })

  function queueOf(targetId: string, originKey: string): TargetQueue {
    const known = queues.get(targetId)
    if (known !== undefined) return known
    const queue = newTargetQueue(targetId, windows.add(originKey), deps.now())
    queues.set(targetId, queue)
    return queue
  }

  function enqueue(delivery: Admitted, target: ResolvedTarget, isFetched: boolean): void {
    const queue = queueOf(target.targetId, target.originKey)
    windows.move(queue.load, target.originKey)
    applyRateLimit(queue, target.rateLimitPerSec)
    deps.ticker.wake()
    if (isFetched) queue.fetched.push(toQueued(delivery, target, deps.now()))
    else if (joinsBacklog(queue) || !hasSpaceFor(queue, delivery)) {
      if (queue.rate !== null) rateLimits.throttled(queue)
      return parking.park(delivery, target.targetId)
    } else {
      const queued = toQueued(delivery, target, deps.now())
      pushWaiting(queue, queued)
      total.add(queue, queued)
    }
    ready.add(queue)
  }

  /** A backlog under a rate limit goes by priority; what came just now has no better right. */
  function joinsBacklog(queue: TargetQueue): boolean {
    return queue.rate !== null && queue.feed !== null
  }

  /** What goes at once needs no space: however full memory is of what waits for others. */
  function hasSpaceFor(queue: TargetQueue, delivery: Admitted): boolean {
    if (!hasMore(queue) && windows.mayStart(queue.load, isUnread(delivery)) === 'go') return true
    return !total.isFull(queue, delivery) && hasCapacityFor(queue, payloadBytes(delivery))
  }

  function pump(): void {
    if (closed) return
    if (recorder.full()) return startSpare()
    // A queue that started one goes to the end of the set, and is reached again by the same loop.
    for (const queue of ready) {
      const next = peekNext(queue)
      const may = next ? windows.mayStart(queue.load, isUnread(next)) : 'nothing'
      if (may === 'slots') return
      ready.delete(queue)
      if (may === 'origin' || may === 'tenant' || may === 'unread') stop(queue, may)
      else if (may === 'go' && (queue.rate === null || rateLimits.spend(queue))) {
        startNext(queue)
        if (hasMore(queue)) ready.add(queue)
      }
    }
  }

  /** What the targets have that are sent little. */
  function startSpare(): void {
    let lookedAt = 0
    for (const queue of ready) {
      lookedAt += 1
      if (lookedAt > MAX_LOOKED_AT || recorder.full(SPARE)) return
      const next = peekNext(queue)
      if (next === undefined || queue.rate !== null || !isSparse(queue)) continue
      if (windows.mayStart(queue.load, isUnread(next)) !== 'go') continue
      ready.delete(queue)
      startNext(queue)
      if (hasMore(queue)) ready.add(queue)
    }
  }

  function startNext(queue: TargetQueue): void {
    const size = queue.waiting.size()
    const delivery = shiftNext(queue)
    if (delivery === undefined) return
    const isFetched = queue.waiting.size() === size
    if (!isFetched) total.remove(delivery)
    // What was fetched from the backlog was counted when it was parked.
    const isLimited = queue.rate !== null && !isFetched
    if (isLimited && deps.now() - delivery.queuedAt >= WAITED_MS) rateLimits.throttled(queue)
    if (delivery.lost) return parking.drop(delivery)
    if (!deps.attempts.start(delivery, queue)) return
    // Under a rate limit slots become free by tokens, not by attempts that end.
    if (queue.rate !== null) queue.feed?.()
  }

  function slotResized({ slot }: Sending): void {
    wakeUnread()
    wake(slot.origin)
    pump()
  }

  function slotFreed({ slot, target }: Sending, now: number): void {
    deps.ticker.wake()
    wakeUnread()
    wake(slot.origin)
    const queue = queues.get(target.targetId)
    if (queue !== undefined) {
      queue.usedAt = now
      throttle.ended(queue)
      if (hasMore(queue)) ready.add(queue)
      queue.feed?.()
    }
    pump()
    deps.wakeIntake()
  }

  function tick(): boolean {
    const before = deps.now() - MAX_WAIT_MS
    for (const queue of total.queues) {
      parkOverdue(queue, before)
      if (queue.waiting.size() === 0) total.queues.delete(queue)
    }
    wakeSome()
    rateLimits.tick()
    const moving = throttle.tick()
    pump()
    return moving || total.queues.size > 0 || rateLimits.waiting() || hasStopped()
  }

  function parkOverdue(queue: TargetQueue, before: number): void {
    for (const delivery of shiftOverdue(queue, before)) {
      total.remove(delivery)
      if (queue.rate !== null) rateLimits.throttled(queue)
      if (delivery.lost) parking.drop(delivery)
      else parking.park(delivery, delivery.target.targetId)
    }
  }

  function forgetIdle(): void {
    const before = deps.now() - (queues.size > MAX_IDLE_QUEUES ? 0 : IDLE_MS)
    for (const [id, queue] of queues) {
      const isUsed = queue.usedAt > before || queue.feed !== null || queue.load.inFlight > 0
      if (isUsed || hasMore(queue)) continue
      queues.delete(id)
      ready.delete(queue)
      throttle.forget(queue)
      windows.remove(queue.load)
    }
  }

  function capacity(): number {
    if (!hasCapacity(deps)) return 0
    const free = windows.free()
    return Math.min(free - total.startingSoon(free), throttle.capacity(total.queues))
  }

  function spareCapacity(): number {
    const isFull = recorder.full(SPARE) || parking.full(SPARE)
    return isFull || deps.inFlight.bytes() >= MAX_IN_FLIGHT_BYTES || windows.free() <= 0 ? 0 : SPARE
  }

  function drain(): Queued[] {
    closed = true
    const drained = [...queues.values()].flatMap(takeAll)
    total.clear()
    ready.clear()
    for (const delivery of drained) circuits.releaseProbe(delivery)
    return drained
  }

  return {
    enqueue,
    pump,
    slotResized,
    slotFreed,
    tick,
    forgetIdle,
    queueOf,
    wanted: (queue) => wantedOf(queue, windows.mayStart(queue.load) === 'go'),
    hasCapacity: () => hasCapacity(deps),
    capacity,
    spareCapacity,
    waiting: total.size,
    drain,
  }
}

/** Tokens are asked for at once, and again every 50 ms: an answer takes less. */
const WAITED_MS = 40

function isSparse({ load, waiting, fetched, feed }: TargetQueue): boolean {
  return feed === null && load.inFlight + waiting.size() + fetched.size() <= SPARSE
}

function isUnread({ message }: LeasedDelivery): boolean {
  return message.payload === null
}

/**
 * Whether this process can take more: what it could not write yet, what all of it takes, its slots.
 */
function hasCapacity({ recorder, parking, inFlight, windows }: FairSchedulerDeps): boolean {
  if (recorder.full() || parking.full()) return false
  return inFlight.bytes() < MAX_IN_FLIGHT_BYTES && windows.free() > 0
}
