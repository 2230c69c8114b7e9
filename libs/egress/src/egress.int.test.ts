import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { Egress, EgressConfig, OutgoingRequest } from './egress.ts'
import { createEgress } from './egress.ts'
import { answerOk, closeServers, startHttp, startRaw } from './servers.fixture.ts'

const LOOPBACK = ['127.0.0.0/8']
const opened: Egress[] = []

function egressWith(config: Partial<EgressConfig> = {}): Egress {
  const egress = createEgress({ allowCidrs: LOOPBACK, ...config })
  opened.push(egress)
  return egress
}

function post(url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { url, headers: {}, body: '{}', timeoutMs: 5000, ...more }
}

/** Runs in a process of its own, with an `egress`; the process must end by itself. */
async function runInChild(body: string, env: Record<string, string> = {}): Promise<string> {
  const script = `
    import { createEgress } from ${JSON.stringify(import.meta.resolve('./egress.ts'))}
    const egress = createEgress({ allowCidrs: ['127.0.0.0/8'] })
    ${body}`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env, timeout: 10_000 },
  )
  return stdout.trim()
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((egress) => egress.close()))
})
afterAll(closeServers)

describe('a request', () => {
  test('that may not go any more when there is a connection is not written', async () => {
    let seen = 0
    const server = await startHttp((_request, response) => {
      seen += 1
      response.end()
    })
    const egress = egressWith()
    let asked = 0
    const mayGo = (): boolean => {
      asked += 1
      return asked > 1
    }
    const withheld = await egress.send(post(server.origin, { mayGo }))
    expect(withheld).toMatchObject({ outcome: 'error', withheld: true, firstByteOutAt: null })
    expect(seen).toBe(0)
    expect(await egress.send(post(server.origin, { mayGo }))).toMatchObject({ statusCode: 200 })
    expect([seen, asked]).toEqual([1, 2])
  })

  test('goes out as it is and its answer comes back', async () => {
    const server = await startHttp((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url, headers } = request
        response.writeHead(202, { 'X-Seen': 'yes' })
        response.end(
          JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }),
        )
      })
    })
    const before = performance.now()
    const result = await egressWith().send(
      post(`${server.origin}/a%20b?c=d#e`, {
        headers: { 'Content-Type': 'application/json', 'X-Service-Event-ID': '1' },
        body: '{"n":1.0,"s":"ü"}',
      }),
    )
    if (result.outcome !== 'response') throw new Error(result.detail)
    expect(result).toMatchObject({ statusCode: 202, headers: { 'x-seen': 'yes' } })
    expect(result.bodyTruncated).toBe(false)
    expect(JSON.parse(result.body)).toMatchObject({
      method: 'POST',
      url: '/a%20b?c=d',
      headers: {
        host: `127.0.0.1:${server.port}`,
        'content-type': 'application/json',
        'content-length': '18',
        'x-service-event-id': '1',
      },
      body: '{"n":1.0,"s":"ü"}',
    })
    expect(result.firstByteOutAt).toBeGreaterThanOrEqual(before)
    expect(result.lastByteInAt).toBeGreaterThanOrEqual(result.firstByteOutAt)
    expect(result.durationMs).toBeGreaterThan(0)
  })

  test.each([301, 302, 303, 307, 308])('%d is an answer, never followed', async (status) => {
    let elsewhere = 0
    const target = await startHttp((request, response) => {
      elsewhere++
      answerOk(request, response)
    })
    const server = await startHttp((_request, response) => {
      response.writeHead(status, { location: `${target.origin}/` }).end()
    })
    const result = await egressWith().send(post(server.origin))
    expect(result).toMatchObject({ outcome: 'response', statusCode: status })
    expect(elsewhere).toBe(0)
  })

  test.each([
    ['a line break in a value', { headers: { a: 'b\r\nX-Smuggled: 1' } }],
    ['a line break in a name', { headers: { 'a\r\nb': 'c' } }],
    ['a character beyond latin1', { headers: { a: '€' } }],
    ['Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['a wrong Content-Length', { headers: { 'Content-Length': '1' } }],
    ['another Host', { headers: { HOST: 'internal.example' } }],
    ['a broken method', { method: 'POST / HTTP/1.1\r\nX: ' }],
    ['a broken URL', { url: 'http://' }],
    ['a certificate without connectionKey', { tls: { cert: '', key: '' } }],
  ])('%s is our own fault and leaves no trace', async (_what, more) => {
    let requests = 0
    const server = await startRaw(() => requests++)
    const result = await egressWith().send(post(server.origin, more))
    expect(result).toMatchObject({ outcome: 'error', category: 'internal', firstByteOutAt: null })
    expect(requests).toBe(0)
  })

  test('a scheme other than http and https is blocked', async () => {
    const result = await egressWith().send(post('ftp://127.0.0.1/'))
    expect(result).toMatchObject({ outcome: 'error', category: 'blocked' })
    const strict = await egressWith({ requireHttps: true }).send(post('http://127.0.0.1/'))
    expect(strict).toMatchObject({ outcome: 'error', category: 'blocked' })
  })

  test('proxy variables have no effect', async () => {
    let proxied = 0
    const proxy = await startRaw((socket) => {
      proxied++
      socket.end('HTTP/1.1 299 Proxied\r\ncontent-length: 0\r\n\r\n')
    })
    const server = await startHttp(answerOk)
    const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
    const env = Object.fromEntries(variables.map((name) => [name, proxy.origin]))
    const stdout = await runInChild(
      `const request = { url: '${server.origin}', headers: {}, body: '', timeoutMs: 5000 }
      console.log((await egress.send(request)).statusCode)
      await egress.close()`,
      { ...env, NODE_USE_ENV_PROXY: '1' },
    )
    expect(stdout).toBe('200')
    expect(proxied).toBe(0)
  })
})

describe('connections', () => {
  test('one is used again, and closed when idle', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith({ keepAliveMs: 50, keepAliveMaxMs: 50 })
    for (let n = 0; n < 5; n++) await egress.send(post(server.origin))
    expect(server.accepted).toBe(1)
    await eventually(() => server.sockets.size === 0)
    expect(egress.counts()).toEqual({ pools: 0, sockets: 0, idle: 0 })
  })

  test('none is used again that is too old or has another key', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith()
    const keys = ['endpoint 1 v1', 'endpoint 1 v2', 'endpoint 1 v1']
    for (const connectionKey of keys) await egress.send(post(server.origin, { connectionKey }))
    expect(server.accepted).toBe(2)
    const shortLived = egressWith({ maxAgeMs: 0 })
    for (let n = 0; n < 3; n++) await shortLived.send(post(server.origin))
    expect(server.accepted).toBe(5)
  })

  test('none is used again that was made under other CIDR lists', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith()
    await egress.send(post(server.origin))
    await egress.send(post(server.origin, { allowedCidrs: LOOPBACK }))
    await egress.send(post(server.origin, { allowedCidrs: [...LOOPBACK] }))
    expect(server.accepted).toBe(2)
    const result = await egress.send(post(server.origin, { blockedCidrs: LOOPBACK }))
    expect(result).toMatchObject({ outcome: 'error', category: 'blocked' })
    expect(server.accepted).toBe(2)
  })

  test('hundreds of requests that hang take no connection from others, at their origin or elsewhere', async () => {
    const held: ServerResponse[] = []
    const slow = await startHttp((request, response) => {
      if (request.url === '/quick') return answerOk(request, response)
      request.resume()
      held.push(response)
    })
    const other = await startHttp(answerOk)
    const egress = egressWith()
    const sent = Array.from({ length: 1_100 }, () =>
      egress.send(post(slow.origin, { timeoutMs: 9000 })),
    )
    await eventually(() => held.length === 1_100)
    for (const url of [`${slow.origin}/quick`, other.origin]) {
      const result = await egress.send(post(url, { timeoutMs: 1000 }))
      expect(result).toMatchObject({ outcome: 'response', statusCode: 200 })
    }
    for (const response of held) response.end()
    const results = await Promise.all(sent)
    expect(results.every(({ outcome }) => outcome === 'response')).toBe(true)
  })

  test('past the cap on sockets the longest idle one makes room', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => startHttp(answerOk)))
    const egress = egressWith({ maxSockets: 2 })
    for (const server of servers) await egress.send(post(server.origin))
    expect(egress.counts()).toMatchObject({ sockets: 2, idle: 2 })
    await eventually(() => servers[0]?.sockets.size === 0)
    expect(servers[2]?.sockets.size).toBe(1)
  })

  test('who waits for a free socket is served in turn, or told that it was our own limit', async () => {
    const held: ServerResponse[] = []
    const slow = await startHttp((request, response) => {
      request.resume()
      held.push(response)
    })
    const fast = await startHttp(answerOk)
    const egress = egressWith({ maxSockets: 1 })
    const first = egress.send(post(slow.origin))
    await eventually(() => held.length === 1)
    const tooShort = await egress.send(post(fast.origin, { timeoutMs: 50 }))
    expect(tooShort).toMatchObject({
      category: 'internal',
      detail: 'no free connection within 50 ms',
    })
    const waiting = egress.send(post(fast.origin))
    held[0]?.end()
    expect(await first).toMatchObject({ statusCode: 200 })
    expect(await waiting).toMatchObject({ statusCode: 200 })
    expect(egress.counts()).toMatchObject({ pools: 1, sockets: 1 })
  })
})

describe('a connection that the server closed while it was idle', () => {
  test('is replaced at once, which is no failure', async () => {
    let requests = 0
    const server = await startRaw((socket) => {
      requests++
      // The second request on a connection finds it closed, as behind a proxy whose idle time is
      // over.
      if (requests === 2) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    const egress = egressWith()
    await egress.send(post(server.origin))
    const result = await egress.send(post(server.origin))
    expect(result).toMatchObject({ outcome: 'response', statusCode: 200 })
    expect([requests, server.accepted]).toEqual([3, 2])
  })

  test('is noticed before a byte is sent when the end has arrived', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith()
    await egress.send(post(server.origin))
    for (const socket of server.sockets) socket.end()
    const result = await egress.send(post(server.origin))
    expect(result).toMatchObject({ outcome: 'response', statusCode: 200 })
  })

  test('is replaced once only', async () => {
    let requests = 0
    const server = await startRaw((socket) => {
      requests++
      if (requests > 1) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    const egress = egressWith()
    await egress.send(post(server.origin))
    const result = await egress.send(post(server.origin))
    expect(result).toMatchObject({ outcome: 'error', category: 'reset' })
    expect(requests).toBe(3)
  })

  test('a fresh one that dies is not', async () => {
    let requests = 0
    const server = await startRaw((socket) => {
      requests++
      socket.resetAndDestroy()
    })
    const result = await egressWith().send(post(server.origin))
    expect(result).toMatchObject({ outcome: 'error', category: 'reset' })
    expect(requests).toBe(1)
  })

  test('nor one that had begun to answer', async () => {
    let requests = 0
    const server = await startRaw((socket) => {
      requests++
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      else socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy())
    })
    const egress = egressWith()
    await egress.send(post(server.origin))
    const result = await egress.send(post(server.origin))
    expect(result).toMatchObject({ outcome: 'error', category: 'reset' })
    expect(requests).toBe(2)
  })
})

describe('close', () => {
  test('ends what is under way and closes every socket', async () => {
    const server = await startHttp((request) => request.resume())
    const idle = await startHttp(answerOk)
    const egress = egressWith({ maxSockets: 3 })
    await egress.send(post(idle.origin))
    const sent = [1, 2, 3, 4].map(() => egress.send(post(server.origin)))
    await eventually(() => server.sockets.size === 3)
    await egress.close()
    for (const result of await Promise.all(sent)) {
      expect(result).toMatchObject({ category: 'internal', detail: 'shutting down' })
    }
    expect(egress.counts()).toEqual({ pools: 0, sockets: 0, idle: 0 })
    await eventually(() => server.sockets.size + idle.sockets.size === 0)
    expect(await egress.send(post(idle.origin))).toMatchObject({ category: 'internal' })
  })

  test('leaves nothing that keeps a process alive', async () => {
    const server = await startHttp((request) => request.resume())
    const stdout = await runInChild(`
      const request = { url: '${server.origin}', headers: {}, body: '', timeoutMs: 60_000 }
      const sent = [egress.send(request), egress.send({ ...request, url: 'http://localhost:1/' })]
      while (egress.counts().sockets < 1) await new Promise(setImmediate)
      await egress.close()
      console.log((await Promise.all(sent)).length)`)
    expect(stdout).toBe('2')
  })
})
