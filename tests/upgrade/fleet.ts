/**
 * The services of two versions on one Postgres, Redis and Kafka, behind one gateway. Each service
 * has a place for either version, so that one joins and leaves beside the other as an upgrade and a
 * roll back do it.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstApiKey, masterKeys } from '@posthorn/boot/data-dir'
import { freePort } from '@posthorn/local-stores/free-port'
import { startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { startPostgresServer } from '@posthorn/local-stores/postgres-server'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import { openPool, type Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { startGateway } from '../../scripts/cluster/gateway.ts'
import { type Supervised, superviseService } from '../../scripts/cluster/supervisor.ts'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'
import { callApi, OWN_SERVICES, type OwnService } from '../own-cluster.ts'
import { unpackVersion, type VersionBefore } from './version-before.ts'

export type Side = 'before' | 'now'

export interface Fleet {
  url: string
  apiKey: string
  endpointPort: number
  /** Connects to Postgres directly. */
  pool: Pool
  logPath: string
  /** What the supervisor said when services ended that were not told to. */
  supervisorLines: string[]
  /** `posthorn migrate` of a version; throws with what it printed when it fails. */
  migrate(side: Side, ...args: string[]): Promise<string>
  /** Starts a version's services, and waits until all of them are ready. */
  join(side: Side): Promise<void>
  /** Ends them as an upgrade does: they linger, and finish what they have in their hands. */
  leave(side: Side): Promise<void>
  /** What each service of a version has counted since it joined. */
  counted(side: Side): Promise<Record<string, number>>
  call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>
  stop(): Promise<void>
}

/** What shows that a process takes part. */
const WORK: Partial<Record<OwnService, string>> = {
  'ingest-api': 'posthorn_events_accepted_total',
  fanout: 'posthorn_events_fanned_out_total',
  dispatcher: 'posthorn_deliveries_total',
}
/** Seven processes start at once, on two processors that others use as well. */
const READY_MS = 120_000
const POLL_VISIBILITY_MS = '3000'
const root = fileURLToPath(new URL('../../', import.meta.url))

interface Place {
  service: OwnService
  port: number
}

export async function startFleet(version: VersionBefore, endpointPort: number): Promise<Fleet> {
  const closers: (() => Promise<unknown> | void)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed())
      await Promise.resolve(close()).catch((error: unknown) =>
        process.stderr.write(`upgrade: ${String(error)}\n`),
      )
  }
  try {
    return await build({ version, endpointPort, closers, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

interface FleetSite {
  version: VersionBefore
  endpointPort: number
  closers: (() => Promise<unknown> | void)[]
  stop(): Promise<void>
}

async function build({ version, endpointPort, closers, stop }: FleetSite): Promise<Fleet> {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-upgrade-'))
  // As root, Postgres runs as another user, who must be able to reach its files.
  await chmod(dataDir, 0o711)
  closers.push(async () => await rm(dataDir, { recursive: true, force: true }))
  const unpacked = join(dataDir, 'before')
  await mkdir(unpacked)
  const [stores] = await Promise.all([
    startStores(dataDir, closers),
    unpackVersion(version, unpacked),
  ])
  const apiKey = await firstApiKey(dataDir, undefined)
  const [masterKey = ''] = await masterKeys(dataDir, undefined, [])
  const own = { ...stores, MASTER_KEY: masterKey, BOOTSTRAP_API_KEY: apiKey }
  const environment = environmentOf(dataDir, own)
  const logPath = join(dataDir, 'services.log')
  const output = openSync(logPath, 'a')
  closers.push(() => closeSync(output))

  const roots: Record<Side, string> = { before: unpacked, now: root }
  const places: Record<Side, Place[]> = { before: await placeAll(), now: await placeAll() }
  const running: Record<Side, Supervised[]> = { before: [], now: [] }
  closers.push(
    async () =>
      await Promise.all(
        Object.values(running)
          .flat()
          .map((one) => one.stop()),
      ),
  )
  const supervisorLines: string[] = []
  const upstreams = upstreamsOf([...places.before, ...places.now])
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  closers.push(gateway.close)
  const url = `http://127.0.0.1:${gateway.port}`
  const poolConfig = { url: stores.DATABASE_URL, max: 2, name: 'upgrade tests' }
  const pool = openPool({ ...poolConfig, onError: () => {} })
  closers.push(() => pool.end())

  return {
    url,
    apiKey,
    endpointPort,
    pool,
    logPath,
    supervisorLines,
    stop,
    migrate: async (side, ...args) => await runMigrate(roots[side], environment, args),
    async join(side) {
      running[side] = places[side].map(({ service, port }) =>
        superviseService(service, port, {
          root: roots[side],
          environment: { ...environment, DATA_DIR: join(dataDir, `${side}-${service}`) },
          say: (line) => supervisorLines.push(line),
          onStart: () => {},
          output,
        }),
      )
      await eventually(async () => await requireReady(places[side]), {
        timeoutMs: READY_MS,
        everyMs: 100,
      })
    },
    async leave(side) {
      const leaving = running[side]
      running[side] = []
      await Promise.all(leaving.map((one) => one.stop('SIGTERM')))
    },
    counted: async (side) => await readCounts(places[side]),
    call: async (method, path, body) => await callApi({ url, apiKey }, method, path, body),
  }
}

async function startStores(dataDir: string, closers: FleetSite['closers']) {
  const [postgres, redis, kafka] = await Promise.all([
    startPostgresServer({ dataDir: join(dataDir, 'postgres') }),
    startRedisServer(),
    startKafkaServer(),
  ])
  closers.push(async () => {
    await Promise.allSettled([postgres.stop(), redis.stop(), kafka.stop()])
  })
  return { DATABASE_URL: postgres.url, REDIS_URL: redis.url, KAFKA_BROKERS: kafka.url }
}

function environmentOf(dataDir: string, own: Record<string, string>): Record<string, string> {
  return {
    ...own,
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    // The version before is compiled in this test for the first time; its processes share that.
    NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    POLL_VISIBILITY_TIMEOUT_MS: POLL_VISIBILITY_MS,
  }
}

async function placeAll(): Promise<Place[]> {
  return await Promise.all(
    OWN_SERVICES.map(async (service) => ({ service, port: await freePort() })),
  )
}

function upstreamsOf(places: readonly Place[]): Record<string, string[]> {
  const upstreams: Record<string, string[]> = {}
  for (const { service, port } of places)
    (upstreams[service] ??= []).push(`http://127.0.0.1:${port}`)
  return upstreams
}

async function runMigrate(
  from: string,
  env: Record<string, string>,
  args: readonly string[],
): Promise<string> {
  const flags = ['--disable-warning=ExperimentalWarning', ...HEAP_FLAGS]
  const command = [...flags, join(from, 'scripts/posthorn.mjs'), 'migrate', ...args]
  return await new Promise((done, failed) => {
    execFile(process.execPath, command, { env, cwd: from }, (error, stdout, stderr) =>
      error === null ? done(stdout) : failed(new Error(`migrate: ${stderr}`, { cause: error })),
    )
  })
}

async function requireReady(places: readonly Place[]): Promise<void> {
  for (const { service, port } of places) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`)
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${service} is not ready: ${answer.status}`)
  }
}

async function readCounts(places: readonly Place[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { service, port } of places) {
    const metric = WORK[service]
    if (metric === undefined) continue
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const values = text.split('\n').filter((line) => line.startsWith(metric))
    counts[service] = values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  return counts
}
