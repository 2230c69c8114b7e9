/**
 * The fanout service: reads `event.accepted`, writes deliveries, announces them. It holds nothing that must not be lost:
 * a message counts as done once its deliveries are written, and what fails is announced again when its `due_at` comes.
 */
import { setImmediate } from 'node:timers/promises'
import type { Bus, Reader, Received } from '@posthorn/bus/bus'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import type { EventAccepted } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { createTicker } from '@posthorn/runtime/ticker'
import { within } from '@posthorn/runtime/within'
import { createGroupCommit } from '@posthorn/store/group-commit'
import { fanOut, fanOutInOrder, readWaitingEvents } from '@posthorn/store/pipeline/fan-out'
import type { Pool } from '@posthorn/store/pool'
import { createTenantCache } from '@posthorn/store/tenant-cache'
import { createFanOutEvents } from './fan-out-events.ts'
import { indexSubscriptions } from './match-endpoints.ts'
import { readSubscriptions } from './read-subscriptions.ts'

export interface FanoutDeps {
  pool: Pool
  bus: Bus
  log: Log
  metrics: Metrics
}

/** As many as one statement takes; reading stops at four times as many that are not written. */
const MAX_BATCH = 200
const MAX_IN_FLIGHT = 4 * MAX_BATCH
const REFRESH_MS = 1_000
/** What filters may hold the event loop for; only one that takes this long by itself holds it longer. */
const MAX_SLICE_MS = 10

export function createFanout({ pool, bus, log, metrics }: FanoutDeps): Service {
  const cache = createTenantCache(pool, async (tenantId) => {
    const { value, ...read } = await readSubscriptions(pool, tenantId)
    return { ...read, value: indexSubscriptions(value) }
  })
  const fanOutEvents = createFanOutEvents({
    readWaiting: (events) => readWaitingEvents(pool, events),
    subscriptionsOf: (event) => cache.get(event.tenantId, event.configVersion),
    hasLanes: async (tenantId) => (await cache.get(tenantId)).hasLanes,
    giveWay: createGiveWay(),
    fanOut: (events) => fanOut(pool, events),
    fanOutInOrder: (tenantId, limit, plan) => fanOutInOrder(pool, tenantId, limit, plan),
    announce: (topic, messages) => void bus.announce(topic, messages),
    announcePolls: (messages) => void bus.announce('poll.ready', messages),
    log,
    count: (events) => metrics.count('posthorn_events_fanned_out_total', {}, events),
  })
  // Messages that come while a batch is written form the next one.
  const batches = createGroupCommit<EventAccepted, void>(
    { maxBatch: MAX_BATCH, maxQueue: MAX_IN_FLIGHT * 2, writers: 1 },
    async (events) => {
      await fanOutEvents(events)
      return []
    },
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

  function take(received: Received<EventAccepted>): void {
    // What fails or does not fit is left to `due_at`: the scheduler announces the event again.
    const { eventId } = received.value
    const written = batches.add(received.value) ?? Promise.reject(new Error('the queue is full'))
    written
      .catch((error: unknown) => log.error('event.fan-out-failed', { eventId, error }))
      .finally(() => received.done())
  }

  return {
    name: 'fanout',
    async start() {
      refresh.start()
      changes = listenForConfigChanges({
        bus,
        group: 'fanout',
        onChange: cache.invalidate,
        onError: (error) => log.warn('fanout.not-listening', { error }),
      })
      reader = await bus.subscribe({
        group: 'fanout',
        topics: ['event.accepted'],
        maxInFlight: MAX_IN_FLIGHT,
        onMessages: (_topic, messages) => messages.forEach(take),
      })
    },
    async stop(timeoutMs) {
      reader?.pause()
      await within(timeoutMs, batches.idle())
      await Promise.all([reader?.stop(), changes?.stop()])
      await refresh.stop()
    },
  }
}

function createGiveWay(): () => Promise<void> | undefined {
  let since = performance.now()
  async function giveWay(): Promise<void> {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < MAX_SLICE_MS ? undefined : giveWay())
}
