/** The time in which a `standalone` waits for the database: what it answers, and how it ends. */
import { createOperations } from '@posthorn/runtime/operations'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import { checkPool, openPool, type Pool } from '@posthorn/store/pool'
import { startWaitingServer, type WaitingServer } from './waiting-server.ts'

export interface StandbyWaitConfig {
  host: string
  log: Log
  metrics: Metrics
}

export interface StandbyWait {
  /** Answers at this port until `close`, and asks this database whether it is well. */
  listen(port: number, databaseUrl: string): Promise<void>
  /** Says why it waits. */
  because(reason: string): void
  /** Ends the answering: the services themselves are about to listen. */
  close(): Promise<void>
  /** Ends the waiting: the process is to end. */
  end(): Promise<void>
  /** Aborted by `end`. */
  signal: AbortSignal
}

export function createStandbyWait({ host, log, metrics }: StandbyWaitConfig): StandbyWait {
  const ending = new AbortController()
  let reason = 'it starts'
  let server: WaitingServer | undefined
  let pool: Pool | undefined

  async function close(): Promise<void> {
    const [open, asked] = [server, pool]
    server = undefined
    pool = undefined
    await open?.close()
    await asked?.end()
  }

  return {
    signal: ending.signal,
    async listen(port, databaseUrl) {
      const asked = openPool({ url: databaseUrl, max: 1, name: 'posthorn health', onError() {} })
      pool = asked
      const checks = [{ name: 'postgres', check: () => checkPool(asked) }]
      const operations = createOperations(() => false, checks, metrics)
      server = await startWaitingServer({ host, port }, operations, () => reason)
    },
    because(now) {
      reason = now
      log.info('standalone.waits', { reason })
    },
    close,
    async end() {
      ending.abort()
      await close()
    },
  }
}
