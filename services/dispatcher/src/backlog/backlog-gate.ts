/**
 * Whether a backlog that we hold may go: as its endpoint's status and circuit have it. One that may not is let go of, for
 * as long as nothing can change by itself.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import type { BacklogsDeps } from './serve-backlogs.ts'
import type { TargetQueue } from '../schedule/target-queue.ts'
import type { TargetStatus } from '../config/tenant-config.ts'

export interface ServedBacklog {
  backlog: OwnedBacklog
  queue: TargetQueue
  isFetching: boolean
  /** Whether it may go was read from Postgres since it is ours. */
  isStatusChecked: boolean
  /** A probe of ours is under way. */
  isProbing: boolean
  /** After an error, or for as long as a probe may take. */
  notBefore: number
}

export interface ServedBacklogs {
  drop(holding: ServedBacklog): void
  isServed(holding: ServedBacklog): boolean
}

export interface BacklogGate {
  statusOf(holding: ServedBacklog): TargetStatus | undefined
  /** By its status; false: it has been seen to. */
  mayGo(holding: ServedBacklog): Promise<boolean>
  /** By its circuit: all of it, one delivery as a probe, or none: it has been seen to. */
  pass(holding: ServedBacklog): Promise<'all' | 'probe' | 'none'>
  /** @returns whether one is on its way: until it is back nothing else goes */
  probe(holding: ServedBacklog, deliveries: DueDelivery[], askedAt: number): Promise<boolean>
}

/** Of an endpoint in poll mode: a row is only moved, 10 us each. */
const MAX_SHOWN = 1_000
/** How long a backlog is let go of whose endpoint is paused: a re-check, since a resume wakes it. */
const PAUSED_MS = 30_000
/** For a probe that is never heard of: its lease in the state store is at most as long. */
const PROBING_MS = 75_000

export function createBacklogGate(
  deps: BacklogsDeps,
  { drop, isServed: isHeld }: ServedBacklogs,
): BacklogGate {
  function statusOf({ backlog }: ServedBacklog): TargetStatus | undefined {
    const { tenantId, endpointId } = backlog
    return endpointId === null ? 'active' : deps.knownStatus(tenantId, endpointId)
  }

  /**
   * A yes may be two seconds old. Before a no, and when the backlog has just become ours, Postgres itself is asked: it
   * may have been woken by the very change that caches have not heard of.
   */
  async function mayGo(holding: ServedBacklog): Promise<boolean> {
    const { tenantId, endpointId } = holding.backlog
    const known = statusOf(holding)
    if (
      endpointId === null ||
      (holding.isStatusChecked && (known === 'active' || known === 'deleted'))
    )
      return true
    const { backlog } = holding
    const status = await deps.readStatus(tenantId, endpointId)
    if (holding.backlog !== backlog) return await mayGo(holding)
    holding.isStatusChecked = true
    if (known !== undefined && status !== known) deps.invalidate(tenantId)
    if (status === 'active' || status === 'deleted') return true
    if (status === 'polled') await showAll(holding, endpointId)
    else await letGo(holding, PAUSED_MS, 'paused')
    return false
  }

  /** Its endpoint has changed to poll mode: what is parked becomes visible there, and needs no holder. */
  async function showAll(holding: ServedBacklog, endpointId: string): Promise<void> {
    const { backlog } = holding
    const { tenantId, targetId } = backlog
    for (const work of deps.takeFetched(holding.queue)) deps.park(work, targetId)
    while (isHeld(holding) && holding.backlog === backlog) {
      const {
        owned: held,
        shown,
        parks,
      } = await deps.turns(() => deps.showParked(backlog, MAX_SHOWN))
      if (!held) return drop(holding)
      if (shown > 0) deps.announcePoll(tenantId, endpointId)
      else if (await deps.turns(() => deps.finishBacklog(backlog, parks))) return drop(holding)
    }
  }

  async function letGo(
    holding: ServedBacklog,
    afterMs: number,
    why: 'paused' | 'circuit-open',
  ): Promise<void> {
    const { tenantId, targetId } = holding.backlog
    drop(holding)
    await deps.turns(() => deps.postponeBacklog(holding.backlog, afterMs))
    for (const work of deps.takeFetched(holding.queue)) deps.park(work, targetId)
    deps.log.info(`backlog.${why}`, { tenantId, targetId, afterMs })
  }

  async function pass(holding: ServedBacklog): Promise<'all' | 'probe' | 'none'> {
    const { tenantId, endpointId } = holding.backlog
    if (endpointId === null || statusOf(holding) === 'deleted') return 'all'
    const asked = deps.requestPermit(tenantId, endpointId)
    if (asked === null) return 'all'
    const passage = await asked
    if (passage.outcome === 'closed') return 'all'
    if (passage.outcome === 'probe') return 'probe'
    if (holding.isProbing) waitForProbe(holding)
    else await letGo(holding, passage.afterMs, 'circuit-open')
    return 'none'
  }

  async function probe(
    holding: ServedBacklog,
    deliveries: DueDelivery[],
    askedAt: number,
  ): Promise<boolean> {
    waitForProbe(holding)
    const going = deliveries.length > 0 && (await deps.admitFetched(deliveries, true, askedAt)) > 0
    if (going) return true
    probed(holding)
    deps.releaseProbe(holding.backlog.endpointId ?? '')
    return false
  }

  function waitForProbe(holding: ServedBacklog): void {
    Object.assign(holding, { probing: true, notBefore: deps.now() + PROBING_MS })
  }

  return { statusOf, mayGo, pass, probe }
}

/** It has told how it went: the backlog may be looked at. */
export function probed(holding: ServedBacklog): void {
  Object.assign(holding, { probing: false, notBefore: 0 })
}
