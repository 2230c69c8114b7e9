/** The main thread's end of the observer. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FromObserver, Observed, ObserverData, ToObserver } from './observed.ts'

export interface Observer {
  sinkUrl: string
  begin(): void
  /** Waits at most this long for the neighbour's deliveries. */
  end(waitMs: number): Promise<Observed>
  stop(): Promise<void>
}

export async function startObserver(data: ObserverData): Promise<Observer> {
  const thread = new Worker(new URL('./observer-thread.ts', import.meta.url), { workerData: data })
  const say = (message: ToObserver): void => thread.postMessage(message)
  const [ready] = (await once(thread, 'message')) as [FromObserver]
  if (ready.kind !== 'ready') throw new Error('the observer did not start')
  return {
    sinkUrl: ready.sinkUrl,
    begin: () => say({ kind: 'begin' }),
    async end(waitMs) {
      say({ kind: 'end', waitMs })
      const [answer] = (await once(thread, 'message')) as [FromObserver]
      if (answer.kind !== 'observed') throw new Error('the observer sent something else')
      return answer.observed
    },
    async stop() {
      const gone = once(thread, 'exit')
      say({ kind: 'stop' })
      await gone
    },
  }
}
