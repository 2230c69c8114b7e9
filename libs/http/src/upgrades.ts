/**
 * Requests that turn into WebSockets: found by their path and handed to the router that takes them.
 * Any other request that offers an upgrade, as clients of HTTP/2 do, is answered as if it did not.
 */
import type { IncomingMessage, Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { commonHeaders, JSON_TYPE } from './answer.ts'
import type { ErrorAnswer, ErrorAnswerer } from './errors.ts'
import type { BeginInTurn } from './request-turns.ts'
import type { Router, Upgrade } from './router.ts'

export interface Upgrades {
  /** For the server's option `shouldUpgradeCallback`. */
  takes(request: IncomingMessage): boolean
  serve(server: Server, closing: AbortSignal): void
}

export interface UpgradesDeps {
  answerError: ErrorAnswerer
  requestIdOf(request: IncomingMessage): string
  beginInTurn: BeginInTurn
}

export function createUpgrades(routers: readonly Router[], deps: UpgradesDeps): Upgrades {
  const routes = new Map(routers.flatMap((router) => [...(router.upgrades ?? [])]))
  const find = ({ url = '', method, headers }: IncomingMessage): Upgrade | undefined =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
      ? routes.get(url.split('?', 1)[0] as string)
      : undefined
  return {
    takes: (request) => find(request) !== undefined,
    serve(server, closing) {
      server.on('upgrade', (request, socket, head) => {
        // A connection that breaks meanwhile has no other listener.
        socket.on('error', () => socket.destroy())
        const refuseWith = (error: unknown): void => {
          const requestId = deps.requestIdOf(request)
          refuse(socket, requestId, deps.answerError(error, requestId, 'upgrade'))
        }
        deps.beginInTurn(
          request,
          () => void find(request)?.(request, socket, head, closing).catch(refuseWith),
        )
      })
    },
  }
}

function refuse(socket: Duplex, requestId: string, answer: ErrorAnswer): void {
  if (socket.destroyed) return
  const { status, body, retryAfterSeconds } = answer
  const text = JSON.stringify(body)
  const headers = {
    ...commonHeaders(requestId),
    ...answer.headers,
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', '']
  socket.end(head.join('\r\n') + text)
}
