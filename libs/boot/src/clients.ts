/**
 * Opens the clients that a service's flows are wired to, from the settings: Kafka and Redis where
 * they are given, else their in-process stand-ins, which only `standalone` may use.
 */
import type { Bus, BusEvents } from '@posthorn/bus/bus'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { createKafkaBus } from '@posthorn/bus/kafka-bus'
import type { Settings } from '@posthorn/runtime/config'
import { markWork } from '@posthorn/async/current-work'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Part } from '@posthorn/runtime/run'
import type { HealthCheck } from '@posthorn/runtime/service'
import { createProgressWatch, LOOK_EVERY_MS } from '@posthorn/runtime/progress-watch'
import type { Tracing } from '@posthorn/runtime/tracing'
import { createStallWatch } from '@posthorn/runtime/stall-watch'
import { createTicker } from '@posthorn/async/ticker'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { createRedisState } from '@posthorn/state/redis-state'
import type { StateStore } from '@posthorn/state/state-store'
import { createDatabaseClock, type DatabaseClock } from '@posthorn/store/clock'
import type { Fence } from '@posthorn/store/fence'
import { checkPool, openPool, type Pool } from '@posthorn/store/pool'
import { createSeal, type Seal } from '@posthorn/store/seal'
import { openTracing } from './open-tracing.ts'
import { databaseAccess, kafkaAccess, redisAccess } from './store-access.ts'

export interface Clients {
  settings: Settings
  databaseUrl: string
  /** `databaseUrl` leads through a pooler that lends a session for one transaction. */
  isPooled: boolean
  log: Log
  metrics: Metrics
  pool: Pool
  /** Its sessions are its own for as long as they are borrowed, also where `pool` has a pooler. */
  sessionPool: Pool
  /** For groups of events with large payloads, where `pool` is slow with them. */
  bulkPool?: Pool | undefined
  bus: Bus
  state: StateStore
  seal: Seal
  clock: DatabaseClock
  /** Set in `standalone`, all of whose connections to Postgres are behind it. */
  fence?: Fence | undefined
  /** undefined: no collector is set. */
  tracing: Tracing | undefined
  tracingParts: Part[]
}

export interface ClientsConfig {
  service: string
  settings: Settings
  databaseUrl: string
  masterKeys: readonly string[]
  poolSize: number
  /**
   * The same database over TCP, where `databaseUrl` names its Unix socket: such a socket takes some
   * 200 KiB at a time, and then waits until they have been read.
   */
  bulkUrl?: string | undefined
  fence?: Fence
}

const FOLLOW_CLOCK_MS = 1_000
/** Retention keeps one for its locks and works on another. */
const SESSIONS = 2
/** For ingest-api and inbound-receiver, each of which writes one group at a time. */
const BULK_CONNECTIONS = 2

export async function openClients(
  config: ClientsConfig,
  log: Log,
  metrics: Metrics,
): Promise<Clients> {
  const { service, settings, databaseUrl, fence } = config
  const { directUrl, isPooled } = databaseAccess(settings, databaseUrl)
  const poolConfig = {
    name: `posthorn ${service}`,
    onError: (error: unknown) => log.warn('postgres.connection-lost', { error }),
    fence,
  }
  const pool = openPool({ ...poolConfig, url: databaseUrl, max: config.poolSize, isPooled })
  // It connects when it is first used, which few services do.
  const sessionPool = isPooled ? openPool({ ...poolConfig, url: directUrl, max: SESSIONS }) : pool
  const bulkPool =
    config.bulkUrl === undefined
      ? undefined
      : openPool({ ...poolConfig, url: config.bulkUrl, max: BULK_CONNECTIONS })
  const events = busEvents(log, metrics)
  const bus =
    settings.KAFKA_BROKERS.length > 0
      ? await createKafkaBus(kafkaAccess(settings, `posthorn-${service}`), events)
      : createInProcessBus({}, events)
  const state =
    settings.REDIS_URL === undefined
      ? createInProcessState()
      : await createRedisState(redisAccess(settings, settings.REDIS_URL), {
          onError: (error, doing) => log.warn('redis.failed', { doing, error }),
        })
  const clock = await createDatabaseClock(pool, {
    onStep({ clock: which, ms }) {
      metrics.count('posthorn_clock_steps_total', { clock: which })
      log.warn('clock.stepped', { clock: which, ms: Math.round(ms) })
    },
  })
  watch(metrics, pool, bus)
  return {
    settings,
    databaseUrl,
    isPooled,
    log,
    metrics,
    pool,
    sessionPool,
    bulkPool,
    bus,
    state,
    seal: createSeal(config.masterKeys),
    clock,
    fence,
    ...(await openTracing(settings, service, log)),
  }
}

/** They are closed from the last to the first: the stores go after everything that uses them. */
export function clientParts(clients: Clients): Part[] {
  const { bus, state, clock, log, metrics } = clients
  const measure = createTicker(
    {
      name: 'clock',
      everyMs: FOLLOW_CLOCK_MS,
      onError: (error) => log.warn('clock.not-measured', { error }),
    },
    () => clock.follow(),
  )
  return [
    createStallWatch({ log, metrics }),
    ...clients.tracingParts,
    { name: 'postgres', stop: () => endPools(clients) },
    { name: 'state', stop: () => state.close() },
    { name: 'bus', stop: (timeoutMs) => bus.close(timeoutMs) },
    watchProgress(clients),
    { name: 'clock', start: async () => measure.start(), stop: () => measure.stop() },
  ]
}

async function endPools({ pool, sessionPool, bulkPool }: Clients): Promise<void> {
  await pool.end()
  await bulkPool?.end()
  if (sessionPool !== pool) await sessionPool.end()
}

export function healthChecks({ pool, bus, state }: Clients): HealthCheck[] {
  return [
    { name: 'postgres', check: () => checkPool(pool) },
    { name: 'redis', check: () => state.check() },
    { name: 'kafka', check: () => bus.check() },
  ]
}

function busEvents(log: Log, metrics: Metrics): BusEvents {
  return {
    onPoison({ group, topic, kind, reason, value }) {
      metrics.count('posthorn_bus_poison_total', { group, topic, reason: kind })
      log.error('bus.poison', { group, topic, reason, value: value.slice(0, 1_000) })
    },
    onHandOver: (topic, tenantId) => markWork(topic, tenantId),
    onError: (error, doing) => log.warn('bus.failed', { doing, error }),
    onFatal(error) {
      log.error('bus.dead', { error })
      log.flush()
      // Nothing in this process can bring reading back; whoever runs the process starts it again.
      process.exit(1)
    },
  }
}

/**
 * A consumer that is stuck is of no use to anybody, and whoever runs the process starts it again.
 */
function watchProgress(clients: Clients): Part {
  const { bus, log } = clients
  const look = createProgressWatch({
    progress: () => bus.progress(),
    async storesAreWell() {
      const checks = await Promise.all(healthChecks(clients).map(({ check }) => check()))
      return checks.every(({ ok }) => ok)
    },
    onStuck(reason) {
      log.error('bus.stuck', { reason })
      log.flush()
      process.exit(1)
    },
  })
  const onError = (error: unknown) => log.warn('bus.progress-not-known', { error })
  const ticker = createTicker({ name: 'progress', everyMs: LOOK_EVERY_MS, onError }, look)
  return { name: 'progress', start: async () => ticker.start(), stop: () => ticker.stop() }
}

function watch(metrics: Metrics, pool: Pool, bus: Bus): void {
  metrics.onScrape(() => {
    metrics.set('posthorn_pool_connections', { state: 'total' }, pool.totalCount)
    metrics.set('posthorn_pool_connections', { state: 'idle' }, pool.idleCount)
    metrics.set('posthorn_pool_connections', { state: 'waiting' }, pool.waitingCount)
    for (const { group, topic, messages } of bus.lag()) {
      metrics.set('posthorn_consumer_lag', { group, topic }, messages)
    }
  })
}
