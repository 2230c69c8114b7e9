/**
 * The tasks that wait for one worker thread, workspaces in turn, and the thread itself. The limit
 * counts from when the thread has the task, not while its libraries are loaded.
 */
import { Worker } from 'node:worker_threads'
import { createFairQueue } from '@posthorn/async/fair-queue'
import type { SamlTask, SamlTaskResult, SamlWorkerMessage } from './saml-protocol.ts'
import type { SamlBusy, SamlVerifierDeps } from './saml-verifier.ts'

export interface SamlJob {
  tenantId: string
  task: SamlTask
  end(result: SamlTaskResult | SamlBusy): void
}

export interface SamlQueueDeps extends SamlVerifierDeps {
  /** A task was answered, or stopped, after this time. */
  onTook(job: SamlJob, ms: number): void
}

export interface SamlQueue {
  add(job: SamlJob): void
  close(): Promise<void>
}

/** 64 responses of at most 48 KiB, or pieces of metadata of at most 256 KiB: 16 MiB. */
const MAX_WAITING = 64
const MAX_OF_TENANT = 8
const START_LIMIT_MS = 30_000
const HEAP_MB = 64

export function createSamlQueue({ limitMs }: { limitMs: number }, deps: SamlQueueDeps): SamlQueue {
  const queue = createFairQueue<SamlJob>()
  /** How many tasks of a workspace wait or run. */
  const counts = new Map<string, number>()
  let worker: Worker | undefined
  let isReady = false
  let current: { job: SamlJob; startedAt: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function pump(): void {
    if (closed || current !== undefined || queue.size() === 0) return
    worker ??= start()
    if (!isReady) return
    const job = queue.shift() as SamlJob
    current = { job, startedAt: performance.now() }
    timer = setTimeout(() => ended('it took too long'), limitMs).unref()
    worker.postMessage(job.task)
  }

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'saml',
      // Nothing of this process's environment is in its reach.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
    })
    isReady = false
    started.unref()
    started.on('message', (message: SamlWorkerMessage) => {
      if (started === worker) received(message)
    })
    const onEnd = (reason: string): void => {
      if (started === worker) ended(reason)
    }
    started.on('error', (error) => onEnd(`${error.name}: ${error.message}`))
    started.on('exit', () => onEnd('it ended'))
    timer = setTimeout(() => onEnd('it did not start'), START_LIMIT_MS).unref()
    return started
  }

  function received(message: SamlWorkerMessage): void {
    clearTimeout(timer)
    if (message.ready) isReady = true
    else finish(message.result)
    pump()
  }

  function finish(result: SamlTaskResult | SamlBusy): void {
    if (current === undefined) return
    const { job, startedAt } = current
    current = undefined
    release(job)
    deps.onTook(job, performance.now() - startedAt)
    job.end(result)
  }

  function release({ tenantId }: SamlJob): void {
    const left = (counts.get(tenantId) ?? 1) - 1
    if (left === 0) counts.delete(tenantId)
    else counts.set(tenantId, left)
  }

  function ended(reason: string): void {
    clearTimeout(timer)
    const wasReady = isReady
    void worker?.terminate()
    worker = undefined
    isReady = false
    deps.onReplaced(reason, current?.job.tenantId ?? null)
    // Whatever kept a thread from starting keeps the next one too: those that wait try again later.
    if (!wasReady) endAll()
    finish({ outcome: 'refused', reason })
    pump()
  }

  function endAll(): void {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      release(job)
      job.end({ outcome: 'busy' })
    }
  }

  return {
    add(job) {
      const count = counts.get(job.tenantId) ?? 0
      if (closed || queue.size() >= MAX_WAITING || count >= MAX_OF_TENANT)
        return job.end({ outcome: 'busy' })
      counts.set(job.tenantId, count + 1)
      queue.push(job.tenantId, job)
      pump()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      endAll()
      finish({ outcome: 'busy' })
      const ending = worker
      worker = undefined
      await ending?.terminate()
    },
  }
}
