/**
 * The backlogs that this process serves: those it made by parking first, and those it was told of and took over. The
 * next parked deliveries are fetched while the target has room, ahead of the room while it is quick, and not at all
 * while it hangs. A target that may not get any is let go of for 30 s, or until somebody wakes it; one whose circuit is
 * open until it may be probed, and then one delivery goes ahead of all others.
 */
import type { DueBacklog, DueDelivery } from '@posthorn/contracts/topics'
import type { Passage } from '@posthorn/domain/circuit'
import type { Log } from '@posthorn/runtime/log'
import { createGroupCommit } from '@posthorn/store/group-commit'
import type { HeldBacklog, Take, Taken } from '@posthorn/store/pipeline/hold'
import type { Shown } from '@posthorn/store/pipeline/follow-mode'
import type { Line } from './line.ts'
import { createPassage, type Holding, probed } from './passage.ts'
import { createTakeBacklogs } from './take-backlogs.ts'
import type { TargetStatus } from './tenant-config.ts'
import type { Turns } from './turns.ts'
import type { Work } from './work.ts'

export interface BacklogsDeps {
  takeBacklog(announced: DueBacklog): Promise<HeldBacklog | null>
  takeParkedOfMany(takes: readonly Take[]): Promise<Taken[]>
  finishBacklog(backlog: HeldBacklog, parks: number): Promise<boolean>
  postponeBacklog(backlog: HeldBacklog, afterMs: number): Promise<void>
  showParked(backlog: HeldBacklog, limit: number): Promise<Shown>
  /** Of an endpoint: there is something to fetch. */
  announcePoll(tenantId: string, endpointId: string): void
  /** As we know it; undefined: not in memory. */
  knownStatus(tenantId: string, endpointId: string): TargetStatus | undefined
  readStatus(tenantId: string, endpointId: string): Promise<TargetStatus>
  /** What is cached of the tenant is wrong. */
  invalidate(tenantId: string): void
  lineOf(targetId: string, tenantId: string): Line
  wanted(line: Line): number
  /** False: no new work now. */
  hasRoom(): boolean
  /** Leased to us: on to their lines. */
  admitFetched(deliveries: DueDelivery[], asProbes: boolean, askedAt: number): Promise<number>
  /** Whether its circuit lets anything pass; null: it does, without further ado. */
  passCircuit(tenantId: string, endpointId: string): Promise<Passage> | null
  /** The probe that was granted is not sent. */
  releaseProbe(endpointId: string): void
  takeFetched(line: Line): Work[]
  hold(work: Work, targetId: string): void
  turns: Turns
  now(): number
  log: Pick<Log, 'info' | 'warn'>
}

export interface Backlogs {
  announced(message: DueBacklog, done: () => void): void
  hold(held: readonly HeldBacklog[]): void
  /** A slot of the target is free. */
  feed(line: Line): void
  /** An endpoint's probe has told how it went. */
  probed(endpointId: string): void
  lost(backlog: HeldBacklog): void
  /** Looks at all of them; called every second. */
  tick(): void
  held(): Iterable<HeldBacklog>
  size(): number
  /** Takes nothing more, and gives out what is held; called again, what parkings under way have made since. */
  stop(): HeldBacklog[]
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
  const holdings = new Map<string, Holding>()
  const takeAnnounced = createTakeBacklogs({
    takeBacklog: deps.takeBacklog,
    hasRoom: () => holdings.size < MAX_HELD,
    isStopped: () => stopped,
    taken: (backlog) => hold([backlog]),
    log,
  })
  const takes = createGroupCommit<Take, Taken>(
    {
      maxBatch: MAX_FETCHING,
      maxQueue: MAX_FETCHING,
      writers: TAKING,
      bytes: { of: ({ limit }) => limit, maxBatch: MAX_TAKEN, maxQueue: Infinity },
    },
    deps.takeParkedOfMany,
  )
  const underWay = new Set<Promise<void>>()
  const hungry = new Set<Holding>()
  let stopped = false
  const isHeld = (holding: Holding): boolean =>
    !stopped && holdings.get(holding.backlog.targetId) === holding
  const passage = createPassage(deps, { drop, isHeld })

  function hold(held: readonly HeldBacklog[]): void {
    for (const backlog of held) {
      const line = deps.lineOf(backlog.targetId, backlog.tenantId)
      const known = holdings.get(backlog.targetId)
      // Ours already, under an epoch that has ended: somebody woke it, or we were late.
      if (known !== undefined) Object.assign(known, { backlog, checked: false, notBefore: 0 })
      else {
        holdings.set(backlog.targetId, {
          backlog,
          line,
          fetching: false,
          checked: false,
          probing: false,
          notBefore: 0,
        })
        line.holding = true
      }
      feed(line)
    }
  }

  function drop(holding: Holding): void {
    holdings.delete(holding.backlog.targetId)
    holding.line.holding = false
  }

  function feed(line: Line): void {
    const holding = holdings.get(line.targetId)
    if (stopped || holding === undefined || holding.fetching) return
    if (deps.now() < holding.notBefore || (holding.checked && limitOf(holding) <= 0)) return
    if (underWay.size >= MAX_FETCHING) return void hungry.add(holding)
    holding.fetching = true
    const serving = serve(holding)
      .catch((error: unknown) => {
        holding.notBefore = deps.now() + AFTER_ERROR_MS
        const { tenantId, targetId } = holding.backlog
        log.warn('backlog.not-served', { tenantId, targetId, error })
      })
      .finally(() => {
        holding.fetching = false
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
      if (isHeld(holding)) feed(holding.line)
    }
  }

  /** Fetches for as long as there is room and nobody else waits for a turn. */
  async function serve(holding: Holding): Promise<void> {
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
      if (current && !taken.held) return drop(holding)
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

  function limitOf(holding: Holding): number {
    if (!deps.hasRoom()) return 0
    const status = passage.statusOf(holding)
    if (status === 'deleted' || status === 'polled') return CANCEL_FETCH
    return Math.min(MAX_FETCH, deps.wanted(holding.line))
  }

  return {
    announced: takeAnnounced,
    hold,
    feed,
    probed(endpointId) {
      const holding = holdings.get(endpointId)
      if (holding === undefined) return
      probed(holding)
      feed(holding.line)
    },
    lost(backlog) {
      const holding = holdings.get(backlog.targetId)
      if (holding?.backlog === backlog) drop(holding)
    },
    tick() {
      for (const { line } of holdings.values()) feed(line)
    },
    *held() {
      for (const { backlog } of holdings.values()) yield backlog
    },
    size: () => holdings.size,
    stop() {
      stopped = true
      const held = [...holdings.values()].map(({ backlog }) => backlog)
      for (const holding of holdings.values()) holding.line.holding = false
      holdings.clear()
      return held
    },
    async idle() {
      await Promise.all(underWay)
    },
  }
}
