/**
 * One port in front of the services: sends each path to the service that the route catalog names, to its instances in
 * turn. An instance that can't be connected to is passed over; what was sent and not answered is never sent again here:
 * that is for the sender, who has an idempotency key.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { type Dispatcher, Pool } from 'undici'

export interface Gateway {
  port: number
  close(): Promise<void>
}

export interface GatewayConfig {
  host: string
  port: number
  /** Base URLs of each service's instances. */
  upstreams: Readonly<Record<string, readonly string[]>>
}

/** The batch route's 8 MiB and a little. */
const MAX_BODY_BYTES = 9 * 1024 * 1024
const CONNECTIONS = 64
/** For requests that wait for their answer, apart from the others: as many as a service lets wait. */
const WAITING_CONNECTIONS = 4_000
/** Longer than any answer of ours takes. */
const ANSWER_MS = 90_000
/** Documents, health, and whatever is no route. */
const OTHERWISE = 'portal-api'
/** Said by this connection, not to be passed on. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
  'expect',
]

export async function startGateway(config: GatewayConfig): Promise<Gateway> {
  const find = routeFinder(Object.values(routeCatalog('Service')))
  const quick = openPools(config, CONNECTIONS)
  const waiting = openPools(config, WAITING_CONNECTIONS)
  let turn = 0

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => unavailable(response))
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await read(request)
    if (body === null) return refuse(response, 413, 'PAYLOAD_TOO_LARGE', 'the body is too large')
    const { service, waits = false } = find(path)
    const instances = (waits ? waiting : quick).get(service) ?? []
    turn += 1
    for (let offset = 0; offset < instances.length; offset += 1) {
      const pool = instances[(turn + offset) % instances.length] as Pool
      const outcome = await forward(pool, request, path, body, response, waits)
      if (outcome === 'answered') return
      if (outcome === 'broken') break
    }
    unavailable(response)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async close() {
      server.closeIdleConnections()
      const closed = new Promise((resolve) => server.close(resolve))
      // Whoever waits is told to come again instead of being waited for.
      await Promise.all([...waiting.values()].flat().map((pool) => pool.destroy()))
      await closed
      await Promise.all([...quick.values()].flat().map((pool) => pool.close()))
    },
  }
}

function openPools({ upstreams }: GatewayConfig, connections: number): Map<string, Pool[]> {
  return new Map(
    Object.entries(upstreams).map(([service, urls]) => [
      service,
      urls.map((url) => openPool(url, connections)),
    ]),
  )
}

/** Which service a path belongs to, and whether its answer may take long. */
function routeFinder(
  routes: readonly Route[],
): (path: string) => { service: string; waits?: boolean } {
  const patterns = routes.map((route) => ({
    route,
    regex: new RegExp(`^${route.path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}/?$`),
  }))
  return (path) => {
    const bare = path.split('?', 1)[0] as string
    return patterns.find(({ regex }) => regex.test(bare))?.route ?? { service: OTHERWISE }
  }
}

function openPool(url: string, connections: number): Pool {
  return new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  })
}

async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/** unreached: nothing was sent. broken: something was, and no answer came. */
type Outcome = 'answered' | 'unreached' | 'broken'

function forward(
  pool: Pool,
  request: IncomingMessage,
  path: string,
  body: Buffer,
  response: ServerResponse,
  waits: boolean,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // What a poll fetches for a client that has left would be hidden from others.
        if (waits) response.once('close', () => controller.abort(new Error('the client left')))
      },
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return
        response.writeHead(statusCode, passedOn(headers))
      },
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd() {
        response.end()
        resolve('answered')
      },
      onResponseError(_controller, error) {
        if (response.headersSent) {
          response.destroy()
          resolve('answered')
        } else resolve(isUnreached(error) ? 'unreached' : 'broken')
      },
    }
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod
    const headers = passedOn(request.headers)
    pool.dispatch({ path, method, headers, body: body.length > 0 ? body : null }, handler)
  })
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const rest = { ...headers }
  for (const name of HOP_BY_HOP) delete rest[name]
  return rest
}

function isUnreached(error: Error): boolean {
  const code = (error as { code?: unknown }).code
  return code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT'
}

function unavailable(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.setHeader('Retry-After', '1')
  refuse(response, 503, 'UNAVAILABLE', 'the service is starting or has just stopped: try again')
}

function refuse(response: ServerResponse, status: number, code: string, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ error, code }))
}
