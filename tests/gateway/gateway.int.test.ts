import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { freePort } from '@posthorn/local-stores/free-port'
import { type Gateway, startGateway } from '../../scripts/cluster/gateway.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function startInstance(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openGateway(instances: string[]): Promise<Gateway> {
  const upstreams = { 'ingest-api': instances, 'portal-api': instances }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  closers.push(() => gateway.close())
  return gateway
}

/**
 * Answers with the request as JSON, of a known length, or in chunks when the request asks for that.
 */
const echo: RequestListener = (request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += String(chunk)
  })
  request.on('end', () => {
    const text = JSON.stringify({ method: request.method, path: request.url, body })
    response.setHeader('X-Says', 'echo')
    if (request.headers['x-chunks'] === undefined) {
      response.setHeader('Content-Length', text.length)
      response.end(text)
      return
    }
    response.write(text.slice(0, 5))
    response.end(text.slice(5))
  })
}

/** One connection that the test reads and writes itself. */
function openClient({ port }: Gateway) {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    heard += String(chunk)
  })
  closers.push(async () => void socket.destroy())
  return {
    say: (text: string) => void socket.write(text),
    heard: () => heard,
    ended: () => socket.readableEnded,
    leave: () => void socket.end(),
    async hears(pattern: RegExp) {
      await eventually(() => pattern.test(heard))
    },
  }
}

function post(body: string, headers = ''): string {
  return `POST /api/v1/events HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
}

test('passes on the requests of one connection one after the other, of hot and other routes', async () => {
  const client = openClient(await openGateway([await startInstance(echo)]))
  client.say(post('first'))
  await client.hears(/"path":"\/api\/v1\/events","body":"first"/)
  client.say(post('second', 'Connection: keep-alive\r\n'))
  await client.hears(/"body":"second"/)
  client.say('GET /docs HTTP/1.1\r\nHost: h\r\n\r\n')
  await client.hears(/"method":"GET","path":"\/docs"/)
  client.say(post('third'))
  await client.hears(/"body":"third"/)
  expect(client.heard().match(/HTTP\/1.1 200 OK/g)).toHaveLength(4)
  expect(client.heard().match(/x-says: echo/gi)).toHaveLength(4)
})

test('closes a connection whose client has closed it, after the last answer', async () => {
  const gateway = await openGateway([await startInstance(echo)])
  const [idle, asking] = [openClient(gateway), openClient(gateway)]
  idle.say(post('first'))
  await idle.hears(/"body":"first"/)
  idle.leave()
  await eventually(idle.ended)
  asking.say(post('last'))
  asking.leave()
  await asking.hears(/"body":"last"/)
  await eventually(asking.ended)
})

test('ends although a client goes on sending: the next answer is the last of its connection', async () => {
  const answers: (() => void)[] = []
  const slow: RequestListener = (request, response) => {
    if (request.url === '/ready') response.end()
    else answers.push(() => response.end('{"slow":true}'))
  }
  const upstreams = { 'portal-api': [await startInstance(slow)] }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  const client = openClient(gateway)
  const get = 'GET /docs HTTP/1.1\r\nHost: h\r\n\r\n'
  client.say(get)
  await eventually(() => answers.length === 1)
  const closed = gateway.close()
  client.say(get)
  answers.shift()?.()
  await eventually(() => answers.length === 1)
  answers.shift()?.()
  await eventually(client.ended)
  expect(client.heard().match(/"slow":true|Connection: close/g)).toEqual([
    '"slow":true',
    'Connection: close',
    '"slow":true',
  ])
  await closed
})

test('accepts a request in pieces, a request in chunks, and two requests at once', async () => {
  const gateway = await openGateway([await startInstance(echo)])
  const slow = openClient(gateway)
  const request = post('by and by')
  for (let index = 0; index < request.length; index += 7) slow.say(request.slice(index, index + 7))
  await slow.hears(/"body":"by and by"/)

  const chunks = openClient(gateway)
  chunks.say('POST /api/v1/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n')
  chunks.say('3\r\nabc\r\n0\r\n\r\n')
  await chunks.hears(/"body":"abc"/)

  const both = openClient(gateway)
  both.say(post('one') + post('two'))
  await both.hears(/"body":"one"[^]*"body":"two"/)
})

test('passes on a chunked answer to its end, and an answer of many packets', async () => {
  const big = 'x'.repeat(200_000)
  const client = openClient(await openGateway([await startInstance(echo)]))
  client.say(post(big))
  // Without the word before them it would begin anew at each of those that have come so far.
  await client.hears(/"body":"x{200000}"\}$/)
  client.say(post('b', 'X-Chunks: 1\r\n'))
  await client.hears(/"body":"b"\}\r\n0\r\n\r\n$/)
})

test('skips an instance that is down, and answers 503 when all are', async () => {
  const gone = `http://127.0.0.1:${await freePort()}`
  const gateway = await openGateway([gone, await startInstance(echo)])
  for (const body of ['one', 'two', 'three']) {
    const client = openClient(gateway)
    client.say(post(body))
    await client.hears(new RegExp(`"body":"${body}"`))
  }
  const client = openClient(await openGateway([gone]))
  client.say(post('none'))
  await client.hears(/^HTTP\/1.1 503 [^]*Retry-After: 1[^]*"code":"UNAVAILABLE"/)
  await eventually(client.ended)
})

test('sends nothing twice when an instance dies before it answers', async () => {
  let asked = 0
  const dying = createSocketServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (request) => {
      // Requests by which the gateway asks for readiness do not count.
      if (request.toString().startsWith('POST')) asked += 1
      socket.destroy()
    })
  })
  await new Promise<void>((done) => dying.listen(0, '127.0.0.1', done))
  closers.push(async () => void (await new Promise((done) => dying.close(done))))
  const url = `http://127.0.0.1:${(dying.address() as AddressInfo).port}`
  const client = openClient(await openGateway([url, url]))
  client.say(post('once'))
  await client.hears(/^HTTP\/1.1 503 /)
  await eventually(client.ended)
  expect(asked).toBe(1)
})

test('requests to inbound endpoints go to the service that serves them', async () => {
  const inbound = await startInstance(echo)
  const other = await startInstance((_request, response) => response.writeHead(418).end())
  const upstreams = { 'inbound-receiver': [inbound], 'portal-api': [other] }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  closers.push(() => gateway.close())
  const client = openClient(gateway)
  client.say('POST /inbound/some-path?a=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\none')
  await client.hears(/"path":"\/inbound\/some-path\?a=1","body":"one"/)
  client.say('GET /inbound/some-path?challenge=c HTTP/1.1\r\nHost: h\r\n\r\n')
  await client.hears(/"method":"GET","path":"\/inbound\/some-path\?challenge=c"/)
})

test('sends nothing more to an instance that is leaving, and opens new connections to its successor', async () => {
  let leaving = false
  const served: string[] = []
  const port = await freePort()
  const listen = async (name: string): Promise<Server> => {
    const server = createServer((request, response) => {
      if (request.url === '/ready') {
        // Only the answer says that it is leaving: readiness is not asked again before the next
        // requests.
        response.end()
        return
      }
      served.push(name)
      if (leaving && name === 'first') response.setHeader('Connection', 'close')
      echo(request, response)
    })
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    return server
  }
  const first = await listen('first')
  const gateway = await openGateway([`http://127.0.0.1:${port}`])
  const client = openClient(gateway)
  client.say(post('one'))
  await client.hears(/"body":"one"/)
  leaving = true
  client.say(post('two'))
  await client.hears(/"body":"two"/)
  // The sender is told as well, and opens a new connection for its next request.
  await eventually(client.ended)
  expect(client.heard()).toMatch(/connection: close/i)
  await new Promise((done) => {
    first.close(done)
    first.closeAllConnections()
  })
  const second = await listen('second')
  closers.push(async () => {
    second.closeAllConnections()
    await new Promise((done) => second.close(done))
  })
  const next = openClient(gateway)
  next.say(post('three'))
  await next.hears(/"body":"three"/)
  expect(served).toEqual(['first', 'first', 'second'])
})

test('skips an instance that is leaving, even while the question to another is not answered', async () => {
  let ready = true
  const served: string[] = []
  const leaving = await startInstance((request, response) => {
    if (request.url === '/ready') {
      response.writeHead(ready ? 200 : 503).end()
      return
    }
    served.push('leaving')
    echo(request, response)
  })
  const mute = await startInstance((request, response) => {
    if (request.url === '/ready') return
    served.push('mute')
    echo(request, response)
  })
  const gateway = await openGateway([leaving, mute])
  ready = false
  await eventually(async () => {
    served.length = 0
    for (const body of ['one', 'two', 'three', 'four']) {
      const client = openClient(gateway)
      client.say(post(body))
      await client.hears(new RegExp(`"body":"${body}"`))
    }
    expect(served).toEqual(['mute', 'mute', 'mute', 'mute'])
  })
})

test('is ready while one of its instances is', async () => {
  const say = (status: number) =>
    startInstance((request, response) => {
      // This is an instance that has just begun to leave, after its readiness was asked.
      const isProbe = request.headers['x-probe'] === undefined
      response.writeHead(isProbe ? 200 : status).end()
    })
  const [leaving, ready] = [await say(503), await say(200)]
  const ask = async ({ port }: Gateway): Promise<number> => {
    const url = `http://127.0.0.1:${port}/ready`
    return (await fetch(url, { headers: { 'X-Probe': 'no' } })).status
  }
  const both = await openGateway([leaving, ready])
  expect([await ask(both), await ask(both), await ask(both)]).toEqual([200, 200, 200])
  expect(await ask(await openGateway([leaving]))).toBe(503)
})

test('asks for readiness seldom while a service is idle, and often while it has requests', async () => {
  const startAsked = async (): Promise<{ url: string; gaps(since: number): number[] }> => {
    const askedAt: number[] = []
    const url = await startInstance((request, response) => {
      if (request.url === '/ready') askedAt.push(performance.now())
      response.end('{}')
    })
    return {
      url,
      gaps: (since) =>
        askedAt.slice(since).map((at, index) => at - (askedAt[since + index - 1] ?? 0)),
    }
  }
  const [used, other] = [await startAsked(), await startAsked()]
  const upstreams = { 'ingest-api': [used.url], 'portal-api': [other.url] }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  closers.push(() => gateway.close())
  await eventually(() => used.gaps(0).length >= 3)
  // The first question follows from the start, when readiness is not known yet.
  expect(Math.min(...used.gaps(2))).toBeGreaterThan(800)

  const before = used.gaps(0).length
  const client = openClient(gateway)
  await eventually(() => {
    client.say(post('again'))
    return used.gaps(0).length >= before + 8 && other.gaps(0).length >= 5
  })
  expect(Math.min(...used.gaps(before + 1))).toBeLessThan(600)
  // The requests were for one service: whoever serves another is asked as seldom as before.
  expect(Math.min(...other.gaps(2))).toBeGreaterThan(800)
})

test('tells from which address a request came, behind whatever the client made up', async () => {
  const tell: RequestListener = (request, response) => {
    const text = JSON.stringify(request.headers['x-forwarded-for'] ?? null)
    response.setHeader('Content-Length', text.length)
    response.end(text)
  }
  const client = openClient(await openGateway([await startInstance(tell)]))
  client.say('GET /api/v1/events HTTP/1.1\r\nHost: h\r\n\r\n')
  await client.hears(/"127\.0\.0\.1"/)
  client.say('GET /docs HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n')
  await client.hears(/"6\.6\.6\.6, 127\.0\.0\.1"/)
  client.say('POST /api/v1/projects HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n')
  await eventually(() => (client.heard().match(/"127\.0\.0\.1"/g) ?? []).length === 2)
})

test('passes on an upgrade of the stream of stats, and no other', async () => {
  const server = createServer(echo)
  const seen: string[] = []
  server.on('upgrade', (request, socket) => {
    seen.push(`${request.url} ${String(request.headers['x-forwarded-for'])}`)
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    )
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(async () => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstreams = { alerting: [url], 'portal-api': [url] }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  closers.push(() => gateway.close())
  const upgrade = 'Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

  const stream = openClient(gateway)
  stream.say(`GET /api/v1/stats/ws?key=k HTTP/1.1\r\n${upgrade}`)
  await stream.hears(/101 Switching Protocols/)
  stream.say('to and fro')
  await stream.hears(/to and fro$/)
  expect(seen).toEqual([expect.stringMatching(/^\/api\/v1\/stats\/ws\?key=k .*127\.0\.0\.1$/)])

  const other = openClient(gateway)
  other.say(`GET /docs HTTP/1.1\r\n${upgrade}`)
  await other.hears(/"path":"\/docs"/)
  expect(seen).toHaveLength(1)
})
