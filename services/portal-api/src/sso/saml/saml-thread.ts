/** One worker thread of the SAML verifier. A thread that ended stays ended. */
import { Worker } from 'node:worker_threads'
import type { SamlTask, SamlTaskResult, SamlWorkerMessage } from './saml-protocol.ts'

export interface SamlThreadEvents {
  /** It takes its first task. */
  onReady(): void
  onResult(result: SamlTaskResult): void
  /** Called once, unless it was ended by `end()`. */
  onEnded(reason: string): void
}

export interface SamlThread {
  isReady(): boolean
  give(task: SamlTask): void
  end(): Promise<void>
}

const START_LIMIT_MS = 30_000
const HEAP_MB = 64

export function startSamlThread(events: SamlThreadEvents): SamlThread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'saml',
    // Nothing of this process's environment is in its reach.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
  let state: 'starting' | 'ready' | 'ended' = 'starting'
  const timer = setTimeout(() => ended('it did not start'), START_LIMIT_MS).unref()
  worker.unref()
  worker.on('message', (message: SamlWorkerMessage) => {
    if (state === 'ended') return
    if (!message.ready) return events.onResult(message.result)
    state = 'ready'
    clearTimeout(timer)
    events.onReady()
  })
  worker.on('error', (error) => ended(`${error.name}: ${error.message}`))
  worker.on('exit', () => ended('it ended'))

  function ended(reason: string): void {
    if (state === 'ended') return
    void end()
    events.onEnded(reason)
  }

  async function end(): Promise<void> {
    state = 'ended'
    clearTimeout(timer)
    await worker.terminate()
  }

  return {
    isReady: () => state === 'ready',
    give: (task) => worker.postMessage(task),
    end,
  }
}
