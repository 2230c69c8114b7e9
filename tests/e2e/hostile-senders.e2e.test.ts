/**
 * Senders that do their worst: what is no request is answered with a 4xx or cut off in its time,
 * never with a 5xx, and others are served all the while.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

/** The server gives headers 10 s and looks every 2 s; the rest is the machine's. */
const HEADERS_MS = 10_000
const CUT_OFF_MS = 30_000
const CROWD = 500
const DEEP = 100_000

describe('hostile senders', () => {
  let posthorn: SharedProduct
  const sockets = new Set<Socket>()

  beforeAll(async () => {
    posthorn = await joinProduct('standalone')
  }, 150_000)

  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await posthorn.leave()
  }, 60_000)

  function open(): Socket {
    const socket = connect(Number(new URL(posthorn.url).port), '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  /** Statuses of all that was answered; resolves when the server closes the connection. */
  async function send(bytes: string | Buffer): Promise<number[]> {
    const socket = open()
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    const closed = new Promise((done) => socket.once('close', done))
    socket.write(bytes)
    await closed
    return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
  }

  function head(more: string, path = '/api/v1/events'): string {
    const key = `X-API-Key: ${posthorn.apiKey}\r\nX-Idempotency-Key: ${randomUUID()}\r\n`
    return `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key}Content-Type: application/json\r\n${more}`
  }

  function withBody(body: string | Buffer): Buffer {
    const bytes = Buffer.from(body)
    return Buffer.concat([Buffer.from(head(`Content-Length: ${bytes.length}\r\n\r\n`)), bytes])
  }

  const event = '{"destination":"https://example.com/x","payload":{}}'
  const chunked = `${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`

  const requests: [string, () => string | Buffer][] = [
    ['is no HTTP', () => 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['speaks TLS', () => Buffer.from('160301020001000102030303', 'hex')],
    ['has no Host', () => 'GET /live HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'has both lengths',
      () => head(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`),
    ],
    [
      'has both lengths the other way round',
      () => head(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunked}`),
    ],
    ['has two lengths', () => head(`Content-Length: 1\r\nContent-Length: 52\r\n\r\n${event}`)],
    ['has a negative length', () => head(`Content-Length: -1\r\n\r\n${event}`)],
    ['has a length in words', () => head(`Content-Length: 0x34\r\n\r\n${event}`)],
    ['has an encoding twice', () => head(`Transfer-Encoding: chunked, chunked\r\n\r\n${chunked}`)],
    ['hides its encoding', () => head(`Transfer-Encoding : chunked\r\n\r\n${chunked}`)],
    ['has an unknown encoding', () => head(`Transfer-Encoding: xchunked\r\n\r\n${chunked}`)],
    [
      'has a chunk of no number',
      () => head('Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
    ],
    [
      'has a chunk of 2^72 bytes',
      () => head('Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}'),
    ],
    [
      'has chunk extensions without end',
      () => head(`Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
    ],
    ['has a header of 1 MB', () => head(`X-Long: ${'a'.repeat(1_048_576)}\r\n\r\n`)],
    ['has 10,000 headers', () => head(`${'X-Many: a\r\n'.repeat(10_000)}\r\n`)],
    ['has NUL in a header', () => head('X-Nul: a\0b\r\n\r\n')],
    ['has NUL in its path', () => head('Content-Length: 0\r\n\r\n', '/api/v1/ev\0ents')],
    ['folds a header', () => head('X-Fold: a\r\n b\r\n\r\n')],
    ['is compressed', () => head('Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}')],
    ['is larger than allowed', () => head('Content-Length: 99999999999\r\n\r\n{}')],
    ['is not UTF-8', () => withBody(Buffer.from('7b2270223a22ff227d', 'hex'))],
    ['is overlong UTF-8', () => withBody(Buffer.from('7b2270223a22c080227d', 'hex'))],
    ['has NUL in its text', () => withBody('{"destination":"https://e.com/\\u0000","payload":{}}')],
    ['has half a surrogate', () => withBody('{"eventType":"\\ud800","payload":{}}')],
    [
      'is 100,000 arrays deep',
      () => withBody(`{"payload":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
    ],
    [
      'is 100,000 objects deep',
      () => withBody(`{"payload":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`),
    ],
    ['never closes what it opened', () => withBody('{"payload":'.repeat(DEEP / 10))],
    ['sets a prototype', () => withBody('{"__proto__":{"payload":{}},"payload":{}}')],
    ['names a constructor', () => withBody('{"constructor":{"prototype":{}},"payload":{}}')],
    [
      'has a prototype for headers',
      () => withBody('{"eventType":"a","payload":{},"headers":{"__proto__":"x"}}'),
    ],
    [
      'has a field twice, once wrong',
      () => withBody('{"payload":{},"payload":[],"eventType":"a"}'),
    ],
  ]

  test.each(requests)('one that %s is refused', async (_what, request) => {
    const statuses = await send(request())
    for (const status of statuses) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    // A second answer would be to what was smuggled in behind the first request.
    expect(statuses.length).toBeLessThanOrEqual(1)
    expect((await posthorn.call('GET', '/live')).status).toBe(200)
  })

  test('keys of a prototype in a payload are data, and change nothing', async () => {
    const payload =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1,"a":2}'
    const answer = await posthorn.call(
      'POST',
      '/api/v1/events',
      `{"eventType":"nobody.listens","payload":${payload}}`,
      { 'X-Idempotency-Key': randomUUID() },
    )
    expect(answer.status).toBe(201)
    const read = await posthorn.call('GET', `/api/v1/events/${answer.body.id}`)
    expect(read.text).toContain(payload)
    const fresh = await posthorn.call('POST', '/api/v1/projects', { name: 'after' })
    expect(fresh.status).toBe(201)
    expect(fresh.text).not.toContain('polluted')
  })

  test('a crowd that never ends its headers is cut off, and others are served meanwhile', async () => {
    const startedAt = performance.now()
    const crowd = Array.from({ length: CROWD }, () => {
      const socket = open()
      socket.write('GET /live HTTP/1.1\r\nHost: x\r\n')
      const dripping = setInterval(() => socket.write('X-Drip: y\r\n'), 1_000)
      socket.once('close', () => clearInterval(dripping))
      return socket
    })
    let served = 0
    await eventually(
      async () => {
        const answer = await posthorn.call('GET', '/api/v1/endpoints')
        expect(answer.status).toBe(200)
        served += 1
        return crowd.every((socket) => socket.destroyed)
      },
      { timeoutMs: CUT_OFF_MS, everyMs: 100 },
    )
    expect(performance.now() - startedAt).toBeGreaterThan(HEADERS_MS / 2)
    expect(served).toBeGreaterThan(10)
  }, 60_000)
})
