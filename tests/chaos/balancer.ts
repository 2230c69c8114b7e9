/**
 * A load balancer as plain as they come: it asks each instance whether it is ready, and sends what
 * it gets to the first that said so. What has no answer from there is 503.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTicker } from '@posthorn/async/ticker'

export interface Balancer {
  url: string
  close(): Promise<void>
}

const ASK_EVERY_MS = 200
/** An instance that does not answer in time is not ready. */
const ANSWER_MS = 1_000

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>()
  const agent = new Agent({ keepAlive: true })

  async function ask(port: number): Promise<void> {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const isReady = await fetch(`http://127.0.0.1:${port}/ready`, { signal }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.ok
      },
      () => false,
    )
    if (isReady) ready.add(port)
    else ready.delete(port)
  }

  const tickers = ports.map((port) => {
    const config = { name: 'ready', everyMs: ASK_EVERY_MS, onError() {} }
    const ticker = createTicker(config, async () => await ask(port))
    ticker.start()
    return ticker
  })
  const server = createServer((incoming, response) => {
    const port = ports.find((one) => ready.has(one))
    if (port === undefined) refuse(response)
    else passOn(incoming, response, { port, agent })
  })
  await Promise.all(ports.map(ask))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await Promise.all(tickers.map(async (ticker) => await ticker.stop()))
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      agent.destroy()
    },
  }
}

function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, agent }: { port: number; agent: Agent },
): void {
  const { method, url: path, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, agent, method, path, headers })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.on('error', () => {
    if (response.headersSent) response.destroy()
    else refuse(response)
  })
  response.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' })
  response.end('{"error":"nobody is ready","code":"UNAVAILABLE"}')
}
