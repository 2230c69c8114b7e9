/**
 * Receivers that do their worst, all at once, beside one that does what it should: every attempt
 * ends in its time, says what happened, and costs a bounded amount of memory, and the healthy one
 * gets all of its events as if it were alone.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Posthorn, startPosthorn } from './posthorn.ts'

/** Long enough for a mebibyte on a machine that does everything at once. */
const TIMEOUT_MS = 5_000
/** What an attempt may take beyond its time, by the specification of these tests. */
const SLACK_MS = 500
const OK = 'HTTP/1.1 200 OK\r\n'
const WHOLE = `${OK}content-length: 2\r\n\r\nok`
/** Each answers so many events: all of them at work together. */
const EVENTS_EACH = 5
const HEALTHY_EVENTS = 300
const MEBIBYTE = 1024 * 1024
/**
 * The growth of the whole process with all its services, beyond what it takes when it has sent some
 * events: what was promised, 1 MiB an attempt and 16 KiB kept, is 100 MiB for a hundred attempts;
 * the rest is the garbage collector's.
 */
const MAX_GROWTH_BYTES = 300 * MEBIBYTE
/** An order of magnitude over what it takes alone. */
const HEALTHY_P99_MS = 2_000
/** How often it is looked at the memory, and how late the machine lets anybody look. */
const LOOK_MS = 200

interface Case {
  name: string
  answer: (socket: Socket) => void
  /** What `error` begins with; '' where the answer counts. */
  error: string
  statusCode?: number
  /** Uses up its whole time. */
  late?: true
}

function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

function pour(socket: Socket, piece: string | Buffer, bytes = Number.POSITIVE_INFINITY): void {
  let left = bytes
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length
      if (!socket.write(piece)) {
        socket.once('drain', more)
        return
      }
    }
  }
  more()
}

const BLOCK = Buffer.alloc(65_536, 'a')
const BOMB = gzipSync(Buffer.alloc(20 * MEBIBYTE))

const CASES: readonly Case[] = [
  { name: 'accepts and hangs', answer: () => undefined, error: 'timeout: ', late: true },
  {
    name: 'sends a byte a second',
    answer: (socket) => void socket.write(`${OK}\r\n`, () => drip(socket, 'x', 1_000)),
    error: 'timeout: ',
    late: true,
  },
  {
    name: 'never ends its headers',
    answer: (socket) => void socket.write(`${OK}x: `, () => drip(socket, 'y', 100)),
    error: 'timeout: ',
    late: true,
  },
  {
    name: 'never ends its body',
    answer: (socket) => void socket.write(`${OK}\r\n`, () => pour(socket, BLOCK)),
    error: '',
    statusCode: 200,
  },
  {
    name: 'sends 100 MB',
    answer: (socket) =>
      void socket.write(`${OK}content-length: 104857600\r\n\r\n`, () =>
        pour(socket, BLOCK, 104_857_600),
      ),
    error: '',
    statusCode: 200,
  },
  {
    name: 'breaks off in the body',
    answer: (socket) =>
      void socket.write(`${OK}content-length: 99\r\n\r\nx`, () => socket.resetAndDestroy()),
    error: 'reset: ',
  },
  {
    name: 'floods with 1xx',
    answer: (socket) => pour(socket, 'HTTP/1.1 103 Hints\r\n\r\n'.repeat(1_000)),
    error: 'timeout: ',
    late: true,
  },
  {
    name: 'sends less than its Content-Length',
    answer: (socket) => void socket.end(`${OK}content-length: 9\r\n\r\nx`),
    error: 'reset: ',
  },
  {
    name: 'sends more than its Content-Length',
    answer: (socket) => void socket.write(`${WHOLE}HTTP/1.1 500 Smuggled\r\n\r\n`),
    error: '',
    statusCode: 200,
  },
  {
    name: 'sends a gzip bomb',
    answer: (socket) => {
      socket.write(
        `${OK}content-encoding: gzip\r\nconnection: close\r\ncontent-length: ${BOMB.length}\r\n\r\n`,
      )
      socket.write(BOMB)
    },
    error: '',
    statusCode: 200,
  },
  {
    name: 'redirects to itself',
    answer: (socket) =>
      void socket.write(
        'HTTP/1.1 302 Found\r\nlocation: /\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      ),
    error: 'http_3xx: ',
    statusCode: 302,
  },
  {
    name: 'sends a header of 1 MB',
    answer: (socket) => void socket.write(`${OK}x: `, () => pour(socket, BLOCK, MEBIBYTE)),
    error: 'reset: ',
  },
  {
    name: 'answers before it has read the request',
    answer: (socket) => {
      socket.pause()
      socket.write(`${OK}connection: close\r\ncontent-length: 2\r\n\r\nok`)
    },
    error: '',
    statusCode: 200,
  },
]

const authority = makeCertificate({ name: 'Nobody knows it' })
const HOUR_MS = 3_600_000
interface TlsCase extends Omit<Case, 'answer'> {
  /** None: it takes the connection and says nothing. */
  certificate?: { cert: string; key: string }
}

const TLS_CASES: readonly TlsCase[] = [
  { name: 'never shakes hands', error: 'timeout: ', late: true },
  {
    name: 'has a certificate that has expired',
    error: 'tls: ',
    certificate: makeCertificate({
      name: '127.0.0.1',
      altNames: ['127.0.0.1'],
      signedBy: authority,
      validTo: new Date(Date.now() - HOUR_MS),
    }),
  },
  {
    name: 'has another’s certificate',
    error: 'tls: ',
    certificate: makeCertificate({
      name: 'other.example',
      altNames: ['other.example'],
      signedBy: authority,
    }),
  },
]

describe('hostile receivers', () => {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  let posthorn: Posthorn
  let healthy: Receiver
  let looking: NodeJS.Timeout | undefined

  beforeAll(async () => {
    healthy = await startReceiver()
    posthorn = await startPosthorn('standalone')
  }, 150_000)

  afterAll(async () => {
    clearInterval(looking)
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
    await posthorn.stop()
    await healthy.close()
  }, 60_000)

  async function listen(server: Server): Promise<number> {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }

  async function startHostile(answer: Case['answer']): Promise<string> {
    const server = createServer((socket) => socket.once('data', () => answer(socket)))
    return `http://127.0.0.1:${await listen(server)}/`
  }

  async function startTls(certificate: TlsCase['certificate']): Promise<string> {
    const server =
      certificate === undefined
        ? createServer((socket) => void socket.resume())
        : createTlsServer({ cert: certificate.cert, key: certificate.key })
    server.on('tlsClientError', () => undefined)
    return `https://127.0.0.1:${await listen(server)}/`
  }

  /** Its endpoint's type: events of that type go there alone. */
  async function subscribe(url: string, type: string): Promise<void> {
    const fields = { url, eventTypes: [type], timeoutMs: TIMEOUT_MS, maxRetries: 1 }
    const made = await posthorn.call('POST', '/api/v1/endpoints', {
      ...fields,
      circuitThreshold: 0,
    })
    expect(made.status).toBe(201)
  }

  async function residentBytes(): Promise<number> {
    const { text } = await posthorn.call('GET', '/metrics')
    return Number(/^process_resident_memory_bytes\{[^}]*\} (\S+)/m.exec(text)?.[1])
  }

  async function attemptsOf(type: string): Promise<Attempt[]> {
    const { body } = await posthorn.call('GET', `/api/v1/deliveries?event_type=${type}&limit=200`)
    return body.data as Attempt[]
  }

  interface Attempt {
    error: string
    statusCode: number
    durationMs: number
    responseBody: string
  }

  test('harm nobody, and each try ends in its time with the truth', async () => {
    const all = [
      ...CASES.map((one, at) => ({ ...one, type: `hostile.${at}`, url: startHostile(one.answer) })),
      ...TLS_CASES.map((one, at) => ({
        ...one,
        type: `hostile.tls-${at}`,
        url: startTls(one.certificate),
        statusCode: 0,
      })),
    ]
    for (const one of all) await subscribe(await one.url, one.type)
    await subscribe(`${healthy.url}/ok`, 'healthy')
    for (let n = 0; n < 50; n += 1) await posthorn.send({ eventType: 'healthy', payload: { n } })
    await healthy.waitFor(50)
    const before = await residentBytes()
    expect(before).toBeGreaterThan(0)

    let most = before
    let lookedAt = performance.now()
    let latestMs = 0
    looking = setInterval(() => {
      const now = performance.now()
      latestMs = Math.max(latestMs, now - lookedAt - LOOK_MS)
      lookedAt = now
      void residentBytes().then(
        (bytes) => (most = Math.max(most, bytes)),
        () => undefined,
      )
    }, LOOK_MS)
    const sentAt = new Map<string, number>()
    // Large enough that one who does not read it stays behind.
    const pad = 'x'.repeat(100_000)
    async function sendHealthy(): Promise<void> {
      for (let n = 0; n < HEALTHY_EVENTS; n += 1) {
        const at = Date.now()
        sentAt.set((await posthorn.send({ eventType: 'healthy', payload: { n } })).id, at)
      }
    }
    async function sendHostile(): Promise<void> {
      for (let n = 0; n < EVENTS_EACH; n += 1) {
        await Promise.all(
          all.map(({ type }) => posthorn.send({ eventType: type, payload: { n, pad } })),
        )
      }
    }
    await Promise.all([sendHealthy(), sendHostile()])

    await healthy.waitFor(50 + HEALTHY_EVENTS, { timeoutMs: 30_000 })
    for (const { name, type, error, statusCode = 0, late } of all) {
      const attempts = await eventually(
        async () => {
          const found = await attemptsOf(type)
          if (found.length < EVENTS_EACH) throw new Error(`${name}: ${found.length} attempts`)
          return found
        },
        { timeoutMs: 30_000, everyMs: 100 },
      )
      expect({ name, attempts: attempts.length }).toEqual({ name, attempts: EVENTS_EACH })
      for (const attempt of attempts) {
        const { durationMs, responseBody } = attempt
        const category = /^(\w+: )?/.exec(attempt.error)?.[0]
        const seen = { name, error: category, statusCode: attempt.statusCode }
        // The status of an answer that did not end is what was heard of it, or nothing.
        const expected =
          error.startsWith('timeout') || error.startsWith('reset') ? attempt.statusCode : statusCode
        expect(seen).toEqual({ name, error, statusCode: expected })
        // Where this process was kept waiting, so was the one that sends.
        const inTime = durationMs <= TIMEOUT_MS + SLACK_MS + latestMs
        expect({ name, inTime, durationMs }).toEqual({ name, inTime: true, durationMs })
        if (late) expect(durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1)
        expect(Buffer.byteLength(responseBody)).toBeLessThanOrEqual(3 * 16 * 1024)
      }
    }

    const latencies = healthy.requests
      .flatMap(({ headers, at }) => {
        const since = sentAt.get(String(headers['x-service-event-id']))
        return since === undefined ? [] : [at - since]
      })
      .sort((a, b) => a - b)
    expect(latencies).toHaveLength(HEALTHY_EVENTS)
    const p99 = latencies[Math.floor(latencies.length * 0.99)] as number
    const grown = Math.round((most - before) / MEBIBYTE)
    process.stderr.write(
      `beside ${all.length} hostile receivers: p99 ${p99} ms, memory +${grown} MiB\n`,
    )
    expect(p99).toBeLessThan(HEALTHY_P99_MS + latestMs)
    expect(most - before).toBeLessThan(MAX_GROWTH_BYTES)
    expect((await posthorn.call('GET', '/live')).status).toBe(200)
  }, 120_000)
})
