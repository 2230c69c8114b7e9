/**
 * The jobs that wait for one worker thread, and what becomes of them. The thread starts with the
 * first job and takes a batch at a time. When it ends at a job, that job fails, and the others of
 * its batch go to the next thread.
 */
import { createFairQueue, type FairQueue } from '@posthorn/async/fair-queue'
import type { ScriptResult, ScriptBatch, ScriptCall, ScriptReply } from './protocol.ts'
import { startThread, type Thread, type ThreadConfig } from './thread.ts'

export interface ScriptJob {
  tenantId: string
  key: string | null
  script: string
  /** The event as JSON text; null: the script is only loaded. */
  text: string | null
  payloadAt: number
  maxPayloadBytes: number
  /** How many threads ended while it waited in their batch. */
  restarts: number
  end(answer: ScriptResult | { outcome: 'unavailable'; detail: string }): void
}

export interface WorkerQueueConfig extends ThreadConfig {
  maxBatch: number
  maxQueue: number
}

export interface WorkerQueueDeps {
  /** A job has used so much processor time, or was stopped at a limit. */
  onUse(job: ScriptJob, cpuMs: number, stopped: boolean): void
  /** A thread got stuck or died at this job. */
  onStuck(job: ScriptJob): void
  /** It was not run: it is to be put back into whatever queue is the right one now. */
  onDeferred(job: ScriptJob): void
  onReplaced(reason: string, job: ScriptJob | undefined): void
}

export interface WorkerQueue {
  add(job: ScriptJob): void
  putBack(job: ScriptJob): void
  close(): Promise<void>
}

const MAX_RESTARTS = 3
/**
 * What a thread's heap has room for, with copies: 32 of the largest events, or 8 of the largest
 * from inbound.
 */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024
/**
 * How long no thread is started after one that could not start: whatever prevented it will prevent
 * the next one for a while.
 */
const REST_MS = 1_000

export function createWorkerQueue(config: WorkerQueueConfig, deps: WorkerQueueDeps): WorkerQueue {
  const queue = createFairQueue<ScriptJob>()
  let thread: Thread | undefined
  /** The jobs of the thread's batch that are not answered yet, by their place. */
  let pending = new Map<number, ScriptJob>()
  let restingUntil = 0
  let closed = false

  function accepts(job: ScriptJob): boolean {
    if (!closed && queue.size() < config.maxQueue && performance.now() >= restingUntil) return true
    job.end(unavailable(closed ? 'the sandbox is closed' : 'the sandbox is not keeping up'))
    return false
  }

  function enter(job: ScriptJob, put: (tenantId: string, job: ScriptJob) => void): void {
    if (!accepts(job)) return
    put(job.tenantId, job)
    pump()
  }

  function pump(): void {
    if (queue.size() === 0 || closed) return
    thread ??= startThread(config, { onReady: pump, onReplies, onEnded })
    if (!thread.isIdle()) return
    const jobs = takeBatch(queue, config.maxBatch)
    pending = new Map(jobs.entries())
    thread.give(toBatch(jobs))
  }

  function onReplies(replies: readonly ScriptReply[]): void {
    const deferred: ScriptJob[] = []
    for (const { index, result, cpuMs, stopped } of replies) {
      const job = pending.get(index)
      pending.delete(index)
      if (job === undefined) continue
      if (result.outcome !== 'deferred') deps.onUse(job, cpuMs, stopped)
      if (result.outcome === 'deferred') deferred.push(job)
      else job.end(result)
    }
    deferAll(deferred, deps)
    pump()
  }

  function onEnded(reason: string, at: number): void {
    const wasReady = thread?.wasReady() === true
    thread = undefined
    const culprit = pending.get(at)
    pending.delete(at)
    const others = [...pending.values()]
    pending.clear()
    deps.onReplaced(reason, culprit)
    if (!wasReady) {
      restingUntil = performance.now() + REST_MS
      return endAll(`the sandbox could not be started: ${reason}`)
    }
    if (culprit !== undefined) deps.onStuck(culprit)
    culprit?.end({ outcome: 'error', detail: STUCK })
    deferAll(others.filter(mayRestart), deps)
    pump()
  }

  function endAll(detail: string): void {
    const waiting = Array.from({ length: queue.size() }, queue.shift)
    for (const job of [...pending.values(), ...waiting]) job?.end(unavailable(detail))
    pending.clear()
  }

  return {
    add: (job) => enter(job, queue.push),
    putBack: (job) => enter(job, queue.putBack),
    async close() {
      closed = true
      endAll('the sandbox is closed')
      await thread?.end()
    },
  }
}

/** The next jobs, as many as fit into one batch. */
function takeBatch(queue: FairQueue<ScriptJob>, maxBatch: number): ScriptJob[] {
  const jobs: ScriptJob[] = []
  let characters = 0
  while (jobs.length < maxBatch && characters < MAX_BATCH_CHARACTERS) {
    const job = queue.shift()
    if (job === undefined) break
    jobs.push(job)
    characters += job.text?.length ?? 0
  }
  return jobs
}

/** Puts back from the last on, so that they are in their old order again. */
function deferAll(jobs: readonly ScriptJob[], { onDeferred }: WorkerQueueDeps): void {
  for (const job of jobs.toReversed()) onDeferred(job)
}

/** Whether a job whose thread ended at another job gets another thread; if not, it is ended. */
function mayRestart(job: ScriptJob): boolean {
  job.restarts += 1
  if (job.restarts > MAX_RESTARTS) job.end(unavailable(RESTARTED))
  return job.restarts <= MAX_RESTARTS
}

const STUCK = 'it had to be stopped: it stayed in one call for too long'
const RESTARTED = 'the sandbox was restarted too often'

function unavailable(detail: string): { outcome: 'unavailable'; detail: string } {
  return { outcome: 'unavailable', detail }
}

function toBatch(jobs: readonly ScriptJob[]): ScriptBatch {
  const places = new Map<string, number>()
  const scripts: string[] = []
  const items = jobs.map(({ key, script, text, payloadAt, maxPayloadBytes }): ScriptCall => {
    let place = places.get(script)
    if (place === undefined) {
      place = scripts.push(script) - 1
      places.set(script, place)
    }
    return { script: place, key, text, payloadAt, maxPayloadBytes }
  })
  return { scripts, items }
}
