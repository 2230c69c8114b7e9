/**
 * Runs the scripts that tenants write, on threads of their own: whatever a script does, the event
 * loop here goes on.
 *
 * A script gets an event and returns what is to become of it, under limits that are enforced
 * (`engine.ts`): memory, processor time, the size of what it returns. It has no way to the network,
 * to files, to changes of the clock or to another script.
 *
 * A quick script waits for no slow one: scripts that had to be stopped or took more than 10 ms, and
 * whatever is only being tried out, run in the careful queue, one call at a time and tenants in
 * turn (`untrusted-scripts.ts`). The others run in batches in the quick queues, tenants in turn.
 * Threads start when they are first used.
 *
 * It does not keep state between calls in any promised way, and it is no audited boundary: in
 * production the processes that run it should have no more rights than they need.
 *
 * Measured on 2 vCPU, one thread, 1 KB events (`bench/transform.ts`): 15,000 to 20,000 calls/s of
 * one script, 6,500 to 7,500 of 150 scripts in turn, 5 to 10 us each on this thread; 60 to 90 ms to
 * start, at the first call. A dispatcher delivered 2,400/s transformed, with endpoint and Postgres
 * on the same two processors under other load.
 */
import { headersField } from '@posthorn/contracts/fields'
import { createWorkerQueue, type ScriptJob, type WorkerQueue } from './worker-queue.ts'
import type { ScriptResult, Limits } from './protocol.ts'
import { createUntrustedScripts } from './untrusted-scripts.ts'

export interface SandboxConfig {
  /** The brand in our own header names; it decides which names a script may not set. */
  brand: string
  /**
   * The most bytes of the payload that a script makes of an event: as many as an event may have.
   */
  maxPayloadBytes: number
  /** The same for an event that came in from a platform, which may be larger. Default: 1 MiB. */
  maxInboundBytes?: number
  /** Threads of the quick queues. One does 6,500 calls a second or more. */
  workers: number
}

export interface SandboxDeps {
  /** A thread died or was stuck, at a job of this tenant if one is to blame. */
  onReplaced(reason: string, tenantId: string | undefined, key: string | null | undefined): void
}

export interface TransformEvent {
  id: string
  eventType: string | null
  /** JSON text. */
  payload: string
  headers: Readonly<Record<string, string>> | null
  /** ISO 8601. */
  createdAt: string
}

export interface RunRequest {
  tenantId: string
  /**
   * The key of one version of one endpoint, under which the script stays loaded; null: it is only
   * tried out.
   */
  key: string | null
  script: string
  event: TransformEvent
  /**
   * Whether the event came in from a platform. Left out, it is told from the event: by its size, or
   * by the headers that such events carry.
   */
  isInbound?: boolean
}

export interface Transformed {
  /** JSON text; null: unchanged, to the byte. */
  payload: string | null
  /** null: unchanged. */
  headers: Record<string, string> | null
}

/** A problem of ours: it says nothing about the script. */
export interface Unavailable {
  outcome: 'unavailable'
  detail: string
}

export type RunResult =
  /** null: the delivery is to be dropped. */
  { outcome: 'ok'; result: Transformed | null } | { outcome: 'error'; detail: string } | Unavailable

export type CompileResult = { outcome: 'ok' } | { outcome: 'invalid'; reason: string } | Unavailable

export interface Sandbox {
  /** Whether it loads and defines `transform`. */
  compile(tenantId: string, script: string): Promise<CompileResult>
  run(request: RunRequest): Promise<RunResult>
  /** What is still waiting is answered `unavailable`. */
  close(): Promise<void>
}

const LIMITS: Limits = { memoryBytes: 16 * 1024 * 1024, cpuMs: 100 }
const MAX_INBOUND_BYTES = 1024 * 1024
const MAX_BATCH = 32
/** Three times what a call may take. */
const STUCK_CPU_MS = 300
/** Twice a dispatcher's slots. */
const MAX_QUEUE = 4_096
const SLOW_CPU_MS = 10

export function createSandbox(config: SandboxConfig, deps: SandboxDeps): Sandbox {
  const Headers = headersField(config.brand)
  const untrusted = createUntrustedScripts()
  const queueDeps = {
    onUse({ tenantId, key }: ScriptJob, cpuMs: number, stopped: boolean) {
      if (key === null) return
      if (stopped) untrusted.stopped(tenantId, key, performance.now())
      else if (cpuMs > SLOW_CPU_MS) untrusted.slow(key, performance.now())
    },
    onStuck: ({ tenantId, key }: ScriptJob) => untrusted.stuck(tenantId, key, performance.now()),
    onDeferred: (job: ScriptJob) => queueFor(job).putBack(job),
    onReplaced: (reason: string, job: ScriptJob | undefined) =>
      deps.onReplaced(reason, job?.tenantId, job?.key),
  }
  const of = { limits: LIMITS, stuckCpuMs: STUCK_CPU_MS, maxQueue: MAX_QUEUE }
  const careful = createWorkerQueue({ ...of, maxBatch: 1 }, queueDeps)
  const quick = Array.from({ length: config.workers }, () =>
    createWorkerQueue({ ...of, maxBatch: MAX_BATCH }, queueDeps),
  )

  function queueFor({ tenantId, key }: ScriptJob): WorkerQueue {
    if (key === null || untrusted.has(tenantId, key, performance.now())) return careful
    return quick[hashOf(key) % quick.length] ?? careful
  }

  function start(job: Omit<ScriptJob, 'restarts' | 'end'>): Promise<ScriptResult | Unavailable> {
    return new Promise((resolve) => {
      const whole = { ...job, restarts: 0, end: resolve }
      queueFor(whole).add(whole)
    })
  }

  /**
   * An input may be larger than its limit, because it was wrapped. It may be returned unchanged.
   */
  function maxPayloadBytesOf({ event, isInbound }: RunRequest): number {
    const { maxPayloadBytes, maxInboundBytes = MAX_INBOUND_BYTES } = config
    const bytes = Buffer.byteLength(event.payload)
    const isLarge = bytes > maxPayloadBytes || (isInbound ?? hasInboundHeaders(event))
    return Math.max(bytes, isLarge ? maxInboundBytes : maxPayloadBytes)
  }

  return {
    async compile(tenantId, script) {
      const answer = await start({
        tenantId,
        key: null,
        script,
        text: null,
        payloadAt: 0,
        maxPayloadBytes: 0,
      })
      if (answer.outcome === 'loaded') return { outcome: 'ok' }
      if (answer.outcome === 'error') return { outcome: 'invalid', reason: answer.detail }
      return { outcome: 'unavailable', detail: 'the sandbox did not answer' }
    },
    async run(request) {
      const { tenantId, key, script, event } = request
      const maxPayloadBytes = maxPayloadBytesOf(request)
      const job = { tenantId, key, script, maxPayloadBytes, ...eventText(event) }
      return toResult(await start(job), Headers)
    },
    async close() {
      await Promise.all([careful, ...quick].map((queue) => queue.close()))
    },
  }
}

function toResult(
  answer: ScriptResult | Unavailable,
  Headers: ReturnType<typeof headersField>,
): RunResult {
  if (answer.outcome === 'dropped') return { outcome: 'ok', result: null }
  if (answer.outcome !== 'changed') {
    return answer.outcome === 'error' || answer.outcome === 'unavailable'
      ? answer
      : { outcome: 'unavailable', detail: `the sandbox answered ${answer.outcome}` }
  }
  const { payload, headers } = answer
  if (headers === null) return { outcome: 'ok', result: { payload, headers } }
  const checked = Headers.safeParse(JSON.parse(headers))
  if (checked.success) return { outcome: 'ok', result: { payload, headers: checked.data } }
  const [issue] = checked.error.issues
  const where = ['headers', ...(issue?.path ?? [])].join('.').slice(0, 100).toWellFormed()
  return { outcome: 'error', detail: `${where} ${issue?.message ?? 'is not valid'}` }
}

/** Whether there are a platform's own headers, as they travel with its event. */
function hasInboundHeaders({ headers }: TransformEvent): boolean {
  return Object.keys(headers ?? {}).some((name) => /^x-inbound-/i.test(name))
}

/** The payload goes in as it is, so that it is parsed once, by the script's own engine. */
function eventText(event: TransformEvent): { text: string; payloadAt: number } {
  const { payload, headers, ...rest } = event
  const before = JSON.stringify({ ...rest, headers: headers ?? {} }).slice(0, -1)
  const head = `${before},"payload":`
  return { text: `${head}${payload}}`, payloadAt: head.length }
}

/** Spreads keys over threads; a key stays with its thread, where its script is loaded. */
function hashOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at += 1) hash = (hash * 31 + key.charCodeAt(at)) >>> 0
  return hash
}
