/**
 * A public route that takes any body, whatever its type, as the bytes that came: for senders who
 * can't know our rules and sign what they send. It has no key, no scope and no schema; ids, limits,
 * headers and errors are those of all routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { commonHeaders } from './answer.ts'
import {
  type BodySender,
  type BodyReservation,
  type BodyCapacityConfig,
  createBodyCapacity,
} from './body-capacity.ts'
import { readBytes } from './read-body.ts'
import type { RequestScope } from './request-scope.ts'
import type { Router } from './router.ts'

export interface RawRequest {
  method: string
  /** The segment below the route's path, as it was sent. */
  segment: string
  /** Path and query, as in the request line. */
  target: string
  /** Names in lower case; a repeated header has its values in their order. */
  headers: ReadonlyMap<string, readonly string[]>
  /**
   * Throws PAYLOAD_TOO_LARGE, or UNAVAILABLE where too much of this sender, or of all together, is
   * being read.
   */
  readBody(sender: BodySender): Promise<Buffer>
  /** The handler has found out to whom the request belongs, and goes on. */
  belongsTo(tenantId: string): void
  requestId: string
}

export interface RawAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export interface RawRouterConfig {
  /** The route's name in metrics and logs. */
  name: string
  /** Ends with a slash: the route is whatever is one segment below. */
  path: string
  methods: readonly string[]
  maxBodyBytes: number
  /** How many bytes of bodies the route has in memory together, where it is not the default. */
  bodyCapacity?: Pick<BodyCapacityConfig, 'maxBytes' | 'maxSmallBytes'>
}

export function createRawRouter(
  config: RawRouterConfig,
  handle: (request: RawRequest) => Promise<RawAnswer>,
): Router {
  const { name, path, methods, maxBodyBytes } = config
  const capacity = createBodyCapacity({ largestBody: maxBodyBytes, ...config.bodyCapacity })
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    scope: RequestScope,
  ): Promise<boolean> {
    scope.route = name
    scope.atWork()
    const target = request.url as string
    let reservation: BodyReservation | undefined
    try {
      const answer = await handle({
        method: request.method as string,
        segment: segmentOf(target.slice(path.length)),
        target,
        headers: headersOf(request.rawHeaders),
        async readBody(sender) {
          reservation = capacity(sender)
          const body = await readBytes(request, maxBodyBytes, reservation)
          scope.atWork()
          return body
        },
        belongsTo(tenantId) {
          scope.tenantId = tenantId
          scope.atWork()
        },
        requestId: scope.requestId,
      })
      send(response, answer, scope.requestId)
    } finally {
      reservation?.release()
    }
    return true
  }
  return { mount: () => undefined, prefix: { path, methods, serve } }
}

/** As with all routes, a slash at the end makes no difference. */
function segmentOf(rest: string): string {
  const [bare = ''] = rest.split('?', 1)
  return bare.endsWith('/') ? bare.slice(0, -1) : bare
}

/** The names of the common headers as they are written, by their lower case. */
const COMMON = new Map(
  [...Object.keys(commonHeaders('')), 'Content-Length'].map((name) => [name.toLowerCase(), name]),
)

/**
 * An answer's own header replaces the common one of that name, in any case. Headers that are given
 * at once cost half.
 */
function send(response: ServerResponse, { status, headers, body }: RawAnswer, id: string): void {
  const all = commonHeaders(id)
  all['Content-Length'] = String(Buffer.byteLength(body))
  for (const [name, value] of Object.entries(headers)) {
    const common = COMMON.get(name.toLowerCase())
    if (common !== undefined) delete all[common]
    all[name] = value
  }
  response.writeHead(status, all).end(body)
}

function headersOf(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase()
    const value = raw[at + 1] as string
    const known = headers.get(name)
    if (known === undefined) headers.set(name, [value])
    else known.push(value)
  }
  return headers
}
