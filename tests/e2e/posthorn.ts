/**
 * Posthorn as its users have it: real processes, started by the product's own entry points, reached
 * over HTTP alone.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@posthorn/testing/eventually'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const MODES = ['standalone', 'cluster'] as const
export type Mode = (typeof MODES)[number]

const ENTRY: Record<Mode, string> = {
  standalone: 'services/standalone/src/main.ts',
  cluster: 'scripts/cluster/main.ts',
}
/** Kafka takes 6 s on an idle machine, and several times that on a busy one. */
const START_MS = 200_000
const STOP_MS = 40_000

export interface Answer {
  status: number
  headers: Headers
  // The tests look into it as a caller's script would.
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer's shape is what is tested
  body: any
  text: string
}

export interface Client {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Posts an event with a new idempotency key and expects 201. */
  send(event: Record<string, unknown>): Promise<{ id: string }>
  event(id: string): Promise<Answer['body']>
}

/** A workspace in a product that runs: one of the test's own, or one that test files share. */
export interface Product extends Client {
  mode: Mode
  url: string
  apiKey: string
  dataDir: string
}

export interface Posthorn extends Product {
  /** The process of the whole, or the cluster's launcher; `startAgain()` changes it. */
  pid: number
  /**
   * SIGKILL: of the whole (`standalone`), or of every process of a service, which the cluster
   * starts again.
   */
  kill(service?: string): Promise<void>
  /** Starts a whole that `kill()` has ended. */
  startAgain(): Promise<void>
  /** What the process printed. */
  output(): string
  stop(): Promise<void>
}

/**
 * @param clusterArgs as of `npm run cluster --`, such as `--dispatchers 2`; a whole has no use for
 * them.
 */
// oxlint-disable-next-line max-lines-per-function -- the start of a product, step by step
export async function startPosthorn(
  mode: Mode,
  settings: Record<string, string> = {},
  clusterArgs: readonly string[] = [],
): Promise<Posthorn> {
  const args = mode === 'cluster' ? clusterArgs : []
  const dataDir = await mkdtemp(join(tmpdir(), `posthorn-${mode}-`))
  let child: ChildProcess | undefined
  let printed = ''
  let url = ''
  let apiKey = ''

  async function start(): Promise<void> {
    await rm(join(dataDir, 'url'), { force: true })
    child = spawn(
      process.execPath,
      [...HEAP_FLAGS, '--disable-warning=ExperimentalWarning', join(root, ENTRY[mode]), ...args],
      {
        cwd: root,
        // LOG_LEVEL: thousands of lines a second of its own would drown the test's.
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          // The product's own scripts set it too: a start need not compile what the last one has.
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
          PORT: '0',
          DATA_DIR: dataDir,
          LOG_LEVEL: 'warn',
          EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    child.stdout?.on('data', (chunk) => (printed += chunk))
    child.stderr?.on('data', (chunk) => (printed += chunk))
    await eventually(
      async () => {
        if (child?.exitCode !== null)
          throw new Error(`it ended with ${child?.exitCode}:\n${printed}`)
        url = (await readFile(join(dataDir, 'url'), 'utf8')).trim()
        apiKey = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim()
        const ready = await fetch(`${url}/ready`)
        if (ready.status !== 200) throw new Error(`not ready: ${ready.status}`)
      },
      { timeoutMs: START_MS },
    )
  }

  async function processes(service: string): Promise<number[]> {
    const text = await readFile(join(dataDir, 'cluster.json'), 'utf8')
    const described = JSON.parse(text) as { processes: { service: string; pid: number }[] }
    return described.processes
      .filter((one) => one.service === service && one.pid > 0)
      .map((one) => one.pid)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    const late = setTimeout(() => running.kill('SIGKILL'), STOP_MS)
    await gone
    clearTimeout(late)
  }

  try {
    await start()
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
  return {
    mode,
    get url() {
      return url
    },
    get apiKey() {
      return apiKey
    },
    get pid() {
      return child?.pid ?? 0
    },
    dataDir,
    ...createClient(() => ({ url, apiKey })),
    async kill(service) {
      if (service === undefined) await end('SIGKILL')
      else for (const pid of await processes(service)) process.kill(pid, 'SIGKILL')
    },
    startAgain: start,
    output: () => printed,
    async stop() {
      await end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** @param at asked for at each call: what is started again may have another address */
export function createClient(at: () => { url: string; apiKey: string }): Client {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { url, apiKey } = at()
    const sent = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(url + path, {
      method,
      headers: { 'X-API-Key': apiKey, ...sent, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text), text }
  }
  return {
    call,
    async send(event) {
      const answer = await call('POST', '/api/v1/events', event, {
        'X-Idempotency-Key': randomUUID(),
      })
      if (answer.status !== 201)
        throw new Error(`the event was refused: ${answer.status} ${answer.text}`)
      return answer.body as { id: string }
    },
    event: async (id) => (await call('GET', `/api/v1/events/${id}`)).body,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
