/**
 * Whatever the other side does, an attempt ends in its time, in bounded memory, with the true
 * category.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startLoopTime } from '@posthorn/testing/loop-time'
import type { Egress, OutgoingRequest, SendResult } from './egress.ts'
import { createEgress } from './egress.ts'
import { closeServers, startRaw } from './servers.fixture.ts'

const TIMEOUT_MS = 300
const SLACK_MS = 200
const OK = 'HTTP/1.1 200 OK\r\n'

let egress: Egress
beforeEach(() => {
  egress = createEgress({ allowCidrs: ['127.0.0.0/8'] })
})
afterEach(() => egress.close())
afterAll(closeServers)

async function meet(
  answer: (socket: Socket, received: Buffer) => void,
  more: Partial<OutgoingRequest> = {},
): Promise<SendResult> {
  const server = await startRaw(answer)
  const request = { url: server.origin, headers: {}, body: '{}', timeoutMs: 5000, ...more }
  return egress.send(request)
}

/** Writes until the socket is gone. */
function flood(socket: Socket, piece: string | Buffer): void {
  while (!socket.destroyed && socket.write(piece));
  if (!socket.destroyed) socket.once('drain', () => flood(socket, piece))
}

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 10)
  socket.on('close', () => clearInterval(timer))
}

describe('takes all the time it is given, and not more', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['accepts and hangs', () => undefined, 'no response'],
    [
      'drips a header',
      (socket) => void socket.write(`${OK}x: `, () => drip(socket, 'y')),
      'no response',
    ],
    ['drips a body', (socket) => void socket.write(`${OK}\r\n`, () => drip(socket, 'x')), 'end'],
    ['ends no body', (socket) => void socket.write(`${OK}content-length: 9\r\n\r\nx`), 'end'],
    [
      'floods with 1xx',
      (socket) => flood(socket, 'HTTP/1.1 103 Hints\r\n\r\n'.repeat(1000)),
      'no response',
    ],
    [
      'floods with 100',
      (socket) => flood(socket, 'HTTP/1.1 100 Go\r\n\r\n'.repeat(1000)),
      'no response',
    ],
  ])('%s', async (_what, answer, detail) => {
    const elapsedMs = startLoopTime()
    const result = await meet(answer, { timeoutMs: TIMEOUT_MS })
    expect(elapsedMs()).toBeLessThan(TIMEOUT_MS + SLACK_MS)
    expect(result).toMatchObject({ outcome: 'error', category: 'timeout' })
    expect(result).toMatchObject({ detail: expect.stringContaining(detail) })
    expect(result.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1)
    expect(egress.counts().sockets).toBe(0)
  })
})

describe('breaks off', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['at once', (socket) => socket.resetAndDestroy(), 'reset'],
    ['politely, without a word', (socket) => socket.end(), 'closed'],
    [
      'in the middle of the body',
      (socket) =>
        void socket.write(`${OK}content-length: 99\r\n\r\nx`, () => socket.resetAndDestroy()),
      'reset',
    ],
    [
      'before its Content-Length',
      (socket) => socket.end(`${OK}content-length: 9\r\n\r\nx`),
      'complete',
    ],
    ['inside a chunk', (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n9\r\nx`), ''],
    ['with 101', (socket) => void socket.write('HTTP/1.1 101 X\r\nupgrade: x\r\n\r\n'), ''],
    ['speaking SSH', (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'), ''],
    ['with two lengths', (socket) => void socket.write(`${OK}content-length: 1, 2\r\n\r\n`), ''],
    [
      'with both lengths',
      (socket) =>
        socket.end(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
      '',
    ],
  ])('%s', async (_what, answer, detail) => {
    const result = await meet(answer)
    expect(result).toMatchObject({ outcome: 'error', category: 'reset' })
    expect(result).toMatchObject({ detail: expect.stringContaining(detail) })
    expect(egress.counts().sockets).toBe(0)
  })

  test('with a header of 1 MB', async () => {
    const result = await meet((socket) => {
      socket.write(`${OK}x: `)
      flood(socket, Buffer.alloc(65_536, 'a'))
    })
    expect(result).toMatchObject({
      category: 'reset',
      detail: 'the response headers are too large',
    })
  })
})

describe('answers all the same', () => {
  const whole = `${OK}content-length: 2\r\n\r\nok`

  test.each<[string, (socket: Socket) => void]>([
    ['after 100 Continue', (socket) => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${whole}`)],
    ['after many 1xx', (socket) => void socket.write('HTTP/1.1 102 P\r\n\r\n'.repeat(99) + whole)],
    ['in single bytes', (socket) => whole.split('').forEach((byte) => void socket.write(byte))],
    ['without a length', (socket) => socket.end(`${OK}\r\nok`)],
    ['in HTTP/1.0', (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nok')],
    ['with too much', (socket) => void socket.write(`${whole}HTTP/1.1 500 Smuggled\r\n\r\n`)],
  ])('%s', async (_what, answer) => {
    const result = await meet(answer)
    expect(result).toMatchObject({ outcome: 'response', statusCode: 200, body: 'ok' })
  })

  test('what follows an answer is never taken for the next one', async () => {
    const server = await startRaw((socket) => {
      socket.write(`${whole}HTTP/1.1 500 Smuggled\r\ncontent-length: 0\r\n\r\n`)
    })
    for (let n = 0; n < 5; n++) {
      const request = { url: server.origin, headers: {}, body: '', timeoutMs: 5000 }
      expect(await egress.send(request)).toMatchObject({ statusCode: 200 })
    }
  })

  test('before it has read the request; the connection is not used again', async () => {
    const body = Buffer.alloc(16 * 1024 * 1024, 'x')
    const server = await startRaw((socket) => {
      socket.pause()
      socket.write(whole)
    })
    const request = { url: server.origin, headers: {}, body, timeoutMs: 5000 }
    expect(await egress.send(request)).toMatchObject({ outcome: 'response', statusCode: 200 })
    expect(egress.counts().idle).toBe(0)
  })

  test('gzip stays as it is', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const head = `${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    const result = await meet(
      (socket) => void socket.write(Buffer.concat([Buffer.from(head), bomb])),
    )
    if (result.outcome !== 'response') throw new Error(result.detail)
    expect(result.body.length).toBeLessThanOrEqual(bomb.length)
    expect(result.body).toMatch(/^.\uFFFD/)
    expect(result.body).not.toContain('\0')
  })

  test('an endless body counts as what came first; 16 KiB are kept, 1 MiB is read', async () => {
    let written = 0
    const result = await meet((socket) => {
      socket.write(`${OK}\r\n`)
      flood(socket, Buffer.alloc(65_536, 'a'))
      socket.on('close', () => {
        written = socket.bytesWritten
      })
    })
    if (result.outcome !== 'response') throw new Error(result.detail)
    expect(result).toMatchObject({ statusCode: 200, bodyTruncated: true })
    expect(result.body).toBe('a'.repeat(16 * 1024))
    expect(egress.counts().sockets).toBe(0)
    // What the kernel's buffers hold comes on top.
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  test('a body over 16 KiB that ends leaves the connection usable', async () => {
    const long = `${OK}content-length: 20000\r\n\r\n${'é'.repeat(10_000)}`
    const result = await meet((socket) => void socket.write(long))
    if (result.outcome !== 'response') throw new Error(result.detail)
    expect(result).toMatchObject({ bodyTruncated: true, body: 'é'.repeat(8192) })
    expect(egress.counts().idle).toBe(1)
  })

  test('headers of 10 KB are cut to 4 KiB', async () => {
    const result = await meet(
      (socket) => void socket.write(`${OK}x: ${'y'.repeat(10_000)}\r\ncontent-length: 0\r\n\r\n`),
    )
    if (result.outcome !== 'response') throw new Error(result.detail)
    expect(result.headers['x']?.length).toBe(4095)
  })
})
