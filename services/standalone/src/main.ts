/**
 * All of Posthorn in one process: the same services, on an embedded Postgres, an in-process bus and
 * in-process state unless the settings name others. A database can have only one `standalone`.
 */
import { resolve } from 'node:path'
import { openClients } from '@posthorn/boot/clients'
import { ensureDataDir, firstApiKey, masterKeys, writeUrl } from '@posthorn/boot/data-dir'
import { prepareDatabase } from '@posthorn/boot/prepare-database'
import { VERSION } from '@posthorn/boot/version'
import { issueSignInLink } from '@posthorn/portal-api/auth/session-from-key'
import { readSettings } from '@posthorn/runtime/config'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@posthorn/runtime/embedded-postgres'
import { createLog } from '@posthorn/runtime/log'
import { createMetrics } from '@posthorn/runtime/metrics'
import { createProcess, type Process, runUntilSignal } from '@posthorn/runtime/run'
import { openPrisma } from '@posthorn/store/prisma'
import { expireLeases } from '@posthorn/store/pipeline/sweep'
import { type DatabaseLock, takeDatabase } from '@posthorn/store/take-database'
import { compose } from './compose.ts'
import { freePort } from './free-port.ts'
import { greeting } from './greeting.ts'

/**
 * One pool for all services: smaller than the sum of eight pools, since one process can't use more.
 */
const POOL_SIZE = 16

const settings = readSettings(process.env)
const log = createLog('standalone', settings.LOG_LEVEL)
const metrics = createMetrics('standalone', VERSION)
const dataDir = resolve(settings.DATA_DIR)

let postgres: EmbeddedPostgres | undefined
let only: DatabaseLock | null = null
let services: Process | undefined

function say(line: string): void {
  process.stderr.write(`posthorn: ${line}\n`)
}

async function startPostgres(): Promise<void> {
  await ensureDataDir(dataDir)
  if (settings.DATABASE_URL === undefined) postgres = await startEmbeddedPostgres({ dataDir, say })
}

async function startServices(): Promise<void> {
  const databaseUrl = settings.DATABASE_URL ?? postgres?.url ?? ''
  only = await takeDatabase(databaseUrl, () => {
    log.error('standalone.usurped', { reason: 'another standalone took the database' })
    log.flush()
    process.exit(1)
  })
  if (only === null)
    throw new Error(
      'Another standalone already uses this database: stop it, or set DATABASE_URL or DATA_DIR ' +
        'to another one.',
    )
  const keys = await masterKeys(dataDir, settings.MASTER_KEY, settings.MASTER_KEY_PREVIOUS)
  const apiKey = await firstApiKey(dataDir, settings.BOOTSTRAP_API_KEY)
  await prepareDatabase({ databaseUrl, settings, masterKeys: keys, apiKey })
  const config = {
    service: 'standalone',
    settings,
    databaseUrl,
    masterKeys: keys,
    poolSize: POOL_SIZE,
  }
  const clients = await openClients(config, log, metrics)
  // No other process works on this database, so deliveries that were leased when the last process
  // ended can be taken at once.
  await expireLeases(clients.pool)

  const port = settings.PORT === 0 ? await freePort(settings.HOST) : settings.PORT
  const url = `http://${hostInUrl(settings.HOST)}:${port}`
  const hasDemoReceiver = settings.NODE_ENV !== 'production'
  services = createProcess(
    compose(clients, { port, url, hasDemoReceiver, isReady: () => whole.isReady() }),
    log,
  )
  await services.start()
  await writeUrl(dataDir, url)
  const signInToken = await signInLink(databaseUrl)
  process.stdout.write(greeting({ url, apiKey, signInToken, hasDemoReceiver }))
}

/** Whoever sees what is printed here has the API key anyway. */
async function signInLink(databaseUrl: string): Promise<string | null> {
  const database = openPrisma(databaseUrl, 1)
  try {
    return await issueSignInLink(database, Date.now())
  } finally {
    await database.$disconnect()
  }
}

/**
 * An address that listens everywhere is reached at 127.0.0.1 from here. An IPv6 address stands in
 * brackets.
 */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

const whole = createProcess(
  [
    { name: 'postgres', start: startPostgres, stop: async () => await postgres?.stop() },
    { name: 'database', stop: async () => await only?.release() },
    {
      name: 'services',
      start: startServices,
      stop: async () => await services?.stop('standalone stops'),
    },
  ],
  log,
)
await runUntilSignal(whole, log)
