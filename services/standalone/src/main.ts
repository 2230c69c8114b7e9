/**
 * All of Posthorn in one process: the same services, on an embedded Postgres, an in-process bus and
 * in-process state unless the settings name others. One `standalone` works on a database at a time;
 * with `--standby` others wait for it, and take over when it is gone.
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
import type { Fence } from '@posthorn/store/fence'
import { openPrisma } from '@posthorn/store/prisma'
import { expireLeases } from '@posthorn/store/pipeline/sweep'
import { type OwnedDatabase, ownDatabase } from '@posthorn/store/standalone/own-database'
import { compose } from './compose.ts'
import { freePort } from './free-port.ts'
import { greeting } from './greeting.ts'
import { readArguments, refuseStandby } from './read-arguments.ts'
import { createStandbyWait } from './standby-wait.ts'

/**
 * One pool for all services: smaller than the sum of eight pools, since one process can't use more.
 */
const POOL_SIZE = 16
/**
 * While one that stands by waits for the database, nobody accepts events. An attempt that takes
 * longer is made again by whoever takes over.
 */
const HAND_OVER_MS = 3_000
/** Whoever ends the one process that there is waits for attempts no longer than this. */
const LAST_ATTEMPTS_MS = 25_000

const { standby } = readArguments(process.argv.slice(2))
const settings = readSettings(process.env)
const log = createLog('standalone', settings.LOG_LEVEL)
const metrics = createMetrics('standalone', VERSION)
const dataDir = resolve(settings.DATA_DIR)
const waiting = createStandbyWait({ host: settings.HOST, log, metrics })

let postgres: EmbeddedPostgres | undefined
let owned: OwnedDatabase | null = null
let services: Process | undefined

function say(line: string): void {
  process.stderr.write(`posthorn: ${line}\n`)
}

async function startPostgres(): Promise<void> {
  const refusal = standby ? refuseStandby(settings) : null
  if (refusal !== null) throw new Error(refusal)
  await ensureDataDir(dataDir)
  if (settings.DATABASE_URL === undefined) postgres = await startEmbeddedPostgres({ dataDir, say })
}

async function readSecrets() {
  const keys = await masterKeys(dataDir, settings.MASTER_KEY, settings.MASTER_KEY_PREVIOUS)
  return { keys, apiKey: await firstApiKey(dataDir, settings.BOOTSTRAP_API_KEY) }
}

/** @returns null when it was told to end while it waited */
async function own(databaseUrl: string, port: number): Promise<OwnedDatabase | null> {
  const { keys, apiKey } = await readSecrets()
  // Whoever waits has the tables of its version by the time it takes over.
  await prepareDatabase({ databaseUrl, settings, masterKeys: keys, apiKey })
  if (standby) await waiting.listen(port, databaseUrl)
  // The data directory of an embedded Postgres belongs to this process alone.
  const whenUnclaimed = databaseUrl === postgres?.socketUrl ? 'take' : 'refuse'
  owned = await ownDatabase(
    { databaseUrl, whenOwned: standby ? 'wait' : whenUnclaimed },
    {
      onWait: standby ? waiting.because : () => {},
      onUsurped() {
        log.error('standalone.usurped', { reason: 'another standalone took the database' })
        log.flush()
        process.exit(1)
      },
      onError: (error) => log.warn('standalone.lease-not-renewed', { error }),
      signal: waiting.signal,
    },
  )
  if (owned === null && !waiting.signal.aborted)
    throw new Error(
      'Another standalone already uses this database: stop it, set DATABASE_URL or DATA_DIR ' +
        'to another one, or wait for it with --standby.',
    )
  return owned
}

async function startServices(): Promise<void> {
  // Its fence ends the sessions of who had the database before, and a pooler hides whose they are.
  const databaseUrl =
    settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL ?? postgres?.socketUrl ?? ''
  const port = settings.PORT === 0 ? await freePort(settings.HOST) : settings.PORT
  const taken = await own(databaseUrl, port)
  if (taken === null) return
  const { fence, reason, isRenewed } = taken
  if (standby) waiting.because('it takes over')
  log.info('standalone.owns-database', { reason })
  const { keys, apiKey } = await readSecrets()
  const config = {
    service: 'standalone',
    settings,
    databaseUrl,
    masterKeys: keys,
    poolSize: POOL_SIZE,
    bulkUrl: databaseUrl === postgres?.socketUrl ? postgres.url : undefined,
    fence,
  }
  const clients = await openClients(config, log, metrics)
  // Where no other process can be sending any more, what was leased when the last one ended is
  // taken at once. Otherwise its leases end by themselves, within 10 s.
  if (reason === 'released' || reason === 'taken') await expireLeases(clients.pool)

  const url = `http://${hostInUrl(settings.HOST)}:${port}`
  const hasDemoReceiver = settings.NODE_ENV !== 'production'
  services = createProcess(
    compose(clients, {
      port,
      url,
      hasDemoReceiver,
      // Cut off from Postgres it is not ready where another may have taken over.
      isReady: () => whole.isReady() && (!standby || isRenewed()),
      beforeListening: waiting.close,
    }),
    log,
  )
  await services.start()
  await writeUrl(dataDir, url)
  const signInToken = await signInLink(databaseUrl, fence)
  process.stdout.write(greeting({ url, apiKey, signInToken, hasDemoReceiver }))
}

/** Whoever sees what is printed here has the API key anyway. */
async function signInLink(databaseUrl: string, fence: Fence): Promise<string | null> {
  const database = openPrisma(databaseUrl, 1, { fence })
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
    { name: 'database', stop: async () => await owned?.release() },
    {
      name: 'services',
      start: startServices,
      async stop(timeoutMs) {
        await waiting.end()
        await services?.stop('standalone stops', Math.min(timeoutMs, LAST_ATTEMPTS_MS))
      },
    },
  ],
  log,
  {
    lingerMs: settings.SHUTDOWN_LINGER_MS,
    ...(standby ? { replacedStopMs: HAND_OVER_MS } : {}),
  },
)
await runUntilSignal(whole, log)
