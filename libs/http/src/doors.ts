/**
 * The sockets at which one HTTP server listens, all at one port. A listening socket gives out one
 * connection in a turn of the event loop, so with turns of 20 ms 50 connections that came together
 * waited for a second. Linux spreads connections over sockets that share a port (SO_REUSEPORT), so
 * that each turn accepts as many as there are sockets. Elsewhere there is one.
 *
 * Sockets that may share their port would let a second process of the same user listen there, too,
 * unnoticed: a port that was asked for is first taken by one that does not share.
 */
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'

export interface Doors {
  /** Resolves with the port; 0 asks for any free one. */
  listen(host: string, port: number): Promise<number>
  /** Takes no new connections, and resolves when those that there are have ended. */
  close(): Promise<void>
}

/** 100 connections at once, at turns of 20 ms: the last after 0.3 s instead of 2.2. */
const SOCKETS = process.platform === 'linux' ? 16 : 1

export function createDoors(server: Server, maxConnections: number): Doors {
  // As `http` makes its own.
  const others = Array.from({ length: SOCKETS - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      server.emit('connection', socket)
    }),
  )
  const all: NetServer[] = [server, ...others]
  for (const one of all) one.maxConnections = Math.ceil(maxConnections / all.length)
  return {
    async listen(host, port) {
      const reusePort = all.length > 1
      if (reusePort && port !== 0) await requireFree(host, port)
      let at = port
      for (const one of all) at = await listenAt(one, { host, port: at, reusePort })
      return at
    },
    async close() {
      await Promise.all(all.map(closed))
    },
  }
}

async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer()
  await listenAt(probe, { host, port })
  await closed(probe)
}

async function listenAt(
  server: NetServer,
  options: { host: string; port: number; reusePort?: boolean },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
}

async function closed(server: NetServer): Promise<void> {
  if (!server.listening) return
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
