/** Clients that take an answer too slowly, over real sockets, by a clock of the test's own. */
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { type ChunkLimits, sendChunks } from './send-chunks.ts'

/** Larger than what a socket takes without making its writer wait. */
const PIECE = 'x'.repeat(128 * 1024)
const MINUTE_MS = 60_000

interface SentChunks {
  /** Pieces that were made. */
  made: number
  /** The source of the pieces was closed. */
  ended: boolean
  bytes: number
  /** The answer was broken off. */
  broken: boolean
}

/** @param stepMs each look at the clock finds it so much later */
async function send(
  pieces: number,
  limits: Partial<ChunkLimits> & { stepMs: number },
  read: (response: IncomingMessage) => void = () => {},
): Promise<SentChunks> {
  const sent: SentChunks = { made: 0, ended: false, bytes: 0, broken: false }
  async function* make(): AsyncGenerator<string> {
    try {
      for (; sent.made < pieces; sent.made += 1) yield PIECE
    } finally {
      sent.ended = true
    }
  }
  const { promise: served, resolve } = Promise.withResolvers<void>()
  let now = 0
  const nowMs = (): number => (now += limits.stepMs)
  const all = {
    patienceMs: MINUTE_MS,
    progressMs: MINUTE_MS,
    minProgressBytes: 1024 * 1024,
    totalMs: 3_600_000,
    ...limits,
    nowMs,
  }
  const server = createServer((_, response) => {
    void sendChunks(response, 200, make(), {}, all).then(resolve, resolve)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const closed = Promise.withResolvers<void>()
  get({ port, host: '127.0.0.1', agent: false }, (response) => {
    response.on('data', (data: Buffer) => (sent.bytes += data.length))
    response.on('error', () => (sent.broken = true))
    response.once('close', closed.resolve)
    read(response)
    void served.then(() => response.resume())
  })
  await served
  await closed.promise
  await new Promise((end) => server.close(end))
  return sent
}

test('a client that is fast enough gets all of it', async () => {
  // It is waited for by two steps for each piece: 10 pieces a minute.
  const sent = await send(100, { stepMs: 3_000 })
  expect(sent).toEqual({ made: 100, ended: true, bytes: 100 * PIECE.length, broken: false })
})

test('a client that takes a little each time, too little for a minute, is cut off', async () => {
  // Five pieces a minute, of 128 KiB each, are less than a mebibyte.
  const sent = await send(1_000, { stepMs: 12_000 })
  expect(sent).toMatchObject({ ended: true, broken: true })
  expect(sent.made).toBeLessThan(10)
})

test('nobody holds an answer for longer than all answers may take', async () => {
  const sent = await send(1_000_000, { stepMs: 1_000, totalMs: 10 * MINUTE_MS })
  expect(sent).toMatchObject({ ended: true, broken: true })
  expect(sent.made).toBeLessThan(600)
})

test('a client that stops reading is cut off', async () => {
  const sent = await send(1_000_000, { stepMs: 0, patienceMs: 50 }, (response) => {
    response.once('data', () => response.pause())
  })
  expect(sent).toMatchObject({ ended: true, broken: true })
})

test('what fails before the first piece is thrown, and no head is sent', async () => {
  const failing = {
    [Symbol.asyncIterator]: () => ({
      next: async (): Promise<IteratorResult<string>> => {
        throw new Error('refused')
      },
    }),
  }
  const server = createServer((_, response) => {
    void sendChunks(response, 200, failing, {}).catch(() => response.writeHead(409).end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } })
  expect(answer.status).toBe(409)
  await new Promise((closed) => server.close(closed))
})
