/**
 * The retry-scheduler: the only timer of the system. It announces what is due (back-offs and delays whose time has
 * come, leases that ended with nobody having acted), keeps the store in shape, and removes what nobody keeps any more. One
 * instance does so at a time, under a lease; the others stand by. Two at once would do no harm.
 */
import { randomUUID } from 'node:crypto'
import { createAnnounceDue } from '@posthorn/bus/announce-due'
import type { Bus } from '@posthorn/bus/bus'
import { listen, type Listener } from '@posthorn/bus/listen'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { createTicker, type NextRound, type Ticker } from '@posthorn/runtime/ticker'
import { ensurePartitions } from '@posthorn/store/partitions'
import { expireParked } from '@posthorn/store/pipeline/expire-parked'
import { repairBacklogs } from '@posthorn/store/pipeline/backlogs'
import { repairLanes } from '@posthorn/store/pipeline/lanes'
import { resignLeadership, acquireLeadership } from '@posthorn/store/pipeline/renew-leases'
import { relayOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { purgeEndpoints } from '@posthorn/store/purge-endpoints'
import { applyRetention } from '@posthorn/store/retention'
import type { Pool } from '@posthorn/store/pool'
import { readQueueDepth } from '@posthorn/store/queue-depth'
import { sweep, SWEEP_MS } from './sweep.ts'

export interface SchedulerConfig {
  maxHoldDays: number
}

export interface SchedulerDeps {
  pool: Pool
  bus: Bus
  log: Log
  metrics: Metrics
  now(): number
}

const LEASE_NAME = 'retry-scheduler'
/** Takeover within 2 s: the lease of 1.5 s, and the half second in which a standby asks for it. */
const LEASE_MS = 1_500
const RENEW_MS = 500
const DEPTH_MS = 15_000
const MEND_MS = 60_000
/** How late an operational event is at worst; a look at an empty table costs 30 us. */
const RELAY_MS = 250
const RELAY_LIMIT = 500
const HOUR_MS = 3_600_000
const EXPIRE_LIMIT = 1_000

export function createRetryScheduler(config: SchedulerConfig, deps: SchedulerDeps): Service {
  const { pool, bus, log, metrics } = deps
  const announceDue = createAnnounceDue(bus)
  const holder = randomUUID()
  let leaderUntil = 0
  const isLeader = (): boolean => performance.now() < leaderUntil

  function ticker(what: string, everyMs: number, work: () => Promise<NextRound>): Ticker {
    return createTicker(
      { name: what, everyMs, onError: (error) => log.warn(`scheduler.${what}-failed`, { error }) },
      work,
    )
  }

  async function holdLeadership(): Promise<void> {
    const askedAt = performance.now()
    const held = await acquireLeadership(pool, LEASE_NAME, holder, LEASE_MS)
    const isNew = held !== isLeader()
    if (isNew) log.info('scheduler.leadership', { leader: held })
    leaderUntil = held ? askedAt + LEASE_MS : 0
    metrics.set('posthorn_scheduler_leader', {}, held ? 1 : 0)
    if (isNew) sweeps.wake()
  }

  async function sweepOnce(): Promise<NextRound> {
    if (!isLeader()) return 'sleep'
    return await sweep({
      sweepDue: (limit) => sweepDue(pool, limit),
      writable: () => bus.writable(),
      announceEvents: (messages) => void bus.announce('event.accepted', messages),
      announceDue,
      announcePolls: (messages) => void bus.announce('poll.ready', messages),
      count: (kind, by) => metrics.count('posthorn_announced_total', { kind }, by),
    })
  }

  let relayedTo: string | null = null

  async function relay(): Promise<NextRound> {
    if (!isLeader() || !bus.writable()) return false
    const relayed = await relayOperationalEvents(pool, RELAY_LIMIT, relayedTo)
    relayedTo = relayed.last
    if (relayed.events.length > 0) bus.announce('event.accepted', relayed.events)
    metrics.count('posthorn_announced_total', { kind: 'event' }, relayed.events.length)
    return relayed.rows > 0
  }

  async function reportDepth(): Promise<void> {
    if (!isLeader()) return
    const depth = await readQueueDepth(pool)
    metrics.set('posthorn_queue_depth', { kind: 'due' }, depth.due)
    metrics.set('posthorn_queue_depth', { kind: 'scheduled' }, depth.scheduled)
    metrics.set('posthorn_queue_depth', { kind: 'parked' }, depth.parked)
    metrics.set('posthorn_oldest_due_age_seconds', {}, depth.oldestDueSeconds)
  }

  async function mend(): Promise<void> {
    if (!isLeader()) return
    const mended = await repairBacklogs(pool)
    if (mended > 0) log.warn('scheduler.backlogs-mended', { mended })
    const lanes = await repairLanes(pool)
    if (lanes > 0) log.warn('scheduler.lanes-mended', { lanes })
    if (mended + lanes > 0) sweeps.wake()
  }

  async function upkeep(): Promise<boolean> {
    await ensurePartitions(pool, new Date(deps.now()))
    return (await expireParked(pool, config.maxHoldDays, EXPIRE_LIMIT)) >= EXPIRE_LIMIT
  }

  async function retain(): Promise<boolean> {
    if (!isLeader()) return false
    const { more, ...gone } = await applyRetention(pool, new Date(deps.now()))
    const endpoints = await purgeEndpoints(pool)
    if (gone.dropped.length + gone.events + gone.attempts + endpoints > 0)
      log.info('retention.applied', { ...gone, endpoints })
    return more
  }

  const leadership = ticker('leadership', RENEW_MS, holdLeadership)
  const sweeps = ticker('sweep', SWEEP_MS, sweepOnce)
  const work = [
    sweeps,
    ticker('depth', DEPTH_MS, reportDepth),
    ticker('mend', MEND_MS, mend),
    ticker('operational-events', RELAY_MS, relay),
    ticker('upkeep', HOUR_MS, upkeep),
    ticker('retention', HOUR_MS, retain),
  ]

  let listener: Listener | undefined
  return {
    name: 'retry-scheduler',
    async start() {
      await holdLeadership()
      for (const one of [leadership, ...work]) one.start()
      // In this process or in another. Without it, it is swept `DUE_SOON_MS` later at worst.
      listener = listen({
        bus,
        group: 'retry-scheduler',
        topic: 'due.soon',
        onMessage: sweeps.wake,
        onError: (error) => log.warn('scheduler.not-listening', { error }),
      })
    },
    async stop() {
      await listener?.stop()
      await Promise.all([leadership, ...work].map((one) => one.stop()))
      leaderUntil = 0
      await resignLeadership(pool, LEASE_NAME, holder).catch((error: unknown) =>
        log.warn('scheduler.lease-kept', { error }),
      )
    },
  }
}
