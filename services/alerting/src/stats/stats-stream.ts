/**
 * WebSockets that are sent the stats of their tenant once a second: read and serialised once for
 * each tenant, and sent to all of its sockets as they are.
 *
 * Nothing is piled up for a client that does not read: it misses frames while 64 KiB wait for it,
 * and is closed at the fourth. A frame has some 250 bytes, so that the system's own buffers hold
 * an hour of them: a client that answers no ping is closed as well. Credentials are looked up again
 * while a socket lasts.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTicker } from '@posthorn/async/ticker'
import { ApiError } from '@posthorn/contracts/errors'
import { type Stats, STATS_CLOSE } from '@posthorn/contracts/stats'
import type { Upgrade } from '@posthorn/http/router'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import { type WebSocket, WebSocketServer } from 'ws'
import type { StreamCredentials } from './enter-stream.ts'
import { createSocketSlots, type SocketSlotsDeps } from './socket-slots.ts'

export interface StatsStreamConfig {
  /** Over all instances. */
  maxSocketsPerTenant: number
  pingMs: number
  /** With a round of a second and a look-up of another, a revoked key ends within 10 s. */
  recheckMs: number
}

export const STREAM_DEFAULTS: StatsStreamConfig = {
  maxSocketsPerTenant: 20,
  pingMs: 15_000,
  recheckMs: 7_000,
}

export interface StatsStreamDeps {
  enter(
    request: IncomingMessage,
  ): Promise<{ caller: { tenantId: string }; credentials: StreamCredentials }>
  mayStay(credentials: StreamCredentials, tenantId: string): Promise<boolean>
  read(tenantIds: readonly string[]): Promise<Map<string, Stats>>
  /** Monotonic ms. */
  nowMs(): number
  state: SocketSlotsDeps['state']
  metrics: Pick<Metrics, 'count' | 'set'>
  log: Pick<Log, 'warn'>
}

export interface StatsStream {
  upgrade: Upgrade
  /** Something about the tenant has changed: its sockets' credentials are looked up again. */
  recheckTenant(tenantId: string): void
  /** Sends the stats of now to all. */
  sendAll(): Promise<void>
  /** Looks up the credentials whose time has come. */
  recheck(): Promise<void>
  start(): void
  stop(): Promise<void>
}

type CloseReason = 'client' | 'slow' | 'silent' | 'unauthorized' | 'stopping'

interface Client {
  socket: WebSocket
  tenantId: string
  credentials: StreamCredentials
  missed: number
  pingedAt: number
  isAlive: boolean
  checkedAt: number
  /** When it was told to close, and why; null: it was not. */
  closed: { at: number; reason: CloseReason } | null
}

const EVERY_MS = 1_000
const MAX_BUFFERED_BYTES = 64 * 1024
const MAX_MISSED = 4
/** Whoever does not answer a close by then is cut off. */
const CLOSE_MS = 2_000
/** Clients have nothing to say. */
const MAX_RECEIVED_BYTES = 1_024
/** Some 5 ms. */
const SOCKETS_PER_TURN = 200
const GOING_AWAY = 1_001
/** A slot is renewed three times within the time after which it would be free. */
const SLOT_MS = 10_000
const RENEW_MS = 3_000

const SERVER = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_RECEIVED_BYTES,
}

export function createStatsStream(config: StatsStreamConfig, deps: StatsStreamDeps): StatsStream {
  const server = new WebSocketServer(SERVER)
  const perTenant = config.maxSocketsPerTenant
  const slots = createSocketSlots({ perTenant, ttlMs: SLOT_MS }, deps)
  const clients = createClients(slots.release, deps)
  const attend = createAttend(config, clients.close)
  const recheckAll = (): Promise<void> => recheck(clients, config, deps)
  const { nowMs, log } = deps

  async function sendAll(): Promise<void> {
    const tenants = clients.tenants()
    if (tenants.length === 0) return
    const stats = await deps.read(tenants)
    const now = nowMs()
    let sent = 0
    for (const tenantId of tenants) {
      const found = stats.get(tenantId)
      if (found === undefined) continue
      const frame = Buffer.from(JSON.stringify(found))
      for (const client of clients.ofTenant(tenantId)) {
        attend(client, frame, now)
        sent += 1
        if (sent % SOCKETS_PER_TURN === 0) await nextTurn()
      }
    }
  }

  const onError = (what: string) => (error: unknown) => log.warn(`alerting.${what}`, { error })
  const sending = createTicker(
    { name: 'stats', everyMs: EVERY_MS, onError: onError('stats-not-sent') },
    sendAll,
  )
  const rechecking = createTicker(
    { name: 'stats-recheck', everyMs: EVERY_MS, onError: onError('stats-not-rechecked') },
    recheckAll,
  )
  const renewing = createTicker(
    { name: 'stats-slots', everyMs: RENEW_MS, onError: onError('stats-slots-not-renewed') },
    slots.renew,
  )
  return {
    async upgrade(request, socket, head, closing) {
      const {
        caller: { tenantId },
        credentials,
      } = await deps.enter(request)
      const slot = (await slots.take(tenantId)) ?? refuse(perTenant)
      let isIn = false
      server.handleUpgrade(request, socket as Duplex, head, (accepted) => {
        isIn = true
        clients.add({ socket: accepted, tenantId, slot, credentials, closing })
      })
      // What is no handshake, or gone, has been answered.
      if (!isIn) slots.release(tenantId, slot)
    },
    recheckTenant(tenantId) {
      for (const client of clients.ofTenant(tenantId)) client.checkedAt = -Infinity
    },
    sendAll,
    recheck: recheckAll,
    start() {
      sending.start()
      rechecking.start()
      renewing.start()
    },
    async stop() {
      await Promise.all([sending.stop(), rechecking.stop(), renewing.stop()])
      for (const client of clients.all()) clients.close(client, 'stopping')
    },
  }
}

function refuse(perTenant: number): never {
  const message = `a workspace may have ${perTenant} streams of stats at once`
  throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: 1 })
}

/** What a client gets in a round: a frame, a ping, or its end. */
function createAttend(
  { pingMs }: Pick<StatsStreamConfig, 'pingMs'>,
  close: Clients['close'],
): (client: Client, frame: Buffer, now: number) => void {
  return (client, frame, now) => {
    const { socket, closed } = client
    if (closed !== null) {
      if (now - closed.at >= CLOSE_MS) socket.terminate()
      return
    }
    if (now - client.pingedAt >= pingMs) {
      if (!client.isAlive) return close(client, 'silent')
      client.isAlive = false
      client.pingedAt = now
      socket.ping()
    }
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      client.missed += 1
      if (client.missed >= MAX_MISSED) close(client, 'slow')
      return
    }
    client.missed = 0
    socket.send(frame, { binary: false })
  }
}

async function recheck(
  clients: Clients,
  { recheckMs }: StatsStreamConfig,
  { mayStay, nowMs }: Pick<StatsStreamDeps, 'mayStay' | 'nowMs'>,
): Promise<void> {
  const now = nowMs()
  const due = clients
    .all()
    .filter(({ checkedAt, closed }) => closed === null && now - checkedAt >= recheckMs)
  for (const client of due) client.checkedAt = now
  await Promise.all(
    due.map(async (client) => {
      const may = await mayStay(client.credentials, client.tenantId)
      if (!may && client.closed === null) clients.close(client, 'unauthorized')
    }),
  )
}

interface Admitted {
  socket: WebSocket
  tenantId: string
  slot: number
  credentials: StreamCredentials
  closing: AbortSignal
}

interface Clients {
  add(admitted: Admitted): void
  tenants(): string[]
  ofTenant(tenantId: string): Client[]
  all(): Client[]
  close(client: Client, reason: CloseReason): void
}

const CLOSE_CODES: Record<Exclude<CloseReason, 'client'>, number> = {
  slow: STATS_CLOSE.slow,
  silent: STATS_CLOSE.slow,
  unauthorized: STATS_CLOSE.unauthorized,
  stopping: GOING_AWAY,
}

function createClients(
  release: (tenantId: string, slot: number) => void,
  { metrics, nowMs }: Pick<StatsStreamDeps, 'metrics' | 'nowMs'>,
): Clients {
  const byTenant = new Map<string, Set<Client>>()
  const all = (): Client[] => [...byTenant.values()].flatMap((clients) => [...clients])

  function add({ socket, tenantId, slot, credentials, closing }: Admitted): void {
    const now = nowMs()
    const seen = { missed: 0, pingedAt: now, isAlive: true, checkedAt: now, closed: null }
    const client: Client = { socket, tenantId, credentials, ...seen }
    const ofTenant = byTenant.get(tenantId) ?? new Set()
    byTenant.set(tenantId, ofTenant.add(client))
    metrics.set('posthorn_stats_sockets', {}, all().length)
    const end = (): void => {
      close(client, 'stopping')
      socket.terminate()
    }
    closing.addEventListener('abort', end)
    socket.on('pong', () => {
      client.isAlive = true
    })
    // What is wrong with a connection shows in its close.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closing.removeEventListener('abort', end)
      release(tenantId, slot)
      ofTenant.delete(client)
      if (ofTenant.size === 0 && byTenant.get(tenantId) === ofTenant) byTenant.delete(tenantId)
      metrics.set('posthorn_stats_sockets', {}, all().length)
      const reason = client.closed?.reason ?? 'client'
      metrics.count('posthorn_stats_sockets_closed_total', { reason })
    })
    if (closing.aborted) end()
  }

  function close(client: Client, reason: CloseReason): void {
    if (client.closed !== null || reason === 'client') return
    client.closed = { at: nowMs(), reason }
    client.socket.close(CLOSE_CODES[reason], reason)
  }

  return {
    add,
    tenants: () => [...byTenant.keys()],
    ofTenant: (tenantId) => [...(byTenant.get(tenantId) ?? [])],
    all,
    close,
  }
}
