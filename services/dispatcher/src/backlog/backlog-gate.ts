/**
 * Whether a backlog that this process owns may go, by the status and the circuit of its endpoint. A
 * backlog that may not is let go of for as long as nothing can change by itself.
 */
import type { Bus } from '@posthorn/bus/bus'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import type { Configuration } from '../config/configuration.ts'
import type { TargetStatus } from '../config/resolve-target.ts'
import type { Admit } from '../intake/admit.ts'
import type { Mutex } from '@posthorn/async/mutex'
import type { Circuits } from '../schedule/circuits.ts'
import { takeFetched, type TargetQueue } from '../schedule/target-queue.ts'
import type { Statements } from '../statements.ts'
import type { ParkingWriter } from './park-deliveries.ts'

export interface BacklogGateDeps {
  configuration: Pick<Configuration, 'knownStatus' | 'readStatus' | 'invalidate'>
  circuits: Pick<Circuits, 'requestPermit' | 'release'>
  admit: Pick<Admit, 'fetched'>
  parking: Pick<ParkingWriter, 'park'>
  statements: Pick<Statements, 'showParked' | 'finishBacklog' | 'postponeBacklog'>
  bus: Pick<Bus, 'announce'>
  mutex: Mutex
  now(): number
  log: Pick<Log, 'info'>
}

export interface ServedBacklog {
  backlog: OwnedBacklog
  readonly queue: TargetQueue
  isFetching: boolean
  /** Whether it may go has been read from Postgres since it is ours. */
  isStatusChecked: boolean
  /** A probe of ours is under way. */
  isProbing: boolean
  /** After an error, or for as long as a probe may take. */
  notBefore: number
}

export interface ServedBacklogs {
  drop(served: ServedBacklog): void
  isServed(served: ServedBacklog): boolean
}

export interface BacklogGate {
  statusOf(served: ServedBacklog): TargetStatus | undefined
  /** By its status. False: it may not, and has been let go of or shown to polls. */
  mayGo(served: ServedBacklog): Promise<boolean>
  /** By its circuit. `none`: it waits for its probe, or has been let go of. */
  pass(served: ServedBacklog): Promise<'all' | 'probe' | 'none'>
  /** @returns whether one is on its way: until it is back nothing else goes */
  probe(served: ServedBacklog, deliveries: DueDelivery[], askedAt: number): Promise<boolean>
}

/** In poll mode a delivery is only moved, 10 us each. */
const MAX_SHOWN = 1_000
/** The backlog of a paused endpoint is looked at again so much later; a resume wakes it sooner. */
const PAUSED_MS = 30_000
/** For a probe that is never heard of: its lease in the state store is at most as long. */
const PROBING_MS = 75_000

// oxlint-disable-next-line max-lines-per-function -- the checks of one backlog, in their order
export function createBacklogGate(
  deps: BacklogGateDeps,
  { drop, isServed }: ServedBacklogs,
): BacklogGate {
  const { configuration, circuits, parking, statements, mutex } = deps

  function statusOf({ backlog }: ServedBacklog): TargetStatus | undefined {
    const { tenantId, endpointId } = backlog
    return endpointId === null ? 'active' : configuration.knownStatus(tenantId, endpointId)
  }

  /**
   * That it may go may be two seconds old. Before a refusal, and when the backlog has just become
   * ours, Postgres itself is asked: the backlog may have been woken by the very change that caches
   * have not heard of.
   */
  async function mayGo(served: ServedBacklog): Promise<boolean> {
    const { backlog } = served
    const { tenantId, endpointId } = backlog
    if (endpointId === null) return true
    const known = statusOf(served)
    if (served.isStatusChecked && (known === 'active' || known === 'deleted')) return true
    const status = await configuration.readStatus(tenantId, endpointId)
    if (served.backlog !== backlog) return await mayGo(served)
    served.isStatusChecked = true
    if (known !== undefined && status !== known) configuration.invalidate(tenantId)
    if (status === 'active' || status === 'deleted') return true
    if (status === 'polled') await showAll(served, endpointId)
    else await letGo(served, PAUSED_MS, 'paused')
    return false
  }

  /**
   * Its endpoint has changed to poll mode: what is parked becomes visible to polls, and needs no
   * owner.
   */
  async function showAll(served: ServedBacklog, endpointId: string): Promise<void> {
    const { backlog } = served
    const { tenantId } = backlog
    parkFetched(served)
    while (isServed(served) && served.backlog === backlog) {
      const { owned, shown, parks } = await mutex(() => statements.showParked(backlog, MAX_SHOWN))
      if (!owned) return drop(served)
      if (shown > 0) deps.bus.announce('poll.ready', [{ v: 1, tenantId, endpointId }])
      else if (await mutex(() => statements.finishBacklog(backlog, parks))) return drop(served)
    }
  }

  async function letGo(
    served: ServedBacklog,
    afterMs: number,
    why: 'paused' | 'circuit-open',
  ): Promise<void> {
    const { tenantId, targetId } = served.backlog
    drop(served)
    await mutex(() => statements.postponeBacklog(served.backlog, afterMs))
    parkFetched(served)
    deps.log.info(`backlog.${why}`, { tenantId, targetId, afterMs })
  }

  function parkFetched({ queue, backlog }: ServedBacklog): void {
    for (const delivery of takeFetched(queue)) parking.park(delivery, backlog.targetId)
  }

  async function pass(served: ServedBacklog): Promise<'all' | 'probe' | 'none'> {
    const { tenantId, endpointId } = served.backlog
    if (endpointId === null || statusOf(served) === 'deleted') return 'all'
    const asked = circuits.requestPermit(tenantId, endpointId)
    if (asked === null) return 'all'
    const permit = await asked
    if (permit.outcome === 'closed') return 'all'
    if (permit.outcome === 'probe') return 'probe'
    if (served.isProbing) waitForProbe(served)
    else await letGo(served, permit.afterMs, 'circuit-open')
    return 'none'
  }

  async function probe(
    served: ServedBacklog,
    deliveries: DueDelivery[],
    askedAt: number,
  ): Promise<boolean> {
    waitForProbe(served)
    const going = deliveries.length > 0 && (await deps.admit.fetched(deliveries, true, askedAt)) > 0
    if (going) return true
    probed(served)
    circuits.release(served.backlog.endpointId ?? '')
    return false
  }

  function waitForProbe(served: ServedBacklog): void {
    served.isProbing = true
    served.notBefore = deps.now() + PROBING_MS
  }

  return { statusOf, mayGo, pass, probe }
}

/** Its probe has brought its result: the backlog may be looked at. */
export function probed(served: ServedBacklog): void {
  served.isProbing = false
  served.notBefore = 0
}
