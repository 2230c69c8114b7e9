/**
 * One port in front of the services: it sends each path to the service that the route catalog
 * names, to its instances in turn. It asks every instance four times a second whether it is ready
 * (once a second while its service has no requests), and passes over those that are not. So an
 * instance that says so before it ends is sent nothing that it would refuse. What was sent and not
 * answered is never sent again here: that is for the sender, who has an idempotency key.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { INBOUND_PATH } from '@posthorn/contracts/inbound'
import { INBOUND_RECEIVER, PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { STATS_STREAM } from '@posthorn/contracts/stats'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { type Instance, inTurn, openInstances, readyUrls, watchReadiness } from './instances.ts'
import { createPassedUpgrades, type PassedUpgrades } from './pass-upgrade.ts'
import { createRelay } from './relay.ts'

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
/**
 * As long as the services' own: a sender that keeps connections for less never sends into one that
 * was just closed.
 */
const KEEP_ALIVE_MS = 65_000
/** The service for documents, health, and whatever is no route. */
const OTHERWISE = 'portal-api'
/** The service of events, which most requests are for. */
const INGEST_API = 'ingest-api'
/** Headers about one connection, which are not passed on. */
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

type GatewayRoute = Pick<Route, 'path' | 'waits'> & { service: string }

const ROUTES: readonly GatewayRoute[] = [
  ...Object.values(routeCatalog('Service')),
  ...PUBLIC_INBOUND_ROUTES,
  STATS_STREAM,
]

export async function startGateway(config: GatewayConfig): Promise<Gateway> {
  const find = routeFinder(ROUTES)
  const services = openInstances(config.upstreams)
  const all = [...services.values()].flat()
  const routed = new Set<string>(ROUTES.map(({ service }) => service))
  const readiness = new Map(
    [...services].flatMap(([service, instances]) =>
      routed.has(service) ? [[service, watchReadiness(instances)] as const] : [],
    ),
  )
  /** @returns how many there were for that service, so that its instances take turns */
  const countRequest = (service: string): number => readiness.get(service)?.countRequest() ?? 0

  const options = { keepAliveTimeout: KEEP_ALIVE_MS, shouldUpgradeCallback: isStream }
  const server = createServer(options, (request, response) => {
    void handle(request, response).catch(() => unavailable(response))
  })
  const streams = services.get(STATS_STREAM.service) ?? []
  const upgrades = passUpgrades(server, () => inTurn(streams, countRequest(STATS_STREAM.service)))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await read(request)
    if (body === null) return refuse(response, 413, 'PAYLOAD_TOO_LARGE', 'the body is too large')
    const { service, waits = false } = find(path)
    const turn = countRequest(service)
    for (const instance of inTurn(services.get(service) ?? [], turn)) {
      const outcome = await forward(instance, request, path, body, response, waits)
      if (outcome === 'answered') return
      if (outcome === 'broken') break
    }
    unavailable(response)
  }

  const quickService = quickServiceFinder(find)
  const [parse] = server.listeners('connection') as ((socket: Socket) => void)[]
  const relay = createRelay({
    targets(method, path) {
      const service = quickService(method, path)
      if (service === undefined) return []
      countRequest(service)
      return readyUrls(services.get(service) ?? [])
    },
    handOver: (socket) => parse?.call(server, socket),
    unanswered: Buffer.from(UNANSWERED),
    leaving(target) {
      for (const instance of all) if (instance.url.origin === target.origin) instance.leave()
    },
  })
  for (const instance of all) {
    instance.leave = () => {
      instance.ready = false
      relay.forget(instance.url)
    }
  }
  server.removeAllListeners('connection')
  server.on('connection', relay.serve)

  const port = await listen(server, config)
  for (const one of readiness.values()) one.start()
  return {
    port,
    async close() {
      await Promise.all([...readiness.values()].map((one) => one.stop()))
      endConnections(server)
      const closed = new Promise((resolve) => server.close(resolve))
      relay.close()
      upgrades.close()
      // Whoever waits is told to come again; nobody waits for them here.
      await Promise.all(all.map(({ waiting }) => waiting.destroy()))
      await closed
      await Promise.all(all.flatMap(({ quick, asking }) => [quick.close(), asking.destroy()]))
    },
  }
}

/** The next answer on each connection is its last, and one that waits for no answer ends. */
function endConnections(server: Server): void {
  server.maxRequestsPerSocket = 1
  server.keepAliveTimeout = 1
  server.closeIdleConnections()
}

function passUpgrades(server: Server, instances: () => readonly Instance[]): PassedUpgrades {
  const upgrades = createPassedUpgrades(Buffer.from(UNANSWERED))
  server.on('upgrade', (request, socket, head) => {
    const targets = instances().map(({ url }) => url)
    upgrades.pass(request, socket, head, targets)
  })
  return upgrades
}

/** The upgrades that are passed on; others are answered as if they had not been offered. */
function isStream({ url = '', headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket'
  return isWebSocket && url.split('?', 1)[0] === STATS_STREAM.path
}

/** @returns the port, which is any free one where 0 was asked for */
async function listen(server: Server, { host, port }: GatewayConfig): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Which service a path belongs to, and whether its answer may take long. */
function routeFinder(
  routes: readonly GatewayRoute[],
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

/**
 * Which service takes a request on the quick way: what is posted to a route of events without
 * parameters that answers soon, and to an inbound address. Nothing is added to these, so who is
 * behind them is not told.
 */
function quickServiceFinder(
  find: ReturnType<typeof routeFinder>,
): (method: string, path: string) => string | undefined {
  const paths = new Set<string>()
  for (const { method, path } of Object.values(routeCatalog('Service'))) {
    const { service, waits = false } = find(path)
    const isOfEvents = service === INGEST_API && method === 'POST'
    if (isOfEvents && !waits && !path.includes(':')) paths.add(path)
  }
  return (method, path) => {
    if (method !== 'POST') return undefined
    if (paths.has(path)) return INGEST_API
    return path.startsWith(`${INBOUND_PATH}/`) ? INBOUND_RECEIVER : undefined
  }
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
type ForwardOutcome = 'answered' | 'unreached' | 'broken'

function forward(
  instance: Instance,
  request: IncomingMessage,
  path: string,
  body: Buffer,
  response: ServerResponse,
  waits: boolean,
): Promise<ForwardOutcome> {
  return new Promise((resolve) => {
    let passedOver = false
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // What a poll fetches for a client that has left would be hidden from others.
        if (waits) response.once('close', () => controller.abort(new Error('the client left')))
      },
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return
        // The instance is leaving, and this answer says so before it is asked.
        if (headers.connection === 'close') instance.leave()
        // An instance says this about itself, not about the whole: another one is ready.
        passedOver = statusCode === 503 && path === '/ready'
        if (passedOver) return instance.leave()
        response.writeHead(statusCode, passedOn(headers))
      },
      onResponseData(_controller, chunk) {
        if (!passedOver) response.write(chunk)
      },
      onResponseEnd() {
        if (passedOver) return resolve('unreached')
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
    const pool = waits ? instance.waiting : instance.quick
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod
    const headers = { ...passedOn(request.headers), 'x-forwarded-for': forwardedFor(request) }
    pool.dispatch({ path, method, headers, body: body.length > 0 ? body : null }, handler)
  })
}

/** The addresses that came, and behind them the one that we see: as many as there are proxies. */
function forwardedFor({ headers, socket }: IncomingMessage): string {
  const before = headers['x-forwarded-for']
  const address = socket.remoteAddress ?? ''
  return before === undefined ? address : `${String(before)}, ${address}`
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

const SORRY = JSON.stringify({
  error: 'the service is starting or has just stopped: try again',
  code: 'UNAVAILABLE',
})
const UNANSWERED = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${SORRY.length}`,
  'Retry-After: 1',
  'Connection: close',
  '',
  SORRY,
].join('\r\n')

function unavailable(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': '1',
  })
  response.end(SORRY)
}

function refuse(response: ServerResponse, status: number, code: string, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ error, code }))
}
