/**
 * The backlogs that this process serves: those it made by parking first, and those it was told of and took over. The
 * next parked deliveries are fetched while the target has room, ahead of the room while it is quick, and not at all
 * while it hangs. A target that may not get any is let go of for 30 s, or until somebody wakes it; one whose circuit is
 * open until it may be probed, and then one delivery goes ahead of all others.
 */
import type { DueBacklog, DueDelivery } from '@posthorn/contracts/topics'
import type { CircuitPermit } from '@posthorn/domain/circuit'
import type { Log } from '@posthorn/runtime/log'
import { createGroupCommit } from '@posthorn/store/group-commit'
import type { OwnedBacklog, TakeRequest, TakenDeliveries } from '@posthorn/store/pipeline/backlogs'
import type { ShownParked } from '@posthorn/store/pipeline/follow-mode'
import type { TargetQueue } from '../schedule/target-queue.ts'
import { createBacklogGate, type ServedBacklog, probed } from './backlog-gate.ts'
import { createTakeBacklogs } from './take-backlogs.ts'
import type { TargetStatus } from '../config/tenant-config.ts'
import type { Mutex } from '../mutex.ts'
import type { LeasedDelivery } from '../delivery.ts'

export interface BacklogsDeps {
  takeBacklog(announced: DueBacklog): Promise<OwnedBacklog | null>
  takeParkedOfMany(takes: readonly TakeRequest[]): Promise<TakenDeliveries[]>
  finishBacklog(backlog: OwnedBacklog, parks: number): Promise<boolean>
  postponeBacklog(backlog: OwnedBacklog, afterMs: number): Promise<void>
  showParked(backlog: OwnedBacklog, limit: number): Promise<ShownParked>
  /** Of an endpoint: there is something to fetch. */
  announcePoll(tenantId: string, endpointId: string): void
  /** As we know it; undefined: not in memory. */
  knownStatus(tenantId: string, endpointId: string): TargetStatus | undefined
  readStatus(tenantId: string, endpointId: string): Promise<TargetStatus>
  /** What is cached of the tenant is wrong. */
  invalidate(tenantId: string): void
  queueOf(targetId: string, tenantId: string): TargetQueue
  wanted(line: TargetQueue): number
  /** False: no new work now. */
  hasCapacity(): boolean
  /** Leased to us: on to their lines. */
  admitFetched(deliveries: DueDelivery[], asProbes: boolean, askedAt: number): Promise<number>
  /** Whether its circuit lets anything pass; null: it does, without further ado. */
  requestPermit(tenantId: string, endpointId: string): Promise<CircuitPermit> | null
  /** The probe that was granted is not sent. */
  releaseProbe(endpointId: string): void
  takeFetched(line: TargetQueue): LeasedDelivery[]
  park(work: LeasedDelivery, targetId: string): void
  turns: Mutex
  now(): number
  log: Pick<Log, 'info' | 'warn'>
}

export interface Backlogs {
  announced(message: DueBacklog, done: () => void): void
  serve(held: readonly OwnedBacklog[]): void
  /** A slot of the target is free. */
  feed(line: TargetQueue): void
  /** An endpoint's probe has told how it went. */
  probed(endpointId: string): void
  lost(backlog: OwnedBacklog): void
  /** Looks at all of them; called every second. */
  tick(): void
  served(): Iterable<OwnedBacklog>
  size(): number
  /** Takes nothing more, and gives out what is held; called again, what parkings under way have made since. */
  stop(): OwnedBacklog[]
  /** Resolves when nothing is being fetched. */
  idle(): Promise<void>
}

/** Of one backlog in a statement. */
const MAX_FETCH = 512
/** Of a deleted endpoint: they are cancelled, and need no slot. */
const CANCEL_FETCH = 500
const AFTER_ERROR_MS = 500
/** Of some 500 bytes each, and a renewal of a few thousand rows. The rest is announced to others. */
const MAX_HELD = 5_000
/** Backlogs that are served at once: most wait for the statement that takes of all of them. */
const MAX_FETCHING = 64
/** What one statement takes of all of them, unless it is one backlog: some 30 ms. Two at once, of eight connections. */
const MAX_TAKEN = 1_024
const TAKING = 2

export function createBacklogs(deps: BacklogsDeps): Backlogs {
  const { log } = deps
  const holdings = new Map<string, ServedBacklog>()
  const takeAnnounced = createTakeBacklogs({
    takeBacklog: deps.takeBacklog,
    hasCapacity: () => holdings.size < MAX_HELD,
    isStopped: () => stopped,
    taken: (backlog) => hold([backlog]),
    log,
  })
  const takes = createGroupCommit<TakeRequest, TakenDeliveries>(
    {
      maxBatch: MAX_FETCHING,
      maxQueue: MAX_FETCHING,
      writers: TAKING,
      bytes: { of: ({ limit }) => limit, maxBatch: MAX_TAKEN, maxQueue: Infinity },
    },
    deps.takeParkedOfMany,
  )
  const underWay = new Set<Promise<void>>()
  const hungry = new Set<ServedBacklog>()
  let stopped = false
  const isHeld = (holding: ServedBacklog): boolean =>
    !stopped && holdings.get(holding.backlog.targetId) === holding
  const passage = createBacklogGate(deps, { drop, isServed: isHeld })

  function hold(held: readonly OwnedBacklog[]): void {
    for (const backlog of held) {
      const line = deps.queueOf(backlog.targetId, backlog.tenantId)
      const known = holdings.get(backlog.targetId)
      // Ours already, under an epoch that has ended: somebody woke it, or we were late.
      if (known !== undefined) Object.assign(known, { backlog, checked: false, notBefore: 0 })
      else {
        holdings.set(backlog.targetId, {
          backlog,
          queue: line,
          isFetching: false,
          isStatusChecked: false,
          isProbing: false,
          notBefore: 0,
        })
        line.servesBacklog = true
      }
      feed(line)
    }
  }

  function drop(holding: ServedBacklog): void {
    holdings.delete(holding.backlog.targetId)
    holding.queue.servesBacklog = false
  }

  function feed(line: TargetQueue): void {
    const holding = holdings.get(line.targetId)
    if (stopped || holding === undefined || holding.isFetching) return
    if (deps.now() < holding.notBefore || (holding.isStatusChecked && limitOf(holding) <= 0)) return
    if (underWay.size >= MAX_FETCHING) return void hungry.add(holding)
    holding.isFetching = true
    const serving = serve(holding)
      .catch((error: unknown) => {
        holding.notBefore = deps.now() + AFTER_ERROR_MS
        const { tenantId, targetId } = holding.backlog
        log.warn('backlog.not-served', { tenantId, targetId, error })
      })
      .finally(() => {
        holding.isFetching = false
        underWay.delete(serving)
        if (isHeld(holding) && limitOf(holding) > 0) hungry.add(holding)
        feedHungry()
      })
    underWay.add(serving)
  }

  function feedHungry(): void {
    for (const holding of hungry) {
      if (underWay.size >= MAX_FETCHING) return
      hungry.delete(holding)
      if (isHeld(holding)) feed(holding.queue)
    }
  }

  /** Fetches for as long as there is room and nobody else waits for a turn. */
  async function serve(holding: ServedBacklog): Promise<void> {
    if (!(await passage.mayGo(holding))) return
    for (let limit = limitOf(holding); limit > 0 && isHeld(holding); limit = limitOf(holding)) {
      const { backlog } = holding
      const pass = await passage.pass(holding)
      if (pass === 'none') return
      const probing = pass === 'probe'
      const askedAt = deps.now()
      const taken = await takes.add({ backlog, limit: probing ? 1 : limit })
      if (taken === null) return
      // Under its new epoch it has not been looked at; what came is ours all the same.
      const current = holding.backlog === backlog
      if (probing && (await passage.probe(holding, taken.deliveries, askedAt))) return
      if (current && !taken.owned) return drop(holding)
      if (!probing && taken.deliveries.length > 0) {
        await deps.admitFetched(taken.deliveries, false, askedAt)
      }
      if (
        current &&
        taken.unparked === 0 &&
        (await deps.turns(() => deps.finishBacklog(backlog, taken.parks)))
      ) {
        return drop(holding)
      }
      if (hungry.size > 0 || !(await passage.mayGo(holding))) return
    }
  }

  function limitOf(holding: ServedBacklog): number {
    if (!deps.hasCapacity()) return 0
    const status = passage.statusOf(holding)
    if (status === 'deleted' || status === 'polled') return CANCEL_FETCH
    return Math.min(MAX_FETCH, deps.wanted(holding.queue))
  }

  return {
    announced: takeAnnounced,
    serve: hold,
    feed,
    probed(endpointId) {
      const holding = holdings.get(endpointId)
      if (holding === undefined) return
      probed(holding)
      feed(holding.queue)
    },
    lost(backlog) {
      const holding = holdings.get(backlog.targetId)
      if (holding?.backlog === backlog) drop(holding)
    },
    tick() {
      for (const { queue: line } of holdings.values()) feed(line)
    },
    *served() {
      for (const { backlog } of holdings.values()) yield backlog
    },
    size: () => holdings.size,
    stop() {
      stopped = true
      const held = [...holdings.values()].map(({ backlog }) => backlog)
      for (const holding of holdings.values()) holding.queue.servesBacklog = false
      holdings.clear()
      return held
    },
    async idle() {
      await Promise.all(underWay)
    },
  }
}
