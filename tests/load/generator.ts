/**
 * The load generator (`generator/`, in Go) as a child of this process. It is built once for each
 * state of its source, into the user's cache folder, and takes one command a line.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

const SOURCE = fileURLToPath(new URL('generator', import.meta.url))
/** It imports only Go's standard library: some 20 s of one core the first time. */
const BUILD_TIMEOUT_MS = 300_000

export interface Latency {
  count: number
  p50: number
  p90: number
  p99: number
  max: number
}

/**
 * Latencies of the events that were posted from `at` (ms since 1970) on, until the next bucket
 * begins.
 */
export interface Bucket extends Latency {
  at: number
}

export interface SenderPlan {
  name: string
  method?: string
  urls: readonly string[]
  headers?: Readonly<Record<string, string>>
  body?: string
  item?: string
  batch?: number
  pad?: number
  secret?: string
  targets?: readonly number[]
  count: number
  connections?: number
  rate?: number
  /** Deliveries of each event; 0: none is awaited. */
  fan?: number
  /** Goes on until the other senders are done, and is not awaited. */
  beside?: boolean
  afterMs?: number
  perEndpoint?: boolean
}

export interface SenderResult {
  name: string
  posted: number
  accepted: number
  refused: Record<string, number> | null
  delivered: number
  lost: number
  repeated: number
  acceptedPerS: number
  deliveredPerS: number
  ack: Latency
  endToEnd: Latency
  worstEndpoint: Latency
  perEndpoint?: Record<string, Latency>
  series?: Bucket[]
}

export interface GeneratorPlan {
  senders: readonly SenderPlan[]
  waitMs: number
  idleMs: number
  bucketMs?: number
}

export interface GeneratorResult {
  senders: SenderResult[]
  seconds: number
  cpuSeconds: number
}

export interface EndpointBehaviour {
  delayMs?: number
  hangMs?: number
  pauseMs?: number
  status?: number
}

export interface Arrivals {
  at: number
  delivered: number
  repeated: number
  firstAt: number
  lastAt: number
}

export interface Generator {
  pid: number
  /** Listens, and answers the address and the time. */
  open(address: string): Promise<{ address: string; at: number }>
  close(address: string): Promise<{ at: number }>
  /**
   * Sets what endpoints do from now on, and answers how many of their requests have hung so far.
   */
  behave(endpoints: readonly number[], is: EndpointBehaviour): Promise<{ at: number; hung: number }>
  run(plan: GeneratorPlan): Promise<GeneratorResult>
  /** Reserves numbers for events that it does not post itself, and answers the first. */
  expect(count: number): Promise<{ from: number }>
  arrivals(from: number): Promise<Arrivals>
  stop(): Promise<void>
}

export async function startGenerator(): Promise<Generator> {
  const child = spawn(await ensureBuilt(), { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, { done: (value: never) => void; failed: (e: Error) => void }>()
  let lastId = 0
  const gone = new Promise<void>((done) => {
    child.once('exit', () => {
      for (const { failed } of waiting.values()) failed(new Error('the load generator ended'))
      done()
    })
  })
  child.stdin.on('error', () => {}) // 'exit' reports its end
  createInterface(child.stdout).on('line', (line) => {
    const { id, error, value } = JSON.parse(line) as { id: number; error?: string; value: never }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.done(value)
    else asked?.failed(new Error(`the load generator: ${error}`))
  })

  async function ask<Value>(what: string, given: unknown): Promise<Value> {
    lastId += 1
    const id = lastId
    return await new Promise<Value>((done, failed) => {
      waiting.set(id, { done, failed })
      child.stdin.write(`${JSON.stringify({ id, do: what, with: given })}\n`)
    })
  }

  return {
    pid: child.pid ?? 0,
    open: async (address) => await ask('open', { address }),
    close: async (address) => await ask('close', { address }),
    behave: async (endpoints, is) => await ask('behave', { endpoints, ...is }),
    run: async (plan) => await ask('run', plan),
    expect: async (count) => await ask('expect', { count }),
    arrivals: async (from) => await ask('arrivals', { from }),
    stop: async () => {
      child.stdin.end()
      await gone
    },
  }
}

async function ensureBuilt(): Promise<string> {
  const hash = createHash('sha256')
  const names = (await readdir(SOURCE)).filter((name) => !name.endsWith('_test.go'))
  for (const name of names.sort()) hash.update(await readFile(join(SOURCE, name)))
  const folder = join(cacheHome(), 'posthorn', `load-generator-${hash.digest('hex').slice(0, 16)}`)
  const built = join(folder, 'generator')
  const isThere = await access(built).then(
    () => true,
    () => false,
  )
  if (isThere) return built
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error(
      'The load generator is built with Go, which is not on the PATH: ' +
        'install Go 1.24 or newer and run again.',
    )
  }
  await mkdir(join(folder, '..'), { recursive: true })
  const draft = await mkdtemp(`${folder}.new-`)
  process.stderr.write('building the load generator with Go, once\n')
  try {
    await promisify(execFile)('go', ['build', '-trimpath', '-o', join(draft, 'generator'), '.'], {
      cwd: SOURCE,
      env: { ...process.env, CGO_ENABLED: '0' },
      timeout: BUILD_TIMEOUT_MS,
    })
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return built
}
