/**
 * Runs one service as a process of its own: reads the settings, prepares the database, opens the
 * clients, builds the service, serves HTTP, and stops all of it in the reverse order at a signal.
 */
import { newApiKey } from '@posthorn/domain/api-key'
import type { Router } from '@posthorn/http/router'
import { maskedSettings, readSettings, requireSettings } from '@posthorn/runtime/config'
import { createLog } from '@posthorn/runtime/log'
import { createMetrics } from '@posthorn/runtime/metrics'
import { createProcess, type Part, runUntilSignal } from '@posthorn/runtime/run'
import type { Service } from '@posthorn/runtime/service'
import { clientParts, type Clients, openClients } from './clients.ts'
import { openHttpServer } from './http.ts'
import { prepareDatabase } from './prepare-database.ts'
import { databaseAccess } from './store-access.ts'
import { VERSION } from './version.ts'

export interface BuiltService {
  service: Service
  routers: readonly Router[]
  /** What the service needs beside the clients: started before it, stopped after it. */
  parts?: readonly Part[]
}

/** Eight services of eight connections stay below Postgres's default of 100. */
const POOL_SIZE = 8
/**
 * A request takes less. One that never ends must not delay the attempts and results that are still
 * to be finished.
 */
const LAST_REQUESTS_MS = 25_000

export async function runService(
  name: string,
  environment: Record<string, string | undefined>,
  build: (clients: Clients) => BuiltService,
): Promise<void> {
  const settings = readSettings(environment)
  const { DATABASE_URL, MASTER_KEY } = requireSettings(settings, [
    'DATABASE_URL',
    'REDIS_URL',
    'KAFKA_BROKERS',
    'MASTER_KEY',
  ])
  const log = createLog(name, settings.LOG_LEVEL)
  const metrics = createMetrics(name, VERSION)
  const masterKeys = [MASTER_KEY, ...settings.MASTER_KEY_PREVIOUS]
  log.info('process.starting', { settings: maskedSettings(settings), node: process.version })

  const apiKey = settings.BOOTSTRAP_API_KEY ?? newApiKey('production')
  const { directUrl } = databaseAccess(settings, DATABASE_URL)
  const made = await prepareDatabase({ databaseUrl: directUrl, settings, masterKeys, apiKey })
  // Shown only this once, and never in the log: there is no other way to learn a generated key.
  if (made && settings.BOOTSTRAP_API_KEY === undefined)
    process.stderr.write(`The first API key: ${apiKey}\n`)

  const config = {
    service: name,
    settings,
    databaseUrl: DATABASE_URL,
    masterKeys,
    poolSize: POOL_SIZE,
  }
  const clients = await openClients(config, log, metrics)
  const { service, routers, parts: own = [] } = build(clients)
  const server = openHttpServer(clients, { routers, isReady: () => running.isReady() })
  const parts: Part[] = [
    ...clientParts(clients),
    ...own,
    {
      // It is started before the service, which may wait for the broker: the process answers
      // `/live` meanwhile.
      name: 'port',
      start: async () => {
        const port = await server.listen(settings.HOST, settings.PORT)
        log.info('process.listening', { host: settings.HOST, port })
      },
    },
    service,
    { name: 'http', stop: (timeoutMs) => server.close(Math.min(timeoutMs, LAST_REQUESTS_MS)) },
  ]
  // A service without routes is sent no requests that it could refuse.
  const lingerMs = routers.length > 0 ? settings.SHUTDOWN_LINGER_MS : 0
  const running = createProcess(parts, log, { lingerMs })
  await runUntilSignal(running, log)
}
