/**
 * The HTTP server that every service shares: routers in, one port out. It gives each request an id,
 * answers every failure with the envelope, limits what a connection may take, and stops without
 * cutting off a running request.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createAllowedMethods, type KnownRoute } from './allowed-methods.ts'
import { commonHeaders, sendError } from './answer.ts'
import { answerBrokenHttp } from './broken-http.ts'
import { createDoors } from './doors.ts'
import type { ErrorAnswer, ErrorAnswerer } from './errors.ts'
import {
  createOperationsRouter,
  OPERATION_ROUTES,
  type OperationsDeps,
} from './operations-router.ts'
import type { RequestScope } from './request-scope.ts'
import { type BeginInTurn, createRequestTurns } from './request-turns.ts'
import type { Router } from './router.ts'
import type { Serve } from './serve.ts'
import { createUpgrades } from './upgrades.ts'

export interface HttpServerDeps {
  routers: readonly Router[]
  /** All routes of the installation, whichever process answers them: for 404 and 405. */
  routes: readonly KnownRoute[]
  operations: OperationsDeps
  /** The OpenAPI document. */
  document(): object
  answerError: ErrorAnswerer
  /**
   * A request's work begins, or goes on after it waited: for the report of what kept the event loop
   * busy.
   */
  onWork?(route: string, tenantId: string, requestId: string): void
  /** Called once for each answer; `route` is '' where no route was found. */
  observe(entry: { route: string; method: string; status: number; seconds: number }): void
}

export interface HttpServer {
  /** Resolves with the port; 0 asks for any free one. */
  listen(host: string, port: number): Promise<number>
  /**
   * Takes no new connections, finishes what runs, ends what waits, and cuts off what is left after
   * `timeoutMs`.
   */
  close(timeoutMs: number): Promise<void>
}

const LIMITS = {
  /** Keys, ids and what proxies add; Node's own default. */
  maxHeaderSize: 16 * 1024,
  /** A client that sends its headers slower than this is not one. */
  headersTimeout: 10_000,
  /** 8 MiB, the largest body, at 2.3 Mbit/s. */
  requestTimeout: 30_000,
  /** How often the two limits above are checked. */
  connectionsCheckingInterval: 2_000,
  /**
   * Longer than the 60 s of common proxies, which then never send into a connection that we just
   * closed.
   */
  keepAliveTimeout: 65_000,
}
/** Each takes some 20 KB: 200 MB. */
const MAX_CONNECTIONS = 10_000

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const closing = new AbortController()
  const beginInTurn = createRequestTurns()
  const listener = createListener({ ...deps, beginInTurn }, closing.signal)
  // Without a Host a request gets our envelope instead of Node's bare 400.
  const { answerError } = deps
  const upgrades = createUpgrades(deps.routers, { answerError, requestIdOf, beginInTurn })
  const options = { requireHostHeader: false, shouldUpgradeCallback: upgrades.takes }
  const server = createServer({ ...LIMITS, ...options }, listener)
  upgrades.serve(server, closing.signal)
  server.on('clientError', answerBrokenHttp)
  const doors = createDoors(server, MAX_CONNECTIONS)
  return {
    listen: doors.listen,
    async close(timeoutMs) {
      closing.abort()
      const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
      await doors.close()
      clearTimeout(timer)
    },
  }
}

/**
 * Hot routes bypass Express when a request's URL is just their path, and so do requests below a
 * prefix. All others, those with a query or a slash at the end among them, go through it;
 * docs/decisions/0011 has the figures.
 */
function createListener(
  deps: HttpServerDeps & { beginInTurn: BeginInTurn },
  closing: AbortSignal,
): (request: IncomingMessage, response: ServerResponse) => void {
  const app = createApp(deps)
  const { onWork = () => undefined } = deps
  const isLeaving = createIsLeaving(deps.operations)
  const hot = new Map(deps.routers.flatMap((router) => [...(router.hot ?? [])]))
  const prefixes = deps.routers.flatMap((router) => router.prefix ?? [])
  const find = ({ method = '', url = '' }: IncomingMessage): Serve | undefined =>
    hot.get(`${method} ${url}`) ??
    prefixes.find(({ path, methods }) => url.startsWith(path) && methods.includes(method))?.serve

  function serveRequest(
    request: IncomingMessage,
    response: ServerResponse,
    scope: RequestScope,
  ): void {
    scope.atWork()
    const serve = hasHost(request) ? find(request) : undefined
    if (serve === undefined) {
      for (const [name, value] of Object.entries(commonHeaders(scope.requestId)))
        response.setHeader(name, value)
      app(request, Object.assign(response, { locals: scope }))
      return
    }
    serve(request, response, scope, NOTHING_IN_URL).catch((error: unknown) =>
      answerFailure(
        request,
        response,
        scope,
        deps.answerError(error, scope.requestId, scope.route),
      ),
    )
  }

  return (request, response) => {
    const scope: RequestScope = {
      requestId: requestIdOf(request),
      route: '',
      closing,
      tenantId: '',
      atWork: () => onWork(scope.route, scope.tenantId, scope.requestId),
    }
    observeEnd(request, response, scope, deps.observe)
    // The sender's next request then opens a new connection, to whoever takes over.
    if (isLeaving()) response.setHeader('Connection', 'close')
    deps.beginInTurn(request, () => serveRequest(request, response, scope))
  }
}

const NOTHING_IN_URL = { params: {}, query: {} }

function createApp(deps: HttpServerDeps): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.set('query parser', 'simple')
  const allowedMethods = createAllowedMethods([...deps.routes, ...OPERATION_ROUTES])

  app.use((request, response, next) => {
    if (!hasHost(request)) throw new ApiError('BAD_REQUEST', 'the Host header is missing')
    if (request.method !== 'OPTIONS') return next()
    const methods = allowedMethods(request.path)
    if (methods.length === 0) return next()
    response.writeHead(204, { Allow: methods.join(', ') }).end()
  })
  // Whether the process lives is answered before all that takes longer.
  createOperationsRouter(deps.operations, deps.document).mount(app)
  for (const router of deps.routers) router.mount(app)
  for (const path of deps.routers.flatMap((router) => [...(router.upgrades?.keys() ?? [])])) {
    app.get(path, () => {
      throw new ApiError('BAD_REQUEST', 'this is a WebSocket: send Upgrade: websocket')
    })
  }
  app.use((request) => {
    throw refuse(request, allowedMethods(request.path))
  })
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const scope = response.locals as RequestScope
    const answer = deps.answerError(error, scope.requestId, scope.route)
    if (answer.body.code === 'METHOD_NOT_ALLOWED' && !response.headersSent) {
      response.setHeader('Allow', allowedMethods(request.path).join(', '))
    }
    answerFailure(request, response, scope, answer)
  })
  return app
}

function answerFailure(
  request: IncomingMessage,
  response: ServerResponse,
  scope: RequestScope,
  answer: ErrorAnswer,
): void {
  if (response.headersSent) response.destroy()
  else sendError(response, answer, request.url ?? '', commonHeaders(scope.requestId))
}

function hasHost(request: IncomingMessage): boolean {
  return request.httpVersion !== '1.1' || request.headers.host !== undefined
}

/** Whether the process was ready and is no longer: its last requests are being served. */
function createIsLeaving({ isReady }: Pick<OperationsDeps, 'isReady'>): () => boolean {
  let wasReady = false
  return () => {
    const ready = isReady()
    wasReady ||= ready
    return wasReady && !ready
  }
}

function refuse(request: Request, allowed: readonly string[]): ApiError {
  if (allowed.length === 0) return new ApiError('NOT_FOUND', 'no such route')
  if (allowed.includes(request.method)) return new ApiError('NOT_FOUND', 'no such resource')
  return new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here; see Allow`)
}

/** Visible ASCII: it goes into headers, logs and columns as it is. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

function observeEnd(
  request: IncomingMessage,
  response: ServerResponse,
  scope: RequestScope,
  observe: HttpServerDeps['observe'],
): void {
  const startedAt = performance.now()
  response.on('finish', () => {
    const seconds = (performance.now() - startedAt) / 1_000
    observe({
      route: scope.route,
      method: request.method ?? '',
      status: response.statusCode,
      seconds,
    })
    // A request that began before the end is answered, and its connection is then closed instead of
    // kept.
    if (scope.closing.aborted) request.socket.destroySoon()
  })
}
