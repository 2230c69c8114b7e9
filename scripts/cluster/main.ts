/**
 * `npm run cluster`: every service as a process of its own behind one gateway port, on a real
 * Postgres, Redis and Kafka. What runs is in `cluster.json` in `DATA_DIR`: `{url, apiKey, stores,
 * processes}`.
 */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMutex } from '@posthorn/async/mutex'
import {
  ensureDataDir,
  firstApiKey,
  masterKeys,
  writeUrl,
  writeWhole,
} from '@posthorn/boot/data-dir'
import { prepareDatabase } from '@posthorn/boot/prepare-database'
import { readSettings } from '@posthorn/runtime/config'
import { createLog } from '@posthorn/runtime/log'
import { createProcess, runUntilSignal } from '@posthorn/runtime/run'
import { freePort } from '@posthorn/local-stores/free-port'
import { type Gateway, startGateway } from './gateway.ts'
import { readInstances, SERVICES } from './options.ts'
import { type Ports, reservePorts } from './ports.ts'
import { type ClusterStores, startStores } from './stores.ts'
import { type Supervised, superviseService } from './supervisor.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A few seconds on a machine of its own; minutes beside much else on two processors. */
const READY_MS = 180_000

function say(line: string): void {
  process.stderr.write(`posthorn: ${line}\n`)
}

const settings = readSettings(process.env)
const instances = readInstances(process.argv.slice(2))
const log = createLog('cluster', settings.LOG_LEVEL)
const dataDir = resolve(settings.DATA_DIR)

let stores: ClusterStores | undefined
let ports: Ports | undefined
let services: Supervised[] = []
let gateway: Gateway | undefined
/** Chosen before the gateway listens, because the services tell it to others. */
const gatewayPort = settings.PORT === 0 ? await freePort() : settings.PORT
let apiKey = ''
const inTurn = createMutex()

async function startServices(): Promise<void> {
  await ensureDataDir(dataDir)
  stores = await startStores(
    dataDir,
    {
      databaseUrl: settings.DATABASE_URL,
      redisUrl: settings.REDIS_URL,
      kafkaBrokers: settings.KAFKA_BROKERS,
    },
    say,
    () => void describe(),
  )
  const keys = await masterKeys(dataDir, settings.MASTER_KEY, settings.MASTER_KEY_PREVIOUS)
  apiKey = await firstApiKey(dataDir, settings.BOOTSTRAP_API_KEY)
  const databaseUrl = settings.DATABASE_DIRECT_URL ?? stores.postgres.url
  await prepareDatabase({ databaseUrl, settings, masterKeys: keys, apiKey })
  const environment = {
    ...(process.env as Record<string, string>),
    // Ours stands in front of the services, beside those that stand in front of it.
    TRUSTED_PROXIES: String(settings.TRUSTED_PROXIES + 1),
    HOST: '127.0.0.1',
    DATABASE_URL: stores.postgres.url,
    REDIS_URL: stores.redis.url,
    KAFKA_BROKERS: stores.kafka.url,
    MASTER_KEY: keys[0] as string,
    BOOTSTRAP_API_KEY: apiKey,
    PUBLIC_URL: settings.PUBLIC_URL ?? url(),
  }
  say('starting the services ...')
  ports = await reservePorts()
  for (const service of SERVICES) {
    for (let instance = 0; instance < instances[service]; instance += 1) {
      const onStart = (): void => void describe()
      services.push(
        superviseService(service, await ports.next(), { root, environment, say, onStart }),
      )
    }
  }
  await Promise.all(services.map(untilReady))
}

async function untilReady({ service, port }: Supervised): Promise<void> {
  const deadline = performance.now() + READY_MS
  while (performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${service} was not ready within ${READY_MS / 1_000} s`)
}

async function openGateway(): Promise<void> {
  const upstreams = Object.fromEntries(
    SERVICES.map((service) => [
      service,
      services
        .filter((one) => one.service === service)
        .map(({ port }) => `http://127.0.0.1:${port}`),
    ]),
  )
  gateway = await startGateway({ host: settings.HOST, port: gatewayPort, upstreams })
  await writeUrl(dataDir, url())
  await describe()
  say(`the cluster runs at ${url()}\n\n  API key: ${apiKey}\n  docs:    ${url()}/docs\n`)
}

function url(): string {
  const host = settings.HOST === '0.0.0.0' || settings.HOST === '::' ? '127.0.0.1' : settings.HOST
  return `http://${host}:${gatewayPort}`
}

/** One after the other: processes that start together must not write over each other. */
async function describe(): Promise<void> {
  try {
    await inTurn(writeDescription)
  } catch (error) {
    log.warn('cluster.not-described', { error })
  }
}

/** Writes the file as a whole, so that a reader never sees half of it. */
async function writeDescription(): Promise<void> {
  if (gateway === undefined || stores === undefined) return
  const { postgres, redis, kafka } = stores
  const text = JSON.stringify(
    {
      url: url(),
      apiKey,
      stores: {
        postgres: { url: postgres.url, pid: postgres.pid },
        redis: { url: redis.url, pid: redis.pid },
        kafka: { url: kafka.url, pid: kafka.pid },
      },
      processes: services.map(({ service, pid, port }) => ({ service, pid, port })),
    },
    null,
    2,
  )
  await writeWhole(join(dataDir, 'cluster.json'), text)
}

const running = createProcess(
  [
    { name: 'stores', stop: async () => await stores?.stop() },
    {
      name: 'services',
      start: startServices,
      stop: async () => {
        await Promise.all(services.map((service) => service.stop()))
        services = []
        await ports?.close()
      },
    },
    { name: 'gateway', start: openGateway, stop: async () => await gateway?.close() },
  ],
  log,
)
await runUntilSignal(running, log)
