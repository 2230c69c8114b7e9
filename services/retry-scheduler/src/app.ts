/**
 * The retry-scheduler: the only timer of the system. It announces what is due (back-offs and delays
 * whose time has come, leases that ended with nobody having acted), and keeps the store in shape.
 * One instance does so at a time, under a lease; the others stand by. Two at once would do no harm.
 * In `standalone`, whose database is its own, there is no lease.
 */
import { createLeadership, leadAlone } from '@posthorn/boot/leadership'
import { createAnnounceDue } from '@posthorn/bus/announce-due'
import type { Bus } from '@posthorn/bus/bus'
import { listen, type Listener } from '@posthorn/bus/listen'
import { DUE_SOON_MS } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { createTicker, type NextRound, type Ticker } from '@posthorn/async/ticker'
import { ensurePartitions } from '@posthorn/store/partitions'
import { repairBacklogs } from '@posthorn/store/pipeline/backlogs'
import { expireParked } from '@posthorn/store/pipeline/expire-parked'
import { repairLanes } from '@posthorn/store/pipeline/lanes'
import { relayOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'
import { readQueueDepth } from './queue-depth.ts'
import { sweep, SWEEP_MS } from './sweep.ts'

export interface SchedulerConfig {
  maxHoldDays: number
  /** No other instance works on the database, which the process sees to itself. */
  isAlone?: boolean
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
const REPAIR_MS = 60_000
/** How late an operational event is at worst. */
const RELAY_MS = 1_000
const RELAY_LIMIT = 500
const HOUR_MS = 3_600_000
const EXPIRE_LIMIT = 1_000

export function createRetryScheduler(config: SchedulerConfig, deps: SchedulerDeps): Service {
  const { pool, bus, log, metrics } = deps

  const onError = (what: string) => (error: unknown) =>
    log.warn(`scheduler.${what}-failed`, { error })

  function ticker(what: string, everyMs: number, work: () => Promise<NextRound>): Ticker {
    return createTicker({ name: what, everyMs, onError: onError(what) }, work)
  }

  function onChange(leads: boolean): void {
    metrics.set('posthorn_scheduler_leader', {}, leads ? 1 : 0)
    sweeps.wake()
  }

  const leadership = config.isAlone
    ? leadAlone(onChange)
    : createLeadership({ name: LEASE_NAME, leaseMs: LEASE_MS }, { pool, log, onChange })
  const { isLeader } = leadership
  const sweepOnce = createSweep(deps)
  const sweeps = createTicker(
    { name: 'sweep', everyMs: SWEEP_MS, afterErrorMs: DUE_SOON_MS, onError: onError('sweep') },
    async () => (isLeader() ? await sweepOnce() : 'sleep'),
  )
  const leading = ticker('leadership', RENEW_MS, leadership.renew)
  const relay = createRelay(deps)
  const tickers = [
    ...(config.isAlone ? [] : [leading]),
    sweeps,
    ticker('depth', DEPTH_MS, async () => {
      if (isLeader()) await reportDepth(deps)
    }),
    ticker('repair', REPAIR_MS, async () => {
      if (isLeader() && (await repair(deps))) sweeps.wake()
    }),
    ticker('operational-events', RELAY_MS, async () =>
      isLeader() && bus.writable() ? await relay() : false,
    ),
    ticker('upkeep', HOUR_MS, async () => {
      await ensurePartitions(pool, new Date(deps.now()))
      return (await expireParked(pool, config.maxHoldDays, EXPIRE_LIMIT)) >= EXPIRE_LIMIT
    }),
  ]

  let listener: Listener | undefined
  return {
    name: 'retry-scheduler',
    async start() {
      await leadership.renew()
      for (const one of tickers) one.start()
      // The announcement may come from this process or another. When it is lost, what is due is
      // swept `DUE_SOON_MS` later at worst.
      listener = listen({
        bus,
        group: 'retry-scheduler',
        on: { 'due.soon': sweeps.wake },
        onError: (error) => log.warn('scheduler.not-listening', { error }),
      })
    },
    async stop() {
      await listener?.stop()
      await Promise.all(tickers.map((one) => one.stop()))
      await leadership.resign()
    },
  }
}

function createSweep({ pool, bus, metrics }: SchedulerDeps): () => Promise<NextRound> {
  const announceDue = createAnnounceDue(bus)
  return async () =>
    await sweep({
      sweepDue: (limit) => sweepDue(pool, limit),
      writable: () => bus.writable(),
      announceEvents: (messages) => void bus.announce('event.accepted', messages),
      announceDue,
      announcePolls: (messages) => void bus.announce('poll.ready', messages),
      count: (kind, by) => metrics.count('posthorn_announced_total', { kind }, by),
    })
}

/** Turns operational events into events, from tenant to tenant. */
function createRelay({ pool, bus, metrics }: SchedulerDeps): () => Promise<boolean> {
  let lastTenant: string | null = null
  return async () => {
    const relayed = await relayOperationalEvents(pool, RELAY_LIMIT, lastTenant)
    lastTenant = relayed.last
    if (relayed.events.length > 0) bus.announce('event.accepted', relayed.events)
    metrics.count('posthorn_announced_total', { kind: 'event' }, relayed.events.length)
    return relayed.rows > 0
  }
}

async function reportDepth({ pool, metrics }: SchedulerDeps): Promise<void> {
  const depth = await readQueueDepth(pool)
  metrics.set('posthorn_queue_depth', { kind: 'due' }, depth.due)
  metrics.set('posthorn_queue_depth', { kind: 'scheduled' }, depth.scheduled)
  metrics.set('posthorn_queue_depth', { kind: 'parked' }, depth.parked)
  metrics.set('posthorn_oldest_due_age_seconds', {}, depth.oldestDueSeconds)
}

/** @returns whether anything had to be repaired: it is due now */
async function repair({ pool, log }: SchedulerDeps): Promise<boolean> {
  const backlogs = await repairBacklogs(pool)
  if (backlogs > 0) log.warn('scheduler.backlogs-repaired', { backlogs })
  const lanes = await repairLanes(pool)
  if (lanes > 0) log.warn('scheduler.lanes-repaired', { lanes })
  return backlogs + lanes > 0
}
