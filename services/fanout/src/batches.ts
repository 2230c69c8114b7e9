/**
 * Processes one batch after another as long as any tenant's queue is ready. Events that arrive
 * meanwhile form the next batch, which takes from each tenant what its quantum allows.
 */
import type { Job, TenantQueues } from './tenant-queues.ts'

export interface Batches {
  /** Queues the job. One that does not fit or is queued already is done at once. */
  enqueue(job: Job): void
  /** Starts a batch when any queue is ready. */
  wake(): void
  /** Resolves when all jobs that were enqueued are done. */
  idle(): Promise<void>
  /** Queued jobs are dropped: their events are announced again. */
  stop(): void
}

export function createBatches(
  queues: Pick<TenantQueues, 'add' | 'pick'>,
  work: (batch: readonly Job[]) => Promise<void>,
  onError: (error: unknown) => void,
): Batches {
  let state: 'idle' | 'working' | 'stopped' = 'idle'
  let open = 0
  let onIdle: (() => void)[] = []

  function track(job: Job): Job {
    let isDone = false
    open += 1
    return {
      ...job,
      done() {
        if (isDone) return
        isDone = true
        open -= 1
        job.done()
        if (open > 0) return
        for (const resolve of onIdle) resolve()
        onIdle = []
      },
    }
  }

  function wake(): void {
    if (state !== 'idle') return
    state = 'working'
    // Messages that are read in this turn of the event loop join the batch.
    setImmediate(() => void run())
  }

  async function run(): Promise<void> {
    while (state === 'working') {
      const batch = queues.pick()
      if (batch.length === 0) {
        state = 'idle'
        return
      }
      try {
        await work(batch)
      } catch (error) {
        onError(error)
        for (const job of batch) job.done()
      }
    }
  }

  return {
    enqueue(received) {
      const job = track(received)
      if (queues.add(job) === 'queued') wake()
      else job.done()
    },
    wake,
    idle() {
      return open === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))
    },
    stop() {
      state = 'stopped'
    },
  }
}
