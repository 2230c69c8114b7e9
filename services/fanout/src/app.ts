/**
 * The fanout service: reads `event.accepted`, writes deliveries, announces them. It keeps nothing
 * in memory that must not be lost: a message counts as done once its deliveries are written, and
 * what fails is announced again when its `due_at` comes.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createAnnounceDue } from '@posthorn/bus/announce-due'
import type { Bus, Reader } from '@posthorn/bus/bus'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import type { CompiledFilter, Condition } from '@posthorn/domain/filter'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Tracing } from '@posthorn/runtime/tracing'
import type { Service } from '@posthorn/runtime/service'
import { createTicker } from '@posthorn/async/ticker'
import { within } from '@posthorn/async/within'
import {
  fanOut,
  fanOutInOrder,
  readOldestWaiting,
  readWaitingEvents,
} from '@posthorn/store/pipeline/fan-out'
import { countFanOutFailures } from '@posthorn/store/pipeline/fan-out-failures'
import type { Pool } from '@posthorn/store/pool'
import { createTenantCache } from '@posthorn/store/tenant-cache'
import { createBatches } from './batches.ts'
import { createFanOutEvents } from './fan-out-events.ts'
import { createFilterCache } from './filter-cache.ts'
import { createLeaveTime, type LeaveTime } from './leave-time.ts'
import { indexSubscriptions } from './match-endpoints.ts'
import {
  readSmallSubscriptions,
  type ReadSubscriptions,
  readSubscriptions,
} from './read-subscriptions.ts'
import { createTenantQueues, MAX_QUEUED } from './tenant-queues.ts'
import { createWritePlans } from './write-plans.ts'

export interface FanoutDeps {
  pool: Pool
  bus: Bus
  log: Log
  metrics: Metrics
  tracing?: Tracing | undefined
}

const REFRESH_MS = 1_000

function now(): number {
  return performance.now()
}

export function createFanout({ pool, bus, log, metrics, tracing }: FanoutDeps): Service {
  const cache = createSubscriptionCache(pool)
  const queues = createTenantQueues()
  const leaveTime = leaveTimeCounted(metrics)
  const fanOutEvents = createFanOutEvents({
    queues,
    readWaiting: (events) => readWaitingEvents(pool, events),
    readOldest: (tenants) => readOldestWaiting(pool, tenants),
    subscriptionsOf: (event) => cache.get(event.tenantId, event.configVersion),
    hasLanes: async (tenantId) => (await cache.get(tenantId)).hasLanes,
    giveWay: () => setImmediate(),
    now,
    write: createWritePlans({
      fanOut: (events) => fanOut(pool, events),
      fanOutInOrder: (tenantId, events) => fanOutInOrder(pool, tenantId, events),
      announceDue: createAnnounceDue(bus),
      announcePolls: (messages) => void bus.announce('poll.ready', messages),
      leaveTime: leaveTime.after,
      log,
      count: (events) => metrics.count('posthorn_events_fanned_out_total', {}, events),
      tracing,
    }),
    countFailures: (failures) => countFanOutFailures(pool, failures),
    wake: () => batches.wake(),
    log,
  })
  const batches = createBatches(queues, fanOutEvents, (error) =>
    log.error('fanout.batch-failed', { error }),
  )
  const refresh = createTicker(
    {
      name: 'subscriptions',
      everyMs: REFRESH_MS,
      onError: (error) => log.warn('fanout.refresh-failed', { error }),
    },
    () => cache.refresh(),
  )
  let reader: Reader | undefined
  let changes: Listener | undefined

  return {
    name: 'fanout',
    async start() {
      refresh.start()
      changes = listenForConfigChanges({
        bus,
        group: 'fanout',
        onChange: cache.invalidate,
        others: { 'flood.congested': leaveTime.congested },
        onError: (error) => log.warn('fanout.not-listening', { error }),
      })
      reader = await bus.subscribe({
        group: 'fanout',
        topics: ['event.accepted'],
        maxInFlight: MAX_QUEUED,
        // Events that do not fit or fail are left to `due_at`: the scheduler announces them again.
        onMessages(_topic, messages) {
          for (const { value, done } of messages) {
            batches.enqueue({ tenantId: value.tenantId, eventId: value.eventId, done })
          }
        },
      })
    },
    async stop(timeoutMs) {
      reader?.pause()
      await within(timeoutMs, batches.idle())
      batches.stop()
      await Promise.all([reader?.stop(), changes?.stop()])
      await refresh.stop()
    },
  }
}

function leaveTimeCounted(metrics: Metrics): LeaveTime {
  return createLeaveTime({
    now,
    pause: (ms) => setTimeout(ms),
    count: (seconds) => metrics.count('posthorn_flood_pause_seconds_total', {}, seconds),
  })
}

function createSubscriptionCache(pool: Pool) {
  const compileCached = createFilterCache()
  const index = async (tenantId: string, read: ReadSubscriptions) => {
    const { endpoints, connectors, version, bytes } = read
    const compile = (conditions: readonly Condition[], endpointId: string): CompiledFilter =>
      compileCached(tenantId, `${endpointId} ${version}`, conditions)
    return { version, bytes, value: await indexSubscriptions(endpoints, compile, connectors) }
  }
  return createTenantCache(pool, {
    load: async (tenantId) => await index(tenantId, await readSubscriptions(pool, tenantId)),
    async loadSmall(tenantIds) {
      const found = [...(await readSmallSubscriptions(pool, tenantIds))]
      return new Map(
        await Promise.all(
          found.map(async ([tenantId, read]) => [tenantId, await index(tenantId, read)] as const),
        ),
      )
    },
  })
}
