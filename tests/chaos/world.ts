/**
 * The world that the faults disturb: Posthorn's services as processes on a real Postgres, Redis and
 * Kafka, with a proxy in each connection where a round disturbs the network.
 */
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstApiKey, masterKeys } from '@posthorn/boot/data-dir'
import { prepareDatabase } from '@posthorn/boot/prepare-database'
import { readSettings } from '@posthorn/runtime/config'
import { openPool, type Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { freePort } from '@posthorn/testing/free-port'
import { type KafkaServer, startKafkaServer } from '@posthorn/testing/kafka-server'
import { startPostgresServer } from '@posthorn/testing/postgres-server'
import { startRedisServer } from '@posthorn/testing/redis-server'
import type { ServerHandle } from '@posthorn/testing/server-process'
import { startToxiproxy, type Toxiproxy } from '@posthorn/testing/toxiproxy'
import { type Gateway, startGateway } from '../../scripts/cluster/gateway.ts'
import { type Supervised, superviseService } from '../../scripts/cluster/supervisor.ts'
import { mountDisk } from './disk.ts'

export const WORLD_MODES = ['cluster', 'standalone'] as const
export type WorldMode = (typeof WORLD_MODES)[number]

/** Services that take over from one another have two processes. */
const SERVICES: Record<WorldMode, readonly string[]> = {
  cluster: [
    'ingest-api',
    'fanout',
    'dispatcher',
    'dispatcher',
    'retry-scheduler',
    'retry-scheduler',
    'portal-api',
  ],
  standalone: ['standalone'],
}
/** Additional dispatchers, which come and go. */
const SPARE_DISPATCHERS = 2
const READY_MS = 120_000
const POLL_VISIBILITY_MS = 3_000

export interface ServiceProcess extends Supervised {
  /**
   * For example `dispatcher-2`, whose links to the stores are `dispatcher-2:postgres` and so on.
   */
  name: string
}

export interface World {
  mode: WorldMode
  url: string
  apiKey: string
  processes: readonly ServiceProcess[]
  /** These do not run until they are started. */
  spares: readonly { name: string; start(): Supervised }[]
  postgres: ServerHandle
  /** Undefined in `standalone`. */
  redis: ServerHandle | undefined
  kafka: KafkaServer | undefined
  /** Undefined in a world without proxies. */
  toxiproxy: Toxiproxy | undefined
  /** Names of all proxies, including those to the endpoints and from the gateway. */
  links: readonly string[]
  /** Connects to Postgres directly, not through a proxy. */
  pool: Pool
  /** The folder of Postgres's own file system; undefined where it cannot be mounted. */
  disk: string | undefined
  /** The port of the endpoints, as dispatchers reach it. */
  receiverPort: number
  call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>
  /** What the supervisor said when services ended. */
  supervisorLines: string[]
  logPath: string
  stop(): Promise<void>
}

interface ProcessConfig {
  name: string
  service: string
  port: number
  environment: Record<string, string>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface WorldOptions {
  sinkPort: number
  /** Gives Postgres a file system of its own. */
  withDisk: boolean
  /**
   * Puts a proxy into each connection. Proxies cost an eighth of two processors, so only rounds
   * that disturb the network have them.
   */
  withProxies: boolean
}

export async function startWorld(mode: WorldMode, options: WorldOptions): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-chaos-'))
  // As root, Postgres runs as another user, who must be able to reach its files.
  await chmod(dataDir, 0o711)
  const closers: (() => Promise<unknown> | void)[] = [
    async () => await rm(dataDir, { recursive: true, force: true }),
  ]
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed())
      await Promise.resolve(close()).catch((error: unknown) =>
        process.stderr.write(`chaos: ${String(error)}\n`),
      )
  }
  try {
    return await build(mode, { ...options, dataDir, closers, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

export function proxiesOf({ toxiproxy }: World): Toxiproxy {
  if (toxiproxy === undefined) throw new Error('there are no proxies in this world')
  return toxiproxy
}

interface BuildContext extends WorldOptions {
  dataDir: string
  closers: (() => Promise<unknown> | void)[]
  stop(): Promise<void>
}

async function build(mode: WorldMode, site: BuildContext): Promise<World> {
  const { dataDir, closers } = site
  const toxiproxy = site.withProxies ? await startToxiproxy() : undefined
  closers.push(() => toxiproxy?.stop())
  const services = [...SERVICES[mode]]
  const spareCount = mode === 'cluster' ? SPARE_DISPATCHERS : 0
  services.push(...Array.from({ length: spareCount }, () => 'dispatcher'))
  const names = services.map((service, at) => {
    const before = services.slice(0, at).filter((one) => one === service).length
    return services.filter((one) => one === service).length > 1
      ? `${service}-${before + 1}`
      : service
  })
  const kafkaListeners = await Promise.all(
    names.map(async () => {
      const port = await freePort()
      return { port, advertisedPort: site.withProxies ? await freePort() : port }
    }),
  )
  const disk = site.withDisk ? await mountDisk(join(dataDir, 'disk'), closers) : undefined
  const stores = await startStores(mode, disk ?? join(dataDir, 'postgres'), kafkaListeners)
  const { postgres, redis, kafka } = stores
  closers.push(async () => {
    await Promise.allSettled([postgres.stop(), redis?.stop(), kafka?.stop()])
  })

  const links: string[] = []
  async function link(name: string, to: number, port?: number): Promise<number> {
    if (toxiproxy === undefined) return to
    links.push(name)
    return await toxiproxy.addProxy(name, to, port)
  }
  const receiverPort = await link('receivers', site.sinkPort)
  const apiKey = await firstApiKey(dataDir, undefined)
  const keys = await masterKeys(dataDir, undefined, [])
  const settings = readSettings({})
  await prepareDatabase({ databaseUrl: postgres.url, settings, masterKeys: keys, apiKey })

  const wirings: ProcessConfig[] = []
  for (const [at, name] of names.entries()) {
    const listener = kafkaListeners[at] as { port: number; advertisedPort: number }
    const environment: Record<string, string> = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      POLL_VISIBILITY_TIMEOUT_MS: String(POLL_VISIBILITY_MS),
      MASTER_KEY: keys[0] as string,
      BOOTSTRAP_API_KEY: apiKey,
      DATA_DIR: join(dataDir, 'standalone'),
      DATABASE_URL: await through(postgres.url, (to) => link(`${name}:postgres`, to)),
    }
    if (redis !== undefined)
      environment.REDIS_URL = await through(redis.url, (to) => link(`${name}:redis`, to))
    if (kafka !== undefined) {
      await link(`${name}:kafka`, listener.port, listener.advertisedPort)
      environment.KAFKA_BROKERS = `127.0.0.1:${listener.advertisedPort}`
    }
    wirings.push({ name, service: services[at] as string, port: await freePort(), environment })
  }

  const logPath = join(dataDir, 'services.log')
  const output = openSync(logPath, 'a')
  closers.push(() => closeSync(output))
  const said: string[] = []
  const say = (line: string): void => void said.push(`${new Date().toISOString()} ${line}`)
  const launch = ({ service, port, environment }: ProcessConfig): Supervised =>
    superviseService(service, port, { root, environment, say, onStart: () => {}, output })

  const own = wirings.slice(0, wirings.length - spareCount)
  const nodes = own.map((wiring) => {
    const running = launch(wiring)
    closers.push(() => running.stop())
    return Object.defineProperty({ ...running, name: wiring.name }, 'pid', {
      get: () => running.pid,
    })
  })
  await eventually(async () => await allReady(own), { timeoutMs: READY_MS, everyMs: 100 })
  const { url, gateway } = await openFront(mode, own, link)
  closers.push(() => gateway?.close())
  const pool = openPool({ url: postgres.url, max: 2, name: 'chaos', onError: () => {} })
  closers.push(() => pool.end())

  return {
    mode,
    url,
    apiKey,
    processes: nodes,
    postgres,
    redis,
    kafka,
    toxiproxy,
    links,
    pool,
    disk,
    receiverPort,
    supervisorLines: said,
    logPath,
    stop: site.stop,
    spares: wirings
      .slice(own.length)
      .map((wiring) => ({ name: wiring.name, start: () => launch(wiring) })),
    call: async (method, path, body) => await call(url + path, apiKey, method, body),
  }
}

async function startStores(
  mode: WorldMode,
  postgresDir: string,
  listeners: readonly { port: number; advertisedPort: number }[],
) {
  const [postgres, redis, kafka] = await Promise.all([
    startPostgresServer({ dataDir: postgresDir }),
    mode === 'cluster' ? startRedisServer() : undefined,
    mode === 'cluster' ? startKafkaServer({ listeners }) : undefined,
  ])
  return { postgres, redis, kafka }
}

/**
 * The address that events are posted to: in the cluster a gateway with each service behind a proxy,
 * in `standalone` the process itself.
 */
async function openFront(
  mode: WorldMode,
  wirings: readonly ProcessConfig[],
  link: (name: string, to: number) => Promise<number>,
): Promise<{ url: string; gateway?: Gateway }> {
  if (mode === 'standalone') return { url: `http://127.0.0.1:${wirings[0]?.port}` }
  const upstreams: Record<string, string[]> = {}
  for (const { name, service, port } of wirings) {
    const via = ['ingest-api', 'portal-api'].includes(service)
      ? await link(`gateway:${name}`, port)
      : port
    ;(upstreams[service] ??= []).push(`http://127.0.0.1:${via}`)
  }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  return { url: `http://127.0.0.1:${gateway.port}`, gateway }
}

/** The same address, through a proxy. */
async function through(url: string, link: (to: number) => Promise<number>): Promise<string> {
  const address = new URL(url)
  const port = await link(Number(address.port))
  return url.replace(`:${address.port}`, `:${port}`)
}

async function allReady(wirings: readonly ProcessConfig[]): Promise<void> {
  for (const { name, port } of wirings) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${name} is not ready: ${answer.status}`)
  }
}

async function call(url: string, apiKey: string, method: string, body?: object) {
  const response = await fetch(url, {
    method,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}
