/**
 * One worker thread: gives it batches, and watches that it makes progress. The progress is in
 * shared memory, so that the item that it was at is known also when it is stuck or died. A thread
 * that ended stays ended.
 */
import { Worker } from 'node:worker_threads'
import type { ScriptBatch, ScriptReply, Limits, WorkerMessage, WorkerSetup } from './protocol.ts'

export interface ThreadConfig {
  limits: Limits
  /** After this much processor time without progress it is ended. */
  stuckCpuMs: number
}

export interface ThreadEvents {
  /** It takes its first batch. */
  onReady(): void
  /** `done`: it takes the next batch. */
  onReplies(replies: readonly ScriptReply[], done: boolean): void
  /** Called once. `at`: the item of its batch that the thread was at, -1 for none. */
  onEnded(reason: string, at: number): void
}

export interface Thread {
  isIdle(): boolean
  wasReady(): boolean
  give(batch: ScriptBatch): void
  /** Ends it; `onEnded` is not called. */
  end(): Promise<void>
}

const LOOK_MS = 100
/** 10 s without progress, for whatever reason: loading takes 60 to 90 ms, a call at most 100. */
const MAX_LOOKS = 100
/**
 * The heap of the thread's own JavaScript: texts of one batch, some 8 MiB (`worker-queue.ts`), and
 * their copies.
 */
const HEAP_MB = 96

export function startThread(config: ThreadConfig, events: ThreadEvents): Thread {
  const begun = new Int32Array(new SharedArrayBuffer(4))
  const setup: WorkerSetup = { limits: config.limits, begun }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'sandbox',
    workerData: setup,
    // Nothing of this process's environment is in its reach, should a script ever get out of its
    // engine.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
  let state: 'starting' | 'idle' | 'busy' | 'ended' = 'starting'
  let ready = false
  /** `begun` when the batch was given out. */
  let base = 0
  /** `begun` at the last look, how often it was that, and the thread's time when it first was. */
  let seen = -1
  let looks = 0
  let usedMs: number | undefined
  let timer = watch()
  worker.unref()
  worker.on('message', received)
  worker.on('error', (error) => ended(`${error.name}: ${error.message}`))
  worker.on('exit', () => ended('it ended'))

  function watch(): NodeJS.Timeout {
    seen = -1
    return setInterval(() => void look(), LOOK_MS).unref()
  }

  async function look(): Promise<void> {
    const now = Atomics.load(begun, 0)
    looks = now === seen ? looks + 1 : 1
    if (now !== seen) usedMs = undefined
    seen = now
    const used = await cpuMsOf(worker)
    // It has made progress meanwhile, or the answer to an earlier look was late.
    if (state === 'ended' || state === 'idle' || Atomics.load(begun, 0) !== now) return
    usedMs ??= used
    const spentMs = ready ? (used ?? 0) - (usedMs ?? 0) : 0
    if (spentMs >= config.stuckCpuMs || looks >= MAX_LOOKS) ended('it was stuck')
  }

  function received(message: WorkerMessage): void {
    if (state === 'ended') return
    if (message.ready || message.done) {
      state = 'idle'
      clearInterval(timer)
    }
    ready ||= message.ready
    if (message.ready) events.onReady()
    else events.onReplies(message.replies, message.done)
  }

  function ended(reason: string): void {
    if (state === 'ended') return
    const at = state === 'busy' ? Atomics.load(begun, 0) - base - 1 : -1
    void end()
    events.onEnded(reason, at)
  }

  async function end(): Promise<void> {
    state = 'ended'
    clearInterval(timer)
    await worker.terminate()
  }

  return {
    isIdle: () => state === 'idle',
    wasReady: () => ready,
    give(batch) {
      state = 'busy'
      base = Atomics.load(begun, 0)
      timer = watch()
      worker.postMessage(batch)
    },
    end,
  }
}

/**
 * The thread's processor time, which can be read also while it is in a loop. A machine that is busy
 * with something else adds nothing to it.
 */
async function cpuMsOf(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return undefined // it has ended
  }
}
