/**
 * A Postgres on this machine for developers and tests: the product's embedded one, which can be
 * stopped, killed and restarted.
 *
 * Its settings are the product's, fsync included, so what a test shows with it holds there too.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@posthorn/runtime/embedded-postgres'
import { isRunning } from '@posthorn/runtime/processes'
import { freePort } from './free-port.ts'
import type { ServerHandle } from './server-process.ts'
import { startWatchdog } from './watchdog.ts'

export interface PostgresServerOptions {
  /** By default a temporary folder. */
  dataDir?: string
  settings?: Readonly<Record<string, string | number>>
}

/** How often it is checked whether a killed Postgres is gone. */
const POLL_MS = 10

export async function startPostgresServer(
  options: PostgresServerOptions = {},
): Promise<ServerHandle> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'posthorn-postgres-')))
  const temporaryDir = options.dataDir === undefined ? dataDir : undefined
  const watchdog = startWatchdog(temporaryDir)
  let running: EmbeddedPostgres | undefined
  // The port at which it will be found again after each restart; a folder that has one keeps it.
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  await writeFile(join(dataDir, 'postgres-port'), `${await freePort()}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )

  const start = async (): Promise<string> => {
    running = await startEmbeddedPostgres({ dataDir, settings: options.settings ?? {} })
    watchdog.watch(running.pid, 'QUIT') // an immediate stop of all its processes
    return running.url
  }
  const stop = async (): Promise<void> => {
    await running?.stop()
    running = undefined
  }
  const url = await start()
  return {
    url,
    get pid() {
      return running?.pid ?? 0
    },
    stop: async () => {
      await stop()
      watchdog.release()
      if (temporaryDir !== undefined) await rm(temporaryDir, { recursive: true, force: true })
    },
    kill: async () => {
      const pid = running?.pid
      running = undefined
      if (pid === undefined || !isRunning(pid)) return
      process.kill(pid, 'SIGKILL')
      while (isRunning(pid)) await pause(POLL_MS)
    },
    restart: async () => {
      await stop()
      const again = await start()
      if (again !== url) throw new Error(`Postgres's port was taken meanwhile: ${url} is gone`)
    },
  }
}
