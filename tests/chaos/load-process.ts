/** The run's connection to the load process. */
import { fork } from 'node:child_process'
import type { LoadCommand, LoadReport, LoadStatus } from './load/protocol.ts'

export interface LoadProcess {
  /** The port of its endpoints. */
  port: number
  pid: number
  send(command: Exclude<LoadCommand, { type: 'status' | 'report' }>): Promise<void>
  status(): Promise<LoadStatus>
  report(): Promise<LoadReport>
  stop(): Promise<void>
}

interface LoadProcessReply {
  id: number
  answer?: unknown
  error?: string
}

export async function startLoad(): Promise<LoadProcess> {
  const child = fork(new URL('load/main.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let number = 0
  const port = await new Promise<number>((done, failed) => {
    child.once('message', (message: { port: number }) => done(message.port))
    child.once('exit', (code) => failed(new Error(`the load process ended with ${code}`)))
  })
  child.on('message', ({ id, answer, error }: LoadProcessReply) => {
    if (error === undefined) waiting.get(id)?.resolve(answer)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })
  child.once('exit', (code) => {
    for (const one of waiting.values()) one.reject(new Error(`the load process ended: ${code}`))
  })

  async function ask(command: LoadCommand): Promise<unknown> {
    number += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(number, answer)
    child.send({ id: number, command })
    return await answer.promise
  }

  return {
    port,
    pid: child.pid ?? 0,
    send: async (command) => void (await ask(command)),
    status: async () => (await ask({ type: 'status' })) as LoadStatus,
    report: async () => (await ask({ type: 'report' })) as LoadReport,
    async stop() {
      if (!child.connected) return
      const gone = new Promise((done) => child.once('exit', done))
      child.disconnect()
      await gone
    },
  }
}
