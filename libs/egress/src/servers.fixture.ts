/** Servers on loopback for the tests: well-behaved ones, and sockets in the hands of the test. */
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

export interface TestServer {
  port: number
  origin: string
  /** Connections that are open. */
  sockets: Set<Socket>
  /** The number of connections that were ever opened. */
  accepted: number
  close(): Promise<void>
}

const started: TestServer[] = []

/** Closes every server that the test file started. */
export async function closeServers(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.close()))
}

export function startHttp(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  return listen(createHttpServer(listener), 'http', host)
}

export function startHttps(options: ServerOptions, listener: RequestListener): Promise<TestServer> {
  return listen(createHttpsServer(options, listener), 'https', '127.0.0.1')
}

/** `onRequest` gets the socket once something was received on it. */
export function startRaw(
  onRequest: (socket: Socket, received: Buffer) => void,
): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('data', (received) => onRequest(socket, received))
  })
  return listen(server, 'http', '127.0.0.1')
}

export function answerOk(...[request, response]: Parameters<RequestListener>): void {
  request.resume().on('end', () => response.end('ok'))
}

async function listen(
  server: Server | TcpServer,
  scheme: string,
  host: string,
): Promise<TestServer> {
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = new Set<Socket>()
  const shown = host.includes(':') ? `[${host}]` : host
  const test: TestServer = {
    port,
    origin: `${scheme}://${shown}:${port}`,
    sockets,
    accepted: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('connection', (socket: Socket) => {
    test.accepted++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  started.push(test)
  return test
}
