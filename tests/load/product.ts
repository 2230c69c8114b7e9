/**
 * A checkout of Posthorn, started by its own entry points with its settings at their defaults,
 * unless a row says otherwise, and with logging on. It ends with this process, however that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { access, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openPool, type Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import type { Mode } from './options.ts'
import type { ProductProcesses } from './processes.ts'

const ENTRY: Record<Mode, string> = {
  standalone: 'services/standalone/src/main.ts',
  cluster: 'scripts/cluster/main.ts',
}
const END_WITH_US = new URL('../../scripts/end-with-launcher.mjs', import.meta.url).href
/** Kafka starts in 6 s on an idle machine, and takes several times that on a busy one. */
const START_MS = 120_000
const STOP_MS = 60_000

export interface Product {
  mode: Mode
  url: string
  apiKey: string
  /** Connects to its Postgres directly. */
  database: Pool
  /** Its processes at this moment, for `processes.ts`. */
  processes(): ProductProcesses
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<unknown>
  stop(): Promise<void>
}

export interface ProductConfig {
  checkout: string
  mode: Mode
  dataDir: string
  /** Arguments of `npm run cluster --`. */
  args: readonly string[]
  /** Settings that differ from the defaults. */
  settings: Record<string, string>
}

export async function startProduct(config: ProductConfig): Promise<Product> {
  const { checkout, mode, dataDir } = config
  const logPath = join(dataDir, 'log')
  await rm(join(dataDir, 'url'), { force: true })
  const log = openSync(logPath, 'w')
  const flags = [
    '--disable-warning=ExperimentalWarning',
    `--import=${END_WITH_US}`,
    ...(await heapFlags(checkout)),
  ]
  const child = spawnProduct(config, flags, log)
  closeSync(log)
  let services = new Map<number, string>()
  const file = async (name: string): Promise<string> =>
    (await readFile(join(dataDir, name), 'utf8')).trim()
  const url = await eventually(
    async () => {
      if (child.exitCode !== null) {
        const said = (await readFile(logPath, 'utf8')).split('\n').slice(-10).join('\n')
        throw new Error(`${mode} ended with ${child.exitCode}:\n${said}`)
      }
      const at = await file('url')
      const ready = await fetch(`${at}/ready`)
      if (ready.status !== 200) throw new Error(`${mode} is not ready: ${ready.status}`)
      if (mode === 'cluster') services = servicesIn(await file('cluster.json'))
      return at
    },
    { timeoutMs: START_MS },
  ).catch(async (error: unknown) => {
    await end(child)
    throw error
  })
  const apiKey = await file('api-key')
  const database = openPool({
    url: `postgres://posthorn:${await file('postgres-password')}@127.0.0.1:${await file('postgres-port')}/postgres`,
    max: 2,
    name: 'load',
    onError: () => {}, // it ends with the product
  })
  return {
    mode,
    url,
    apiKey,
    database,
    processes: () => ({
      root: child.pid ?? 0,
      rootClass: mode === 'cluster' ? 'gateway' : mode,
      services,
    }),
    async call(method, path, body, headers) {
      const response = await fetch(url + path, {
        method,
        headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
    async stop() {
      await database.end()
      await end(child)
    },
  }
}

function spawnProduct(
  { checkout, mode, dataDir, args, settings }: ProductConfig,
  flags: readonly string[],
  log: number,
): ChildProcess {
  const own = mode === 'cluster' ? args : []
  return spawn(process.execPath, [...flags, join(checkout, ENTRY[mode]), ...own], {
    cwd: checkout,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      DATA_DIR: dataDir,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      ...settings,
    },
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  })
}

/** The flags that its entry points use; another checkout may have none. */
async function heapFlags(checkout: string): Promise<readonly string[]> {
  const file = join(checkout, 'scripts', 'heap.mjs')
  const known = await access(file).then(
    () => true,
    () => false,
  )
  if (!known) return []
  return ((await import(pathToFileURL(file).href)) as { HEAP_FLAGS: readonly string[] }).HEAP_FLAGS
}

function servicesIn(text: string): Map<number, string> {
  const { processes } = JSON.parse(text) as { processes: { service: string; pid: number }[] }
  return new Map(processes.map(({ service, pid }) => [pid, service]))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(late)
}
