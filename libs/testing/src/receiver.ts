/**
 * A tenant's endpoint for tests: it keeps what it is sent, and its answer can be changed at any
 * moment.
 *
 * It listens on loopback alone and keeps every request until it is closed, so it is not for load
 * runs.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from './eventually.ts'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  rawBody: Buffer
  /** When its last byte was read, in milliseconds since 1970. */
  at: number
}

export interface ReceiverAnswer {
  status?: number
  delayMs?: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Receiver {
  /** `http://127.0.0.1:<port>`; it accepts every path. */
  url: string
  port: number
  /** All requests so far, oldest first. */
  requests: readonly ReceivedRequest[]
  /** Changes the answer from now on, also for requests that are being read. */
  answer(
    next: ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>),
  ): void
  /** Resolves with the requests once there are `wanted`, or once the predicate holds. */
  waitFor(
    wanted: number | ((requests: readonly ReceivedRequest[]) => boolean),
    options?: { timeoutMs?: number },
  ): Promise<readonly ReceivedRequest[]>
  /** Ends open connections too, and answers that are still delayed. */
  close(): Promise<void>
}

export async function startReceiver(options: { port?: number } = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const delays = new Set<NodeJS.Timeout>()
  let decide: (request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({})

  const respond = (response: ServerResponse, answer: ReceiverAnswer): void => {
    response.writeHead(answer.status ?? 200, answer.headers)
    response.end(answer.body)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {}) // a sender that went away is part of the tests
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const received: ReceivedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        rawBody: Buffer.concat(chunks),
        at: Date.now(),
      }
      requests.push(received)
      try {
        const answer = await decide(received)
        if (answer.delayMs === undefined) return respond(response, answer)
        const delay = setTimeout(() => {
          delays.delete(delay)
          respond(response, answer)
        }, answer.delayMs)
        delays.add(delay)
      } catch (error) {
        respond(response, { status: 500, body: `the test's own answer threw: ${String(error)}` })
      }
    })
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(options.port ?? 0, '127.0.0.1', done)
  })
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer: (next) => {
      decide = typeof next === 'function' ? next : () => next
    },
    waitFor: async (wanted, waiting) => {
      const holds = typeof wanted === 'function' ? wanted : () => requests.length >= wanted
      await eventually(() => {
        if (holds(requests)) return
        const seen = requests.map(({ method, path }) => `${method} ${path}`).slice(-10)
        throw new Error(
          `waited for ${typeof wanted === 'number' ? `${wanted} requests` : 'a predicate'}; ` +
            `${requests.length} came: ${seen.join(', ') || 'none'}`,
        )
      }, waiting)
      return requests
    },
    close: async () => {
      for (const delay of delays) clearTimeout(delay)
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}
