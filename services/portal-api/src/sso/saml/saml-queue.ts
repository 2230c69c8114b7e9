/**
 * The tasks that wait for one worker thread, workspaces in turn. The limit counts from when the
 * thread has the task, not while its libraries are loaded.
 */
import { createFairQueue } from '@posthorn/async/fair-queue'
import type { SamlTask, SamlTaskResult } from './saml-protocol.ts'
import { type SamlThread, startSamlThread } from './saml-thread.ts'

/** Too much waits already, of all workspaces or of this one. */
export interface SamlBusy {
  outcome: 'busy'
}

export interface SamlJob {
  tenantId: string
  task: SamlTask
  end(result: SamlTaskResult | SamlBusy): void
}

export interface SamlQueueDeps {
  /** A thread was over its limit or died, at a task of this workspace if one is to blame. */
  onReplaced(reason: string, tenantId: string | null): void
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

export function createSamlQueue({ limitMs }: { limitMs: number }, deps: SamlQueueDeps): SamlQueue {
  const queue = createFairQueue<SamlJob>()
  /** How many tasks of a workspace wait or run. */
  const counts = new Map<string, number>()
  let thread: SamlThread | undefined
  let current: { job: SamlJob; startedAt: number; timer: NodeJS.Timeout } | undefined
  let closed = false

  function pump(): void {
    if (closed || current !== undefined || queue.size() === 0) return
    thread ??= startSamlThread({ onReady: pump, onResult, onEnded })
    if (!thread.isReady()) return
    const job = queue.shift() as SamlJob
    const timer = setTimeout(stop, limitMs).unref()
    current = { job, startedAt: performance.now(), timer }
    thread.give(job.task)
  }

  function stop(): void {
    void thread?.end()
    onEnded('it took too long')
  }

  function onResult(result: SamlTaskResult): void {
    finish(result)
    pump()
  }

  function onEnded(reason: string): void {
    thread = undefined
    deps.onReplaced(reason, current?.job.tenantId ?? null)
    // Whatever kept a thread from starting keeps the next one too: those that wait try again later.
    if (current === undefined) endAll()
    finish({ outcome: 'refused', reason })
    pump()
  }

  function finish(result: SamlTaskResult | SamlBusy): void {
    if (current === undefined) return
    const { job, startedAt, timer } = current
    clearTimeout(timer)
    current = undefined
    deps.onTook(job, performance.now() - startedAt)
    answer(job, result)
  }

  function endAll(): void {
    for (let job = queue.shift(); job !== undefined; job = queue.shift())
      answer(job, { outcome: 'busy' })
  }

  function answer(job: SamlJob, result: SamlTaskResult | SamlBusy): void {
    const left = (counts.get(job.tenantId) ?? 1) - 1
    if (left === 0) counts.delete(job.tenantId)
    else counts.set(job.tenantId, left)
    job.end(result)
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
      endAll()
      finish({ outcome: 'busy' })
      await thread?.end()
    },
  }
}
