/** Many requests that arrive together are spread over turns of the event loop. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createHttpServer, type HttpServer } from './http-server.ts'

const CROWD = 60
const ROUTES = ['/api/slow', '/sub-account-api/slow'] as const
const served: string[] = []
let server: HttpServer
let port: number

/** Longer than the share of a turn, so that each takes a turn of its own. */
function spin(): void {
  const began = performance.now()
  while (performance.now() - began < 12);
}

beforeEach(async () => {
  served.length = 0
  server = createHttpServer({
    routers: [
      {
        mount(app) {
          for (const path of ROUTES)
            app.get(path, (_request, response) => {
              spin()
              served.push(path)
              response.end('done')
            })
        },
      },
    ],
    routes: ROUTES.map((path) => ({ method: 'GET', path })),
    operations: {
      isReady: () => true,
      health: async () => ({ ok: true, checks: [] }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
    },
    document: () => ({}),
    answerError: (error) => {
      throw error
    },
    observe: () => undefined,
  })
  port = await server.listen('127.0.0.1', 0)
})
afterEach(() => server.close(1_000))

/** All in one packet. Resolves with the connection once the first of them is answered. */
async function sendCrowd(path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(CROWD))
  await once(socket, 'data')
  return socket
}

async function get(path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Connection: 'close' },
  })
  await answer.text()
  return answer.status
}

test.each(['/live', '/ready'])('%s is answered ahead of a crowd', async (probe) => {
  const socket = await sendCrowd('/api/slow')
  expect(await get(probe)).toBe(200)
  expect(served.length).toBeLessThan(CROWD)
  socket.destroy()
})

test.each([
  ['/api/slow', '/sub-account-api/slow'],
  ['/sub-account-api/slow', '/api/slow'],
])('a crowd at %s does not wait with one at %s', async (crowded, other) => {
  const socket = await sendCrowd(crowded)
  expect(await get(other)).toBe(200)
  expect(served.filter((path) => path === crowded).length).toBeLessThan(CROWD)
  socket.destroy()
})

test('whoever left while waiting for a turn is not served', async () => {
  const socket = await sendCrowd('/api/slow')
  socket.destroy()
  // It waits behind all of them.
  expect(await get('/api/slow')).toBe(200)
  expect(served.length).toBeLessThan(CROWD)
})
