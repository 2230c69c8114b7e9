/**
 * Manages the connections of the process: which are open, which are idle, who waits for one. Each
 * serves one request at a time, so a slow endpoint has as many connections as it has requests and
 * nobody waits behind it.
 *
 * A pool is everything that may share connections: one origin under one set of rules. It exists
 * while it has a connection or somebody waiting, so the limit on sockets bounds the pools as well,
 * and an idle pool is gone when its last connection times out. Where the limit is reached, the
 * connection that was idle longest is closed. A pool has no limit of its own: many tenants' URLs
 * are at one origin, and whoever hangs there must not keep the others from a connection. How much
 * may be under way at an origin is for the sender to say (the dispatcher's `windows.ts`).
 *
 * undici's own Pool is not used: it can't tell whether a connection has served before, can't give a
 * new one, has no limit over all pools, and keeps a request in its queue that was given up while
 * its connection opened.
 */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { SendFailure } from './error-category.ts'
import { createInterimResponses } from './interim-responses.ts'
import type { OpenOutcome, Opening, EgressRoute } from './open-socket.ts'
import { openSocket } from './open-socket.ts'
import type { Lookup } from './resolve-name.ts'

export interface ConnectionLimits {
  maxSockets: number
  /** How long a connection may be idle when the server does not say. */
  keepAliveMs: number
  /** The longest idle time that a server's `Keep-Alive: timeout=` gets. */
  keepAliveMaxMs: number
  /** A connection older than this is not used again, so that a name's new addresses are seen. */
  maxAgeMs: number
  maxHeaderBytes: number
}

/** Whoever wants a connection. `ended`: it wants none any more. */
interface Seeker {
  readonly ended: boolean
  /** The owner of the request: its slow names never delay another owner's. */
  readonly owner: string
}

export interface ConnectionPool<S extends Seeker> {
  readonly key: string
  readonly origin: string
  readonly route: EgressRoute
  readonly open: Set<Connection<S>>
  /** The one used last is used next, so that the surplus of a burst times out. */
  readonly idle: Connection<S>[]
  readonly waiting: S[]
}

export interface Connection<S extends Seeker> {
  readonly pool: ConnectionPool<S>
  readonly openedAt: number
  opening: Opening | undefined
  socket: Socket | undefined
  client: Client | undefined
  /** Requests that it has answered. */
  served: number
  beginRequest(): void
}

export interface ConnectionEvents<S extends Seeker> {
  /** A connection is being opened for the seeker, who may give it up by `discard`. */
  onOpening(seeker: S, connection: Connection<S>): void
  /** The connection is the seeker's until `release` or `discard`. */
  onReady(seeker: S, connection: Connection<S>): void
  onFailed(seeker: S, failure: SendFailure): void
}

export interface Connections<S extends Seeker> {
  poolFor(key: string, make: () => { origin: string; route: EgressRoute }): ConnectionPool<S>
  /**
   * Gives an idle connection at once, else one that is opened, else the next that becomes free.
   * `events` tells which.
   */
  seek(pool: ConnectionPool<S>, seeker: S): void
  /**
   * For a seeker that has just lost its connection: it gets a new one, before those that wait. It
   * gets one that has served before only if somebody else was faster.
   */
  seekFresh(pool: ConnectionPool<S>, seeker: S): void
  release(connection: Connection<S>): void
  discard(connection: Connection<S>): void
  counts(): { pools: number; sockets: number; idle: number }
  close(): Promise<void>
}

/** undici wants to connect again when its socket is gone; a client of ours has one socket only. */
export const CONNECTION_GONE = 'ERR_CONNECTION_GONE'

// oxlint-disable-next-line max-lines-per-function -- its lists must change together
export function createConnections<S extends Seeker>(
  limits: ConnectionLimits,
  lookup: Lookup,
  events: ConnectionEvents<S>,
): Connections<S> {
  const pools = new Map<string, ConnectionPool<S>>()
  /** Idle connections of all pools, the longest idle first. */
  const idle = new Set<Connection<S>>()
  /** Pools with somebody waiting. A pool that was served goes to the end. */
  const starved = new Set<ConnectionPool<S>>()
  let sockets = 0

  function takeIdle(pool: ConnectionPool<S>): Connection<S> | undefined {
    for (let found = pool.idle.pop(); found; found = pool.idle.pop()) {
      idle.delete(found)
      if (!found.socket?.destroyed) return found
    }
    return undefined
  }

  function hasCapacity(): boolean {
    if (sockets < limits.maxSockets) return true
    const [oldest] = idle
    if (!oldest) return false
    discard(oldest)
    return true
  }

  function open(pool: ConnectionPool<S>, seeker: S): void {
    const interim = createInterimResponses()
    const connection: Connection<S> = {
      pool,
      openedAt: performance.now(),
      opening: undefined,
      socket: undefined,
      client: undefined,
      served: 0,
      beginRequest: interim.begin,
    }
    sockets++
    pool.open.add(connection)
    if (!pools.has(pool.key)) pools.set(pool.key, pool)
    events.onOpening(seeker, connection)
    const lookupOfOwner = (hostname: string) => lookup(hostname, seeker.owner)
    connection.opening = openSocket(pool.route, lookupOfOwner, (opened: OpenOutcome) => {
      connection.opening = undefined
      if (opened.outcome === 'failed') {
        forget(connection)
        events.onFailed(seeker, opened)
        return
      }
      const { socket } = opened
      connection.socket = socket
      socket.once('close', () => forget(connection))
      readThrough(socket, interim.pass)
      connection.client = clientOver(socket, pool.origin, limits)
      events.onReady(seeker, connection)
    })
  }

  function seek(pool: ConnectionPool<S>, seeker: S): void {
    // First come, first served.
    const isNext = pool.waiting.length === 0
    const found = isNext ? takeIdle(pool) : undefined
    if (found) events.onReady(seeker, found)
    else if (isNext && hasCapacity()) open(pool, seeker)
    else wait(pool, seeker)
  }

  function seekFresh(pool: ConnectionPool<S>, seeker: S): void {
    if (hasCapacity()) open(pool, seeker)
    else wait(pool, seeker)
  }

  function wait(pool: ConnectionPool<S>, seeker: S): void {
    pool.waiting.push(seeker)
    starved.add(pool)
  }

  /** Drops a connection from all lists; called when it closes, at the latest. */
  function forget(connection: Connection<S>): void {
    const { pool } = connection
    if (!pool.open.delete(connection)) return
    sockets--
    if (idle.delete(connection)) pool.idle.splice(pool.idle.indexOf(connection), 1)
    if (starved.size > 0) queueMicrotask(serveStarved)
    else dropEmpty(pool)
  }

  function dropEmpty(pool: ConnectionPool<S>): void {
    if (pool.open.size > 0 || pool.waiting.length > 0) return
    if (pools.get(pool.key) === pool) pools.delete(pool.key)
  }

  function discard(connection: Connection<S>): void {
    connection.opening?.cancel()
    connection.socket?.destroy()
    forget(connection)
  }

  function release(connection: Connection<S>): void {
    connection.served++
    const { pool, socket } = connection
    // If the answer came before the server had read the whole request, bytes are left that the next
    // request would wait behind.
    const halfSent = socket === undefined || socket.destroyed || socket.writableLength > 0
    if (halfSent || performance.now() - connection.openedAt > limits.maxAgeMs) {
      discard(connection)
      return
    }
    pool.idle.push(connection)
    idle.add(connection)
    // Not synchronously: undici is still in the middle of the response that ended.
    if (starved.size > 0) queueMicrotask(serveStarved)
  }

  /** Serves one seeker of each pool in turn, so that a long queue of one pool delays no other. */
  function serveStarved(): void {
    for (let progress = true; progress; ) {
      progress = false
      const round = [...starved]
      for (const pool of round) {
        if (sockets >= limits.maxSockets && idle.size === 0) return
        if (serveOne(pool)) progress = true
      }
    }
  }

  function serveOne(pool: ConnectionPool<S>): boolean {
    while (pool.waiting[0]?.ended) pool.waiting.shift()
    starved.delete(pool)
    const seeker = pool.waiting[0]
    if (!seeker) {
      dropEmpty(pool)
      return false
    }
    const found = takeIdle(pool)
    const served = found !== undefined || hasCapacity()
    if (served) pool.waiting.shift()
    if (pool.waiting.length > 0) starved.add(pool)
    if (found) events.onReady(seeker, found)
    else if (served) open(pool, seeker)
    return served
  }

  return {
    poolFor(key, make) {
      const known = pools.get(key)
      if (known) return known
      const pool: ConnectionPool<S> = { key, ...make(), open: new Set(), idle: [], waiting: [] }
      pools.set(key, pool)
      return pool
    },
    seek,
    seekFresh,
    release,
    discard,
    counts: () => ({ pools: pools.size, sockets, idle: idle.size }),
    async close() {
      const all = [...pools.values()].flatMap((pool) => [...pool.open])
      const closed = all.map(({ socket }) => untilClosed(socket))
      for (const connection of all) discard(connection)
      pools.clear()
      starved.clear()
      await Promise.all(closed)
    },
  }
}

/** undici's client over an open socket. Deadlines are the caller's, so its own timers are off. */
function clientOver(socket: Socket, origin: string, limits: ConnectionLimits): Client {
  let given = false
  const client = new Client(origin, {
    connect(_options, callback) {
      // Not synchronously: undici would not notice that it may go on.
      queueMicrotask(() => {
        if (given) callback(connectionGone(), null)
        else callback(null, socket)
        given = true
      })
    },
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMaxMs,
    maxHeaderSize: limits.maxHeaderBytes,
  })
  // An error in undici's own bookkeeping costs this connection, not the process.
  const emitter: EventEmitter = client
  emitter.on('error', () => socket.destroy())
  return client
}

function untilClosed(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!socket || socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
}

function connectionGone(): Error {
  return Object.assign(new Error('the connection is gone'), { code: CONNECTION_GONE })
}

/** undici reads its socket by calling `read`, and in no other way. */
function readThrough(socket: Socket, pass: (chunk: Buffer) => void): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (chunk !== null) pass(chunk)
    return chunk
  }
}
