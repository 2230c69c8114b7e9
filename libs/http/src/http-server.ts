/**
 * The HTTP server that every service shares: routers in, one port out. It gives each request an id,
 * answers every failure with the envelope, bounds what a connection may take, and stops without
 * cutting off a running request.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@posthorn/contracts/errors'
import express, { type NextFunction, type Request, type Response, type Router } from 'express'
import { createAllowedMethods, type KnownRoute } from './allowed-methods.ts'
import { sendError } from './answer.ts'
import { answerBrokenHttp } from './broken-http.ts'
import type { ErrorAnswerer } from './errors.ts'
import { createOperationsRouter, OPERATION_ROUTES, type Operations } from './operations-router.ts'

export interface HttpServerDeps {
  routers: readonly Router[]
  /** All that the installation knows, whichever process answers it: for 404 and 405. */
  routes: readonly KnownRoute[]
  operations: Operations
  /** The OpenAPI document. */
  document(): object
  answerError: ErrorAnswerer
  /** Called once for each answer; `route` is '' where no route was found. */
  observe(entry: { route: string; method: string; status: number; seconds: number }): void
}

export interface HttpServer {
  /** Resolves with the port: that of 0 is any free one. */
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
  /** How often the two above are looked at. */
  connectionsCheckingInterval: 2_000,
  /**
   * Longer than the 60 s of common proxies, which then never send into a connection that we just
   * closed.
   */
  keepAliveTimeout: 65_000,
}
/** Each some 20 KB: 200 MB. */
const MAX_CONNECTIONS = 10_000

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const closing = new AbortController()
  const app = createApp(deps, closing.signal)
  // Without a Host a request gets our envelope instead of Node's bare 400.
  const server = createServer({ ...LIMITS, requireHostHeader: false }, app)
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', answerBrokenHttp)
  return {
    async listen(host, port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return (server.address() as AddressInfo).port
    },
    async close(timeoutMs) {
      closing.abort()
      await closeServer(server, timeoutMs)
    },
  }
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearTimeout(timer)
}

function createApp(deps: HttpServerDeps, closing: AbortSignal): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.set('query parser', 'simple')
  const allowedMethods = createAllowedMethods([...deps.routes, ...OPERATION_ROUTES])

  app.use((request, response, next) => {
    begin(request, response, deps.observe)
    response.locals.closing = closing
    // What began before the end is answered, and its connection then closed instead of kept.
    response.on('finish', () => closing.aborted && request.socket.destroySoon())
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new ApiError('BAD_REQUEST', 'the Host header is missing')
    }
    if (request.method !== 'OPTIONS') return next()
    const methods = allowedMethods(request.path)
    if (methods.length === 0) return next()
    response.writeHead(204, { Allow: methods.join(', ') }).end()
  })
  for (const router of deps.routers) app.use(router)
  app.use(createOperationsRouter(deps.operations, deps.document))
  app.use((request) => {
    throw refuse(request, allowedMethods(request.path))
  })
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const { requestId, route } = response.locals
    const answer = deps.answerError(error, requestId, route ?? '')
    if (response.headersSent) {
      response.destroy()
      return
    }
    if (answer.body.code === 'METHOD_NOT_ALLOWED') {
      response.setHeader('Allow', allowedMethods(request.path).join(', '))
    }
    sendError(response, answer)
  })
  return app
}

function refuse(request: Request, allowed: readonly string[]): ApiError {
  if (allowed.length === 0) return new ApiError('NOT_FOUND', 'no such route')
  if (allowed.includes(request.method)) return new ApiError('NOT_FOUND', 'no such resource')
  return new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here; see Allow`)
}

/** Visible ASCII: it goes into headers, logs and columns as it is. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

function begin(request: Request, response: Response, observe: HttpServerDeps['observe']): void {
  const given = request.headers['x-request-id']
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  response.locals.requestId = requestId
  response.setHeader('X-Request-Id', requestId)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Cache-Control', 'no-store')
  const startedAt = performance.now()
  response.on('finish', () => {
    const seconds = (performance.now() - startedAt) / 1_000
    const { route = '' } = response.locals
    observe({ route, method: request.method, status: response.statusCode, seconds })
  })
}
