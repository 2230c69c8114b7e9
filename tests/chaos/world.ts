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
import { freePort } from '@posthorn/local-stores/free-port'
import { type KafkaServer, startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { startPostgresServer } from '@posthorn/local-stores/postgres-server'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { startToxiproxy, type Toxiproxy } from '@posthorn/testing/toxiproxy'
import { type Supervised, superviseService } from '../../scripts/cluster/supervisor.ts'
import { callApi, OWN_SERVICES } from '../own-cluster.ts'
import { mountDisk } from './disk.ts'
import { openFront } from './open-front.ts'

export const WORLD_MODES = ['cluster', 'standalone', 'standby'] as const
export type WorldMode = (typeof WORLD_MODES)[number]

/** Services that take over from one another have two processes. */
const TWICE: readonly string[] = ['dispatcher', 'retry-scheduler', 'compliance']
const SERVICES: Record<WorldMode, readonly string[]> = {
  cluster: OWN_SERVICES.flatMap((one) => (TWICE.includes(one) ? [one, one] : [one])),
  standalone: ['standalone'],
  standby: ['standalone', 'standalone'],
}
const ARGUMENTS: Record<WorldMode, readonly string[]> = {
  cluster: [],
  standalone: [],
  standby: ['--standby'],
}
/** Additional dispatchers, which come and go. */
const SPARE_DISPATCHERS = 2
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
  /** Undefined unless there is a cluster. */
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
  endpointPort: number
  call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>
  /** What the supervisor said when services ended. */
  supervisorLines: string[]
  logPath: string
  stop(): Promise<void>
}

export interface ProcessConfig {
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
  const planned = await planProcesses(mode, site.withProxies)
  const disk = site.withDisk ? await mountDisk(join(dataDir, 'disk'), closers) : undefined
  const stores = await startStores(mode, disk ?? join(dataDir, 'postgres'), planned)
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
  const endpointPort = await link('endpoints', site.sinkPort)
  const apiKey = await firstApiKey(dataDir, undefined)
  const keys = await masterKeys(dataDir, undefined, [])
  const settings = readSettings({})
  await prepareDatabase({ databaseUrl: postgres.url, settings, masterKeys: keys, apiKey })
  const secrets = { MASTER_KEY: keys[0] as string, BOOTSTRAP_API_KEY: apiKey }
  const configs = await configureProcesses(planned, { dataDir, secrets, stores, link })

  const { launch, supervisorLines, logPath } = createLauncher(site, ARGUMENTS[mode])
  const isSpare = ({ name }: ProcessConfig): boolean =>
    planned.some((one) => one.name === name && one.isSpare)
  const own = configs.filter((config) => !isSpare(config))
  const processes = own.map((config) => {
    const running = launch(config)
    closers.push(() => running.stop())
    return Object.defineProperty({ ...running, name: config.name }, 'pid', {
      get: () => running.pid,
    })
  })
  const { url, close } = await openFront(mode, own, link)
  closers.push(close)
  const pool = openPool({ url: postgres.url, max: 2, name: 'chaos', onError: () => {} })
  closers.push(() => pool.end())

  return {
    mode,
    url,
    apiKey,
    processes,
    ...stores,
    toxiproxy,
    links,
    pool,
    disk,
    endpointPort,
    supervisorLines,
    logPath,
    stop: site.stop,
    spares: configs
      .filter(isSpare)
      .map((config) => ({ name: config.name, start: () => launch(config) })),
    call: async (method, path, body) => await callApi({ url, apiKey }, method, path, body),
  }
}

interface PlannedProcess {
  name: string
  service: string
  /** It runs only when a fault starts it. */
  isSpare: boolean
  /** The listener at which it reaches Kafka. */
  kafka: { port: number; advertisedPort: number }
}

/** Names the processes of a mode, and gives each a Kafka listener of its own. */
async function planProcesses(mode: WorldMode, withProxies: boolean): Promise<PlannedProcess[]> {
  const spareCount = mode === 'cluster' ? SPARE_DISPATCHERS : 0
  const spares = Array.from({ length: spareCount }, () => 'dispatcher')
  const services = [...SERVICES[mode], ...spares]
  return await Promise.all(
    services.map(async (service, at) => {
      const before = services.slice(0, at).filter((one) => one === service).length
      const isOne = services.filter((one) => one === service).length === 1
      const port = await freePort()
      const advertisedPort = withProxies ? await freePort() : port
      return {
        name: isOne ? service : `${service}-${before + 1}`,
        service,
        isSpare: at >= SERVICES[mode].length,
        kafka: { port, advertisedPort },
      }
    }),
  )
}

interface ConfigureContext {
  dataDir: string
  secrets: { MASTER_KEY: string; BOOTSTRAP_API_KEY: string }
  stores: Awaited<ReturnType<typeof startStores>>
  link(name: string, to: number, port?: number): Promise<number>
}

/** The environment of each process, whose links to the stores lead through its own proxies. */
async function configureProcesses(
  planned: readonly PlannedProcess[],
  { dataDir, secrets, stores, link }: ConfigureContext,
): Promise<ProcessConfig[]> {
  const { postgres, redis, kafka } = stores
  const configs: ProcessConfig[] = []
  for (const { name, service, kafka: listener } of planned) {
    const environment: Record<string, string> = {
      ...secrets,
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      POLL_VISIBILITY_TIMEOUT_MS: String(POLL_VISIBILITY_MS),
      DATA_DIR: join(dataDir, name),
      DATABASE_URL: await through(postgres.url, (to) => link(`${name}:postgres`, to)),
    }
    if (redis !== undefined)
      environment.REDIS_URL = await through(redis.url, (to) => link(`${name}:redis`, to))
    if (kafka !== undefined) {
      await link(`${name}:kafka`, listener.port, listener.advertisedPort)
      environment.KAFKA_BROKERS = `127.0.0.1:${listener.advertisedPort}`
    }
    configs.push({ name, service, port: await freePort(), environment })
  }
  return configs
}

/** Starts processes under a supervisor; all of them log to one file. */
function createLauncher({ dataDir, closers }: BuildContext, args: readonly string[]) {
  const logPath = join(dataDir, 'services.log')
  const output = openSync(logPath, 'a')
  closers.push(() => closeSync(output))
  const supervisorLines: string[] = []
  const say = (line: string): void =>
    void supervisorLines.push(`${new Date().toISOString()} ${line}`)
  const launch = ({ service, port, environment }: ProcessConfig): Supervised =>
    superviseService(service, port, { root, environment, say, onStart: () => {}, args, output })
  return { launch, supervisorLines, logPath }
}

async function startStores(
  mode: WorldMode,
  postgresDir: string,
  planned: readonly PlannedProcess[],
) {
  const [postgres, redis, kafka] = await Promise.all([
    startPostgresServer({ dataDir: postgresDir }),
    mode === 'cluster' ? startRedisServer() : undefined,
    mode === 'cluster'
      ? startKafkaServer({ listeners: planned.map(({ kafka: listener }) => listener) })
      : undefined,
  ])
  return { postgres, redis, kafka }
}

/** The same address, through a proxy. */
async function through(url: string, link: (to: number) => Promise<number>): Promise<string> {
  const address = new URL(url)
  const port = await link(Number(address.port))
  return url.replace(`:${address.port}`, `:${port}`)
}
