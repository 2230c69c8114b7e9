/**
 * Detects a Postgres that neither answers nor refuses: a black hole in the network, a machine that
 * stands still. The pool by itself would learn of it when a statement times out, half a minute
 * later, and once for each of its connections.
 *
 * While somebody waits and no connection of the pool receives a byte, another connection sends a
 * probe query, which tells a slow statement from silence. After silence all connections are closed,
 * because nothing will answer their statements, and whoever wants a connection is refused at once,
 * until a probe is answered again.
 *
 * A single dead connection among several is not detected. Its statement ends by its own time-out.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { interceptConnect, timedOut } from './intercept-connect.ts'

const TICK_MS = 250
/**
 * After a second: hardly a statement of ours takes as long, so a pool that works sends no probes.
 */
const PROBE_AFTER_TICKS = 4
/**
 * After 4 s a request that could not be served is answered, and its sender waits for at least 5 s.
 * A commit on a busy disk may take as long, but does not delay a probe, which reads and writes
 * nothing. Ticks are counted, not time: in a process that stood still itself none has gone by.
 */
const SILENT_AFTER_TICKS = 16
/** Then another probe is sent on another connection: what is sent into a black hole is lost. */
const PROBE_TIMEOUT_MS = 2_000

export function watchSilence(
  pool: pg.Pool,
  probeConfig: pg.ClientConfig,
  onSilent: (error: unknown) => void,
): void {
  const heardOf = new Map<pg.Client, number>()
  let borrowed = 0
  let wanted = 0
  let silentTicks = 0
  let isSilent = false
  let probing: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    if (!isSilent && borrowed + wanted === 0) return stop()
    if (hasHeard(heardOf)) silentTicks = 0
    else silentTicks += 1
    if (silentTicks >= PROBE_AFTER_TICKS && probing === undefined) void probe()
    if (silentTicks >= SILENT_AFTER_TICKS && !isSilent) fallSilent()
  }

  async function probe(): Promise<void> {
    const client = newProbe(probeConfig)
    probing = client
    heardOf.set(client, 0)
    // Otherwise the next tick sends another probe when one is needed.
    if (await isAnswered(client)) {
      silentTicks = 0
      isSilent = false
    }
    heardOf.delete(client)
    probing = undefined
    hangUp(client)
  }

  function fallSilent(): void {
    isSilent = true
    onSilent(noAnswer())
    for (const client of heardOf.keys()) if (client !== probing) hangUp(client)
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    silentTicks = 0
  }

  pool.on('connect', (client) => void heardOf.set(client, bytesOf(client)))
  pool.on('remove', (client) => void heardOf.delete(client))
  pool.on('acquire', () => void (borrowed += 1))
  pool.on('release', () => void (borrowed -= 1))

  interceptConnect(pool, (connect, callback) => {
    if (isSilent) {
      process.nextTick(callback, noAnswer())
      return
    }
    wanted += 1
    timer ??= setInterval(tick, TICK_MS).unref()
    connect((error, client, release) => {
      wanted -= 1
      callback(error, client, release)
    })
  })

  const end = pool.end.bind(pool)
  pool.end = (async () => {
    isSilent = false
    stop()
    if (probing !== undefined) hangUp(probing)
    await end()
  }) as typeof pool.end
}

/** Whether any connection has received a byte since the last call. */
function hasHeard(heardOf: Map<pg.Client, number>): boolean {
  let heard = false
  for (const [client, before] of heardOf) {
    const bytes = bytesOf(client)
    if (bytes > before) heard = true
    heardOf.set(client, bytes)
  }
  return heard
}

async function isAnswered(probe: pg.Client): Promise<boolean> {
  try {
    await probe.connect()
    await probe.query('SELECT 1')
    return true
  } catch {
    return false
  }
}

function newProbe(probeConfig: pg.ClientConfig): pg.Client {
  const client = new pg.Client({
    ...probeConfig,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  client.on('error', () => {})
  return client
}

function noAnswer(): Error {
  return timedOut('Postgres does not answer')
}

function bytesOf(client: pg.Client): number {
  return socketOf(client).bytesRead
}

/** Closes a connection without Postgres's farewell, which would wait for an answer too. */
function hangUp(client: pg.Client): void {
  socketOf(client).destroy()
}

function socketOf(client: pg.Client): Socket {
  return client.connection.stream as Socket
}
