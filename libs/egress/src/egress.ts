/**
 * The only way out of the product: one HTTP request to somebody else's server, with every address
 * checked before a connection is made (`open-socket.ts`), a deadline over the whole attempt, and
 * limits on what comes back.
 *
 * It promises that it never connects to an address that the rules refuse; that it never follows a
 * redirect, uses a proxy or decompresses a body; that an attempt ends within its time, whatever the
 * other side does; and that it always answers with a result. It does not promise that a request was
 * sent only once: a connection that the server closed just as we reused it is replaced by a new
 * one, at once and within the same time, and that no byte of an answer has come does not prove that
 * the request was not read. Delivery is at least once anyway.
 *
 * Measured on 2 vCPU, 64 at a time against a node:http sink in another process (`bench/send.ts`,
 * three runs): 25 to 29 us CPU each, 24,000 to 39,000 requests/s; up to 71 us while much other work
 * shares the cores.
 */
import {
  addLast,
  createLinkedList,
  itemsOf,
  leaveList,
  type ListEntry,
} from '@posthorn/async/linked-list'
import { memoize } from '@posthorn/async/memoize'
import type { Dispatcher } from 'undici'
import type { Connection, ConnectionLimits, ConnectionPool } from './connections.ts'
import { CONNECTION_GONE, createConnections } from './connections.ts'
import type { SendFailure, SendErrorCategory } from './error-category.ts'
import type { ExchangeEnd, ReceivedResponse } from './exchange.ts'
import { Exchange } from './exchange.ts'
import type { Lookup } from './resolve-name.ts'
import { codeOf, createNameResolver } from './resolve-name.ts'
import type { RouteConfig, RouteRequest } from './routes.ts'
import { createRoutes } from './routes.ts'

export interface EgressConfig extends ConnectionLimits, RouteConfig {
  requireHttps: boolean
  /** Bytes of a response body that are kept. */
  maxResponseBodyBytes: number
  /**
   * Bytes of a response body that are read, the kept ones included, before the connection is
   * closed.
   */
  maxReadBytes: number
}

export const EGRESS_DEFAULTS: EgressConfig = {
  allowCidrs: [],
  requireHttps: false,
  demoReceiver: undefined,
  ca: undefined,
  maxResponseBodyBytes: 16 * 1024,
  maxReadBytes: 1024 * 1024,
  // The limit of Node's own client.
  maxHeaderBytes: 16 * 1024,
  // The dispatcher's 2,048 slots, and as many idle connections; a fifth of the 20,000 descriptors
  // that a container usually has. `MAX_TRIES_IN_FLIGHT` is never more.
  maxSockets: 4096,
  // Node's servers close after 5 s, and many proxies follow them.
  keepAliveMs: 4000,
  keepAliveMaxMs: 10_000,
  // A change of DNS is seen within the minute that most failovers set as their TTL.
  maxAgeMs: 60_000,
}

export interface OutgoingRequest extends RouteRequest {
  url: string
  /** Default: POST. */
  method?: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  /**
   * The tenant, as a rule: one owner's names that are slow to resolve delay no other's. Default: no
   * owner.
   */
  owner?: string | undefined
  /**
   * For the whole attempt: the name, the connection, the handshake, the answer to its last byte.
   */
  timeoutMs: number
  /**
   * Asked when there is a connection, just before the request is written. If it answers false, the
   * request is not sent: see `withheld`.
   */
  mayGo?: () => boolean
}

/** URLs of up to some 4 KiB each: 4 MB. */
const MAX_URLS = 1_000

interface Timing {
  /** `performance.now()` just before the request was written; null when it was not. */
  firstByteOutAt: number | null
  lastByteInAt: number
  durationMs: number
}

export type SendResponse = ReceivedResponse & Timing & { firstByteOutAt: number }
export type SendError = {
  outcome: 'error'
  category: SendErrorCategory
  detail: string
  /**
   * `mayGo` answered false. Nothing was sent, unless the connection broke and this would have been
   * the second time.
   */
  withheld?: true
} & Timing
export type SendResult = SendResponse | SendError

export interface Egress {
  /** Never rejects. */
  send(request: OutgoingRequest): Promise<SendResult>
  /** For metrics. */
  counts(): { pools: number; sockets: number; idle: number }
  /** Ends what is under way as `internal` and resolves when every socket is closed. */
  close(): Promise<void>
}

interface SendAttempt {
  readonly pool: ConnectionPool<SendAttempt>
  readonly options: Dispatcher.DispatchOptions
  readonly owner: string
  readonly startedAt: number
  readonly timeoutMs: number
  readonly resolve: (result: SendResult) => void
  readonly mayGo: (() => boolean) | undefined
  timer: NodeJS.Timeout | undefined
  /** Its place among those that are running. */
  entry: ListEntry<SendAttempt> | undefined
  connection: Connection<SendAttempt> | undefined
  exchange: Exchange<SendAttempt> | undefined
  /** Whether a closed connection has been replaced once. */
  replaced: boolean
  ended: boolean
}

const WITHHELD = {
  outcome: 'error',
  category: 'internal',
  detail: 'not sent: it was no longer to go',
  withheld: true,
} as const

/**
 * A reused connection that ended with one of these had been closed by the server before it saw the
 * request.
 */
const STALE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', CONNECTION_GONE])

// oxlint-disable-next-line max-lines-per-function -- the steps of one attempt share its state
export function createEgress(
  overrides: Partial<EgressConfig> = {},
  deps: { lookup?: Lookup } = {},
): Egress {
  const config: EgressConfig = { ...EGRESS_DEFAULTS, ...overrides }
  const resolver = createNameResolver()
  const bodyLimits = { keptBytes: config.maxResponseBodyBytes, readBytes: config.maxReadBytes }
  const running = createLinkedList<SendAttempt>()
  const routes = createRoutes(config)
  const parseUrl = memoize(MAX_URLS, (text) => URL.parse(text))
  const connections = createConnections<SendAttempt>(config, deps.lookup ?? resolver.lookup, {
    onOpening: assign,
    onReady: begin,
    onFailed: fail,
  })
  let closed = false

  function send(request: OutgoingRequest): Promise<SendResult> {
    const startedAt = performance.now()
    if (closed) return Promise.resolve(refusal(startedAt, 'internal', 'shutting down'))
    const url = parseUrl(request.url)
    const wrong = wrongRequest(request, url, config.requireHttps)
    if (!url || wrong) {
      return Promise.resolve(refusal(startedAt, wrong?.category ?? 'internal', wrong?.detail ?? ''))
    }
    let pool: ConnectionPool<SendAttempt>
    try {
      pool = connections.poolFor(routes.keyOf(request, url), () => routes.make(request, url))
    } catch (error) {
      // An error of OpenSSL means that it could not use the client certificate.
      const category = codeOf(error).startsWith('ERR_OSSL') ? 'tls' : 'internal'
      return Promise.resolve(refusal(startedAt, category, (error as Error).message))
    }
    return new Promise((resolve) => start(request, url, pool, startedAt, resolve))
  }

  function start(
    request: OutgoingRequest,
    url: URL,
    pool: ConnectionPool<SendAttempt>,
    startedAt: number,
    resolve: (result: SendResult) => void,
  ): void {
    const self: SendAttempt = {
      pool,
      options: {
        path: url.search === '' ? url.pathname : url.pathname + url.search,
        method: (request.method ?? 'POST') as Dispatcher.HttpMethod,
        headers: request.headers as Record<string, string>,
        body: request.body,
      },
      owner: request.owner ?? '',
      startedAt,
      timeoutMs: request.timeoutMs,
      resolve,
      mayGo: request.mayGo,
      timer: undefined,
      entry: undefined,
      connection: undefined,
      exchange: undefined,
      replaced: false,
      ended: false,
    }
    self.entry = addLast(running, self)
    self.timer = setTimeout(expire, request.timeoutMs, self)
    connections.seek(pool, self)
  }

  function assign(self: SendAttempt, connection: Connection<SendAttempt>): void {
    self.connection = connection
  }

  function begin(self: SendAttempt, connection: Connection<SendAttempt>): void {
    self.connection = connection
    if (self.mayGo !== undefined && !self.mayGo()) {
      connections.discard(connection)
      return finish(self, WITHHELD)
    }
    self.exchange = new Exchange(self, bodyLimits, onExchangeEnd)
    connection.beginRequest()
    connection.client?.dispatch(self.options, self.exchange)
  }

  function onExchangeEnd(self: SendAttempt, end: ExchangeEnd): void {
    const { connection } = self
    if ('response' in end) {
      if (connection && end.reusable) connections.release(connection)
      else if (connection) connections.discard(connection)
      finish(self, end.response)
      return
    }
    if (connection) connections.discard(connection)
    const stale = connection !== undefined && connection.served > 0 && STALE.has(end.code)
    if (stale && !end.responseBegun && !self.replaced && !closed) {
      self.replaced = true
      self.exchange = undefined
      self.connection = undefined
      connections.seekFresh(self.pool, self)
      return
    }
    fail(self, end.failure)
  }

  function expire(self: SendAttempt): void {
    const { connection, exchange } = self
    const detail = `${unfinished(self)} within ${self.timeoutMs} ms`
    const category = connection ? 'timeout' : 'internal'
    exchange?.abandon()
    if (connection) connections.discard(connection)
    fail(self, { category, detail })
  }

  function fail(self: SendAttempt, { category, detail }: SendFailure): void {
    finish(self, { outcome: 'error', category, detail })
  }

  function finish(
    self: SendAttempt,
    result: ReceivedResponse | Omit<SendError, keyof Timing>,
  ): void {
    if (self.ended) return
    self.ended = true
    clearTimeout(self.timer)
    if (self.entry !== undefined) leaveList(self.entry)
    const lastByteInAt = performance.now()
    const firstByteOutAt = self.exchange?.firstByteOutAt ?? null
    const durationMs = lastByteInAt - self.startedAt
    self.resolve({ ...result, firstByteOutAt, lastByteInAt, durationMs } as SendResult)
  }

  return {
    send,
    counts: connections.counts,
    async close() {
      closed = true
      resolver.close()
      for (const self of itemsOf(running)) {
        self.exchange?.abandon()
        fail(self, { category: 'internal', detail: 'shutting down' })
      }
      await connections.close()
    },
  }
}

function refusal(startedAt: number, category: SendErrorCategory, detail: string): SendError {
  const now = performance.now()
  const timing = { firstByteOutAt: null, lastByteInAt: now, durationMs: now - startedAt }
  return { outcome: 'error', category, detail, ...timing }
}

/**
 * `checkDestination` and the routes refuse most of this when it is written down; here only what
 * would be unsafe is refused.
 */
function wrongRequest(
  request: OutgoingRequest,
  url: URL | null,
  requireHttps: boolean,
): SendFailure | undefined {
  if (!url) return { category: 'internal', detail: 'the URL is not valid' }
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || requireHttps)) {
    return { category: 'blocked', detail: `${url.protocol} is not an allowed scheme` }
  }
  if (request.tls && request.connectionKey === undefined) {
    return { category: 'internal', detail: 'a client certificate needs a connectionKey' }
  }
  for (const name in request.headers) {
    // undici takes over a Host header, and the name that TLS verifies with it.
    if (name.length === 4 && name.toLowerCase() === 'host') {
      return { category: 'internal', detail: 'a Host header is not allowed' }
    }
  }
  return undefined
}

/** What an attempt that ran out of time was waiting for. */
function unfinished({ connection, exchange }: SendAttempt): string {
  if (exchange) return exchange.statusCode ? 'the response did not end' : 'no response'
  const phase = connection?.opening?.phase()
  if (phase === 'dns') return 'the name was not resolved'
  if (phase === 'tls') return 'the TLS handshake was not completed'
  return connection ? 'no connection' : 'no free connection'
}
