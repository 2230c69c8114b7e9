/**
 * The flow of the backlog: deliveries that can not go now are parked (`park-deliveries.ts`); the
 * backlogs that this process made by parking first, and those that it was told of and took over
 * (`take-backlogs.ts`), it serves. The next parked deliveries are fetched while their target has
 * capacity, ahead of it while the target is quick, and not at all while it hangs.
 *
 * A backlog whose target may not get any (`backlog-gate.ts`) is let go of for 30 s, or until
 * somebody wakes it; one whose circuit is open until it may be probed, and then one delivery goes
 * ahead of all others.
 */
import type { DueBacklog } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import { createGroupCommit } from '@posthorn/async/group-commit'
import type { OwnedBacklog, TakenDeliveries, TakeRequest } from '@posthorn/store/pipeline/backlogs'
import type { FairScheduler } from '../schedule/fair-scheduler.ts'
import type { Statements } from '../statements.ts'
import {
  type BacklogGateDeps,
  createBacklogGate,
  probed,
  type ServedBacklog,
} from './backlog-gate.ts'
import { createTakeBacklogs } from './take-backlogs.ts'

export interface BacklogsDeps extends BacklogGateDeps {
  scheduler: Pick<FairScheduler, 'queueOf' | 'wanted' | 'hasCapacity'>
  statements: BacklogGateDeps['statements'] & Pick<Statements, 'takeBacklog' | 'takeParkedOfMany'>
  log: Pick<Log, 'info' | 'warn'>
}

export interface Backlogs {
  announced(message: DueBacklog, done: () => void): void
  serve(backlogs: readonly OwnedBacklog[]): void
  /** An endpoint's probe has brought its result. */
  probed(endpointId: string): void
  lost(backlog: OwnedBacklog): void
  /** Looks at all of them; called every second. */
  tick(): void
  served(): Iterable<OwnedBacklog>
  size(): number
  /** Takes nothing more, and gives out what is owned; again: what parkings have made since. */
  stop(): OwnedBacklog[]
  /** Resolves when nothing is being fetched. */
  idle(): Promise<void>
}

/** From one backlog in a statement. */
const MAX_FETCH = 512
/** The deliveries of a deleted endpoint are cancelled, and need no slot. */
const CANCEL_FETCH = 500
const AFTER_ERROR_MS = 500
/** Some 500 bytes each, and a few thousand rows to renew. The rest is announced to others. */
const MAX_SERVED = 5_000
/**
 * Backlogs that are fetched from at once: most wait for the statement that takes from all of them.
 */
const MAX_FETCHING = 64
/**
 * What one statement takes from all of them, unless it is one backlog: some 30 ms. Two statements
 * at once, of eight connections.
 */
const MAX_TAKEN = 1_024
const TAKING = 2

// oxlint-disable-next-line max-lines-per-function -- the life of one served backlog, in its order
export function createBacklogs(deps: BacklogsDeps): Backlogs {
  const { scheduler, admit, statements, mutex, log } = deps
  const byTarget = new Map<string, ServedBacklog>()
  const takeAnnounced = createTakeBacklogs({
    statements,
    hasCapacity: () => byTarget.size < MAX_SERVED,
    isStopped: () => stopped,
    taken: (backlog) => serve([backlog]),
    log,
  })
  const takes = createGroupCommit<TakeRequest, TakenDeliveries>(
    {
      maxBatch: MAX_FETCHING,
      maxQueue: MAX_FETCHING,
      writers: TAKING,
      bytes: { of: ({ limit }) => limit, maxBatch: MAX_TAKEN, maxQueue: Infinity },
    },
    statements.takeParkedOfMany,
  )
  const underWay = new Set<Promise<void>>()
  const hungry = new Set<ServedBacklog>()
  let stopped = false
  const isServed = (served: ServedBacklog): boolean =>
    !stopped && byTarget.get(served.backlog.targetId) === served
  const gate = createBacklogGate(deps, { drop, isServed })

  function serve(backlogs: readonly OwnedBacklog[]): void {
    for (const backlog of backlogs) {
      const known = byTarget.get(backlog.targetId)
      if (known === undefined) feed(add(backlog))
      else {
        // It is ours already, under an epoch that has ended: somebody woke it, or we were late.
        known.backlog = backlog
        known.isStatusChecked = false
        known.notBefore = 0
        feed(known)
      }
    }
  }

  function add(backlog: OwnedBacklog): ServedBacklog {
    const { tenantId, targetId } = backlog
    // The origin is not known yet: the first delivery that is fetched tells it.
    const queue = scheduler.queueOf(targetId, `${tenantId} ${targetId}`)
    const fresh = { isFetching: false, isStatusChecked: false, isProbing: false, notBefore: 0 }
    const served = { backlog, queue, ...fresh }
    byTarget.set(targetId, served)
    queue.feed = () => feed(served)
    return served
  }

  function drop(served: ServedBacklog): void {
    byTarget.delete(served.backlog.targetId)
    served.queue.feed = null
  }

  function feed(served: ServedBacklog): void {
    if (!isServed(served) || served.isFetching) return
    if (deps.now() < served.notBefore || (served.isStatusChecked && limitOf(served) <= 0)) return
    if (underWay.size >= MAX_FETCHING) return void hungry.add(served)
    served.isFetching = true
    const fetching = fetchFrom(served)
      .catch((error: unknown) => {
        served.notBefore = deps.now() + AFTER_ERROR_MS
        const { tenantId, targetId } = served.backlog
        log.warn('backlog.not-served', { tenantId, targetId, error })
      })
      .finally(() => {
        served.isFetching = false
        underWay.delete(fetching)
        if (isServed(served) && limitOf(served) > 0) hungry.add(served)
        feedHungry()
      })
    underWay.add(fetching)
  }

  function feedHungry(): void {
    for (const served of hungry) {
      if (underWay.size >= MAX_FETCHING) return
      hungry.delete(served)
      feed(served)
    }
  }

  /** Fetches for as long as there is capacity and no other backlog waits for its turn. */
  async function fetchFrom(served: ServedBacklog): Promise<void> {
    if (!(await gate.mayGo(served))) return
    for (let limit = limitOf(served); limit > 0 && isServed(served); limit = limitOf(served)) {
      const { backlog } = served
      const pass = await gate.pass(served)
      if (pass === 'none') return
      const isProbe = pass === 'probe'
      const askedAt = deps.now()
      const taken = await takes.add({ backlog, limit: isProbe ? 1 : limit })
      if (taken === null) return
      // Under its new epoch it has not been looked at; what came is ours all the same.
      const isCurrent = served.backlog === backlog
      if (isProbe && (await gate.probe(served, taken.deliveries, askedAt))) return
      if (isCurrent && !taken.owned) return drop(served)
      if (!isProbe && taken.deliveries.length > 0) {
        await admit.fetched(taken.deliveries, false, askedAt)
      }
      if (
        isCurrent &&
        taken.unparked === 0 &&
        (await mutex(() => statements.finishBacklog(backlog, taken.parks)))
      ) {
        return drop(served)
      }
      if (hungry.size > 0 || !(await gate.mayGo(served))) return
    }
  }

  function limitOf(served: ServedBacklog): number {
    if (!scheduler.hasCapacity()) return 0
    const status = gate.statusOf(served)
    if (status === 'deleted' || status === 'polled') return CANCEL_FETCH
    return Math.min(MAX_FETCH, scheduler.wanted(served.queue))
  }

  return {
    announced: takeAnnounced,
    serve,
    probed(endpointId) {
      const served = byTarget.get(endpointId)
      if (served === undefined) return
      probed(served)
      feed(served)
    },
    lost(backlog) {
      const served = byTarget.get(backlog.targetId)
      if (served?.backlog === backlog) drop(served)
    },
    tick() {
      for (const served of byTarget.values()) feed(served)
    },
    *served() {
      for (const { backlog } of byTarget.values()) yield backlog
    },
    size: () => byTarget.size,
    stop() {
      stopped = true
      const owned = [...byTarget.values()].map(({ backlog }) => backlog)
      for (const { queue } of byTarget.values()) queue.feed = null
      byTarget.clear()
      return owned
    },
    async idle() {
      await Promise.all(underWay)
    },
  }
}
