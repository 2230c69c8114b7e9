/**
 * Runs a server that this process owns: started on a known port, stopped, killed, restarted on the
 * same port.
 *
 * It runs in a session of its own, so that a Ctrl-C in the terminal reaches the owner alone, which
 * stops it last. When the owner ends, the server ends too (`watchdog.ts`).
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { startWatchdog } from './watchdog.ts'

export interface ServerHandle {
  /** What a client connects to; it stays the same over restarts. */
  readonly url: string
  /** The number of the process that runs now; 0 while none does. */
  readonly pid: number
  /** Ends it for good, in good order, and removes its files if they were temporary. */
  stop(): Promise<void>
  /** SIGKILL, and waits until it is gone. Its files stay. */
  kill(): Promise<void>
  /** Starts it again on its files, after ending it in good order if it runs. */
  restart(): Promise<void>
}

export interface ServerProcess {
  name: string
  url: string
  command: string
  args: readonly string[]
  /** Beside the environment of this process. */
  env?: Readonly<Record<string, string>>
  logPath: string
  /** The folder that is removed when it stops; undefined: none. */
  temporaryDir: string | undefined
  /** Whether this very process serves by now. Rejecting means no. */
  isReady(pid: number): Promise<boolean>
  readyTimeoutMs: number
  stopTimeoutMs: number
}

export async function startServerProcess(server: ServerProcess): Promise<ServerHandle> {
  const watchdog = startWatchdog(server.temporaryDir)
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    child = launch(server)
    if (child.pid !== undefined) watchdog.watch(child.pid, 'KILL')
    await untilReady(server, child)
  }
  const stop = async (): Promise<void> => {
    await end(child, 'SIGTERM', server)
    child = undefined
  }
  try {
    await start()
  } catch (error) {
    await end(child, 'SIGKILL', server)
    watchdog.release()
    throw error
  }
  return {
    url: server.url,
    get pid() {
      return child?.pid ?? 0
    },
    stop: async () => {
      await stop()
      watchdog.release()
      if (server.temporaryDir !== undefined) {
        await rm(server.temporaryDir, { recursive: true, force: true })
      }
    },
    kill: async () => {
      await end(child, 'SIGKILL', server)
      child = undefined
    },
    restart: async () => {
      await stop()
      await start()
    },
  }
}

function launch(server: ServerProcess): ChildProcess {
  const log = openSync(server.logPath, 'a')
  const child = spawn(server.command, server.args, {
    detached: true,
    env: { ...process.env, ...server.env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  return child
}

async function untilReady(server: ServerProcess, child: ChildProcess): Promise<void> {
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  child.once('exit', (code, signal) => (failure = `it ended with ${signal ?? code}`))
  const deadline = performance.now() + server.readyTimeoutMs
  while (failure === undefined) {
    if (await server.isReady(child.pid ?? 0).catch(() => false)) return
    if (performance.now() > deadline) failure = `not ready after ${server.readyTimeoutMs} ms`
    await pause(20)
  }
  const log = (await readFile(server.logPath, 'utf8')).trim().split('\n').slice(-8).join('\n  ')
  throw new Error(`${server.name} did not start (${server.command}): ${failure}\n  ${log}`)
}

async function end(
  child: ChildProcess | undefined,
  signal: 'SIGTERM' | 'SIGKILL',
  { stopTimeoutMs }: ServerProcess,
): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref() // it was unreferenced, but its end is waited for
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await gone
  clearTimeout(late)
}
