/**
 * Worker threads that hash passwords, of lower priority than the event loop and libuv's threads: a
 * hash takes some 10 ms of a processor, and nobody else should wait for it. A thread starts with
 * the first task that finds none free, stays, and is replaced where it died.
 */
import { Worker } from 'node:worker_threads'
import type { PasswordTask } from './password-protocol.ts'

export interface PasswordThreads {
  /** @returns a hash, or whether the password matches */
  run(task: PasswordTask): Promise<string | boolean>
  /** What runs is not finished. */
  close(): Promise<void>
}

const HEAP_MB = 32

interface PasswordThread {
  worker: Worker
  task: PromiseWithResolvers<string | boolean> | undefined
}

/** The caller bounds how many tasks run at once, and so the number of threads. */
export function createPasswordThreads(): PasswordThreads {
  const all = new Set<PasswordThread>()
  const free: PasswordThread[] = []

  function start(): PasswordThread {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
      name: 'passwords',
      // Nothing of this process's environment is in its reach.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 4 },
    })
    worker.unref()
    const thread: PasswordThread = { worker, task: undefined }
    all.add(thread)
    worker.on('message', (result: string | boolean) => {
      const { task } = thread
      thread.task = undefined
      free.push(thread)
      task?.resolve(result)
    })
    worker.on('error', (error) => ended(thread, error))
    worker.on('exit', () => ended(thread, new Error('the thread that hashes passwords ended')))
    return thread
  }

  function ended(thread: PasswordThread, error: Error): void {
    all.delete(thread)
    const at = free.indexOf(thread)
    if (at !== -1) free.splice(at, 1)
    thread.task?.reject(error)
    thread.task = undefined
  }

  return {
    run(task) {
      const thread = free.pop() ?? start()
      thread.task = Promise.withResolvers<string | boolean>()
      thread.worker.postMessage(task)
      return thread.task.promise
    },
    async close() {
      await Promise.all([...all].map(({ worker }) => worker.terminate()))
    },
  }
}
