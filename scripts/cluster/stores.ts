/**
 * Provides a real Postgres, Redis and Kafka for the cluster: those that the settings name, else its
 * own on loopback, whose files are in `DATA_DIR`. One of its own that dies is started again.
 */
import { join } from 'node:path'
import { isRunning } from '@posthorn/runtime/processes'
import { createTicker } from '@posthorn/async/ticker'
import { startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { startPostgresServer } from '@posthorn/local-stores/postgres-server'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'

export interface ClusterStores {
  postgres: ClusterStore
  redis: ClusterStore
  kafka: ClusterStore
  stop(): Promise<void>
}

export interface ClusterStore {
  readonly url: string
  /** 0: it is not ours, or just being started again. */
  readonly pid: number
}

export interface GivenStores {
  databaseUrl: string | undefined
  redisUrl: string | undefined
  kafkaBrokers: readonly string[]
}

const WATCH_MS = 500

export async function startStores(
  dataDir: string,
  given: GivenStores,
  say: (line: string) => void,
  onRestart: () => void,
): Promise<ClusterStores> {
  const own: { name: string; handle: ServerHandle }[] = []

  async function store(
    name: string,
    url: string | undefined,
    start: () => Promise<ServerHandle>,
  ): Promise<ClusterStore> {
    if (url !== undefined) return { url, pid: 0 }
    say(`starting ${name} ...`)
    const handle = await start()
    own.push({ name, handle })
    return handle
  }

  const brokers = given.kafkaBrokers.length > 0 ? given.kafkaBrokers.join(',') : undefined
  const settle = await Promise.allSettled([
    store('Postgres', given.databaseUrl, () => startPostgresServer({ dataDir })),
    store('Redis', given.redisUrl, () => startRedisServer({ dataDir: join(dataDir, 'redis') })),
    store('Kafka', brokers, () => startKafkaServer({ dataDir: join(dataDir, 'kafka') })),
  ])
  const failed = settle.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await stopAll()
    throw failed.reason
  }
  const [postgres, redis, kafka] = settle.map(
    (result) => (result as PromiseFulfilledResult<ClusterStore>).value,
  )
  const watch = createTicker(
    {
      name: 'stores',
      everyMs: WATCH_MS,
      onError: (error) => say(`a store could not be started: ${String(error)}`),
    },
    repair,
  )
  watch.start()

  async function repair(): Promise<void> {
    for (const { name, handle } of own) {
      if (handle.pid > 0 && isRunning(handle.pid)) continue
      say(`${name} has died: starting it again`)
      await handle.restart()
      onRestart()
    }
  }

  async function stopAll(): Promise<void> {
    await Promise.allSettled(own.map(({ handle }) => handle.stop()))
  }

  return {
    postgres: postgres as ClusterStore,
    redis: redis as ClusterStore,
    kafka: kafka as ClusterStore,
    async stop() {
      await watch.stop()
      await stopAll()
    },
  }
}
