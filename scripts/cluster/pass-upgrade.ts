/**
 * Upgrades to WebSockets through the gateway: the request is sent on as it came, and from then on
 * bytes go to and fro. Nothing here is logged, for a path may contain a key.
 */
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface PassedUpgrades {
  /** @param targets in the order in which they are tried; the first that can be reached is used */
  pass(request: IncomingMessage, socket: Duplex, head: Buffer, targets: readonly URL[]): void
  /** Cuts off all that go on. */
  close(): void
}

/** Within a machine or a rack; who is not there by then is passed over. */
const CONNECT_TIMEOUT_MS = 2_000

export function createPassedUpgrades(unanswered: Buffer): PassedUpgrades {
  const open = new Set<Duplex>()

  function join(socket: Duplex, upstream: Socket): void {
    for (const one of [socket, upstream]) {
      open.add(one)
      one.once('close', () => {
        open.delete(one)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  }

  return {
    pass(request, socket, head, targets) {
      socket.on('error', () => socket.destroy())
      void reach(targets).then((upstream) => {
        if (upstream === null) return socket.end(unanswered)
        upstream.on('error', () => upstream.destroy())
        // A client that has left by now says no more that it is gone.
        if (socket.destroyed) return upstream.destroy()
        upstream.write(requestText(request))
        if (head.length > 0) upstream.write(head)
        join(socket, upstream)
        return undefined
      })
    },
    close() {
      for (const one of open) one.destroy()
    },
  }
}

async function reach(targets: readonly URL[]): Promise<Socket | null> {
  for (const { hostname, port } of targets) {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const isOpen = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), CONNECT_TIMEOUT_MS)
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => clearTimeout(timer))
      socket.once('connect', () => clearTimeout(timer))
    })
    if (isOpen) return socket
    socket.destroy()
  }
  return null
}

/** The addresses that came, and behind them the one that we see. */
function requestText({ method, url, rawHeaders, headers, socket }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.toLowerCase() !== 'x-forwarded-for') lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  const before = headers['x-forwarded-for']
  const address = socket.remoteAddress ?? ''
  lines.push(`X-Forwarded-For: ${before === undefined ? address : `${String(before)}, ${address}`}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
