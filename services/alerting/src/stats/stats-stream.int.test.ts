/** The stream over many sockets, by a clock that the test moves on: each tick is a second. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Stats } from '@posthorn/contracts/stats'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { eventually } from '@posthorn/testing/eventually'
import { WebSocket } from 'ws'
import {
  createStatsStream,
  STREAM_DEFAULTS,
  type StatsStream,
  type StatsStreamConfig,
} from './stats-stream.ts'

let now: number
let second: number
let reads: number
/** What stands in each frame beside its second. */
let filling: string
let revoked: string
let checks: string[]
/** Why sockets were closed. */
let ended: string[]
let server: Server
let stream: StatsStream
/** The server's side of the connections, by tenant. */
let connections: Socket[]

beforeEach(async () => {
  now = 0
  second = 0
  reads = 0
  filling = ''
  revoked = ''
  checks = []
  ended = []
  connections = []
  startStream(STREAM_DEFAULTS)
  const closing = new AbortController().signal
  server = createServer()
  server.on('upgrade', (upgrade, socket: Socket, head) => {
    connections.push(socket)
    stream.upgrade(upgrade, socket, head, closing).catch(() => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})

let clients: TestClient[] = []
afterEach(async () => {
  for (const { socket } of clients) socket.terminate()
  clients = []
  for (const connection of connections) connection.destroy()
  await new Promise((closed) => server.close(closed))
})

function startStream(config: StatsStreamConfig): void {
  stream = createStatsStream(config, {
    async enter({ url = '', headers }) {
      return { caller: { tenantId: url.slice(1) }, credentials: headers }
    },
    async mayStay(_credentials, tenantId) {
      checks.push(tenantId)
      return tenantId !== revoked
    },
    async read(tenantIds) {
      reads += 1
      const frameOf = (tenantId: string): Stats =>
        ({ tenantId, second, filling }) as unknown as Stats
      return new Map(tenantIds.map((tenantId) => [tenantId, frameOf(tenantId)]))
    },
    nowMs: () => now,
    state: createInProcessState(),
    metrics: {
      count: (_name, labels) => void ended.push(Object.values(labels).join(' ')),
      set: () => {},
    },
    log: { warn: () => {} },
  })
}

interface TestClient {
  socket: WebSocket
  frames: { tenantId: string; second: number }[]
  closed: Promise<number>
}

async function open(tenantId: string): Promise<TestClient> {
  const { port } = server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${tenantId}`)
  const frames: TestClient['frames'] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
  const client = {
    socket,
    frames,
    closed: new Promise<number>((resolve) => socket.once('close', resolve)),
  }
  clients.push(client)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return client
}

/** The next second: all are sent its frame, and these have read it. */
async function tick(readers: readonly TestClient[]): Promise<void> {
  now += 1_000
  second += 1
  await stream.sendAll()
  await eventually(() => {
    if (readers.some(({ frames }) => frames.at(-1)?.second !== second)) throw new Error('not yet')
  })
}

const buffered = (): number =>
  connections.reduce((sum, { writableLength }) => sum + writableLength, 0)

describe('a client that stops reading', () => {
  test('is closed, and 999 others of 50 workspaces get every second', async () => {
    for (let place = 0; place < 20; place += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, tenant) => open(`t${tenant}`)))
    }
    const [silent, ...readers] = clients as [TestClient, ...TestClient[]]
    silent.socket.pause()
    let most = 0
    // Two pings, the second of which finds the first unanswered.
    for (let n = 0; n < 31; n += 1) {
      await tick(readers)
      most = Math.max(most, buffered())
    }
    silent.socket.resume()
    expect(await silent.closed).toBe(4408)
    const seconds = Array.from({ length: 31 }, (_, at) => at + 1)
    for (const { frames } of readers) expect(frames.map((frame) => frame.second)).toEqual(seconds)
    // Nobody's frames pile up, and the workspaces are read together.
    expect(most).toBeLessThan(64 * 1024)
    expect(reads).toBe(31)
    for (const [at, { frames }] of readers.entries()) {
      const tenantId = `t${(at + 1) % 50}`
      expect(frames.every((frame) => frame.tenantId === tenantId)).toBe(true)
    }
  }, 60_000)

  test('has no more buffered for it than 64 KiB and a frame, however large frames are', async () => {
    // It is not closed for answering no ping.
    startStream({ ...STREAM_DEFAULTS, pingMs: Infinity })
    filling = 'x'.repeat(256 * 1024)
    const [slow, reader] = [await open('a'), await open('b')]
    slow.socket.pause()
    let most = 0
    for (let n = 0; n < 100 && !connections.some(({ destroyed }) => destroyed); n += 1) {
      await tick([reader])
      most = Math.max(most, buffered())
    }
    slow.socket.resume()
    // What it was told last stood behind what it did not read, and was cut off.
    expect([4408, 1006]).toContain(await slow.closed)
    expect(ended).toContain('slow')
    expect(most).toBeLessThan(64 * 1024 + 2 * filling.length)
    expect(reader.socket.readyState).toBe(WebSocket.OPEN)
  }, 60_000)
})

test('a key is looked up again every seven seconds, and a socket whose key is revoked is closed', async () => {
  const [one, other] = [await open('a'), await open('b')]
  for (now = 0; now < 7_000; now += 1_000) await stream.recheck()
  expect(checks).toEqual([])
  await stream.recheck()
  expect(checks.sort()).toEqual(['a', 'b'])
  revoked = 'a'
  // With a second for the round, and one for which credentials are kept, it is within ten.
  for (now = 8_000; now <= 14_000; now += 1_000) await stream.recheck()
  expect(await one.closed).toBe(4401)
  expect(other.socket.readyState).toBe(WebSocket.OPEN)
})

test('a change of the workspace has its keys looked up at once', async () => {
  const one = await open('a')
  revoked = 'a'
  stream.recheckTenant('a')
  await stream.recheck()
  expect(await one.closed).toBe(4401)
})

test('what is no handshake takes no socket of the workspace', async () => {
  const { port } = server.address() as AddressInfo
  for (let n = 0; n < 21; n += 1) {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
    const asked = request({ host: '127.0.0.1', port, path: '/a', headers })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(400)
    answer.resume()
  }
  await Promise.all(Array.from({ length: 20 }, () => open('a')))
  await expect(open('a')).rejects.toThrow()
})
