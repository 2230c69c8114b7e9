/** The end of a server's life, on real sockets. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { Router } from 'express'
import { eventually } from '@posthorn/testing/eventually'
import { createErrorAnswerer } from './errors.ts'
import { createHttpServer } from './http-server.ts'
import { createBodyCapacity } from './body-capacity.ts'
import { createServe } from './serve.ts'

const SILENT = { error: () => {} }
const PARTS = {
  routes: [],
  operations: {
    isReady: () => false,
    health: async () => ({ ok: true, checks: [] }),
    metrics: async () => ({ contentType: 'text/plain', body: '' }),
  },
  document: () => ({}),
  answerError: createErrorAnswerer({ isUnavailable: () => false, log: SILENT }),
  observe: () => {},
}

async function startServer() {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const router = Router()
  router.get('/slow', async (_request, response) => {
    began.resolve()
    await release.promise
    response.end('done')
  })
  let ready = false
  const headers: Record<string, unknown> = {}
  const operations = { ...PARTS.operations, isReady: () => ready }
  const server = createHttpServer({
    ...PARTS,
    operations,
    routers: [{ mount: (app) => void app.use(router) }],
  })
  const port = await server.listen('127.0.0.1', 0)
  const agent = new Agent({ keepAlive: true })
  const get = (path: string) => getText({ agent, port, path }, headers)
  const setReady = (next: boolean) => {
    ready = next
  }
  const slow = { began: began.promise, release: release.resolve }
  return { server, agent, port, get, headers, setReady, ...slow }
}

function getText(
  options: { agent: Agent; port: number; path: string },
  headers: Record<string, unknown>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, host: '127.0.0.1' }, (response: IncomingMessage) => {
      let text = `${response.statusCode} `
      Object.assign(headers, response.headers)
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('a server that closes finishes what runs, on connections that would be kept', async () => {
  const { server, agent, get, began, release } = await startServer()
  expect(await get('/live')).toMatch(/^200/)
  expect(await get('/ready')).toMatch(/^503/)
  const running = get('/slow')
  await began
  const closed = server.close(10_000)
  release()
  expect(await running).toBe('200 done')
  await closed
  await expect(get('/live')).rejects.toThrow()
  agent.destroy()
})

test('whoever sends no HTTP, and neither reads the answer nor closes, is cut off', async () => {
  const { server, agent, port, get } = await startServer()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  const dripping = setInterval(() => socket.write('no HTTP\r\n\r\n'), 50)
  await closed
  clearInterval(dripping)
  expect(await get('/live')).toMatch(/^200/)
  agent.destroy()
  await server.close(1_000)
})

test('from the moment it is not ready any more, answers end their connections', async () => {
  const { server, agent, get, headers, setReady } = await startServer()
  setReady(true)
  expect(await get('/live')).toMatch(/^200/)
  expect(headers['connection']).toBe('keep-alive')
  setReady(false)
  expect(await get('/live')).toMatch(/^200/)
  expect(headers['connection']).toBe('close')
  expect(await get('/ready')).toMatch(/^503/)
  agent.destroy()
  await server.close(1_000)
})

test('what does not finish in time is cut off', async () => {
  const { server, agent, get, began, release } = await startServer()
  const running = get('/slow')
  await began
  const [result] = await Promise.allSettled([running, server.close(20)])
  expect(result.status).toBe('rejected')
  release()
  agent.destroy()
})

/** A hot route whose handler waits for the test. */
async function startHeld(largestBody = 1_000) {
  const waiting: (() => void)[] = []
  const caller = {
    tenantId: 't',
    parent: null,
    keyId: 'k',
    role: null,
    user: null,
    sessionId: null,
    plan: 'self_hosted' as const,
    scopes: ['events:write'],
    projectId: null,
    homeProjectId: 'p',
    keyProjectId: null,
    environment: 'production' as const,
    actor: { type: 'api_key' as const, id: 'k', name: 'Key', userId: null },
  }
  const member = async () => ({
    keyId: 'k',
    rateLimit: null,
    mustEnrol: false,
    extendedUntil: null,
    caller: async () => caller,
  })
  const none = () => Promise.reject(new Error('nobody comes this way'))
  const ignored = (): void => undefined
  const serve = createServe(
    'createEvent',
    routeCatalog('Service').createEvent as Route,
    largestBody * 10,
    {
      authenticate: {
        member,
        session: none,
        scimToken: none,
        checkOrigin: ignored,
        invalidateTenant: ignored,
        refresh: none,
      },
      sessionCookie: { name: 'service_session', secure: false },
      trustedProxies: 0,
      onUnaudited: ignored,
      takeToken: () => Promise.reject(new Error('there is no limit')),
      now: Date.now,
      bodyCapacity: createBodyCapacity({ largestBody, maxBytes: 0, maxSmallBytes: 0 }),
    },
    () => new Promise((resolve) => waiting.push(() => resolve({ done: true }))),
  )
  const router = { mount: () => undefined, hot: new Map([['POST /held', serve]]) }
  const server = createHttpServer({ ...PARTS, routers: [router] })
  const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}/held`
  const post = (bytes: number, end = '"}}') => {
    const body = `{"eventType":"a","payload":{"a":"`.padEnd(bytes - end.length, 'x') + end
    const headers = { 'Content-Type': 'application/json' }
    return fetch(url, { method: 'POST', headers, body })
  }
  return { server, url, post, waiting }
}

test('one key’s bodies take no more memory together than its share: what is over it is told to come again', async () => {
  const { server, url, post, waiting } = await startHeld()
  const first = post(700)
  await eventually(() => expect(waiting).toHaveLength(1))
  const second = await post(700)
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await second.json()).toMatchObject({ code: 'UNAVAILABLE' })

  // For a body whose length was not told: as soon as it is over.
  const body = new Blob(['x'.repeat(700)]).stream()
  const untold = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    duplex: 'half',
  }
  expect((await fetch(url, untold as RequestInit)).status).toBe(503)

  waiting.shift()?.()
  expect((await first).status).toBe(201)
  // Capacity is given back by requests that were served, refused or not understood.
  expect((await post(700, '')).status).toBe(400)
  const last = post(900)
  await eventually(() => expect(waiting).toHaveLength(1))
  waiting.shift()?.()
  expect((await last).status).toBe(201)
  await server.close(1_000)
})

/**
 * Sends a body of `bytes` bytes, a number of them every 100 ms, until its end or the connection's.
 */
function drip(port: number, bytes: number, step: number) {
  const socket = connect(port, '127.0.0.1')
  const head = `POST /held HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${bytes}\r\n\r\n`)
  socket.on('error', () => undefined)
  const body = '{"eventType":"a","payload":{"a":"'.padEnd(bytes - 3, 'x') + '"}}'
  let sent = 0
  const sending = setInterval(() => {
    socket.write(body.slice(sent, sent + step))
    sent += step
    if (sent >= bytes) clearInterval(sending)
  }, 100)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  const ended = new Promise<string>((resolve) =>
    socket.once('close', () => {
      clearInterval(sending)
      resolve(text)
    }),
  )
  return { socket, ended }
}

test('a body that comes too slowly is cut off with 408, one at a bearable rate is not', async () => {
  const { server, url, waiting, post } = await startHeld(301_000)
  const port = Number(new URL(url).port)
  // The first comes at 50 bytes/s. The second, which takes longer than the 5 s that are forgiven,
  // comes at three times the rate that is asked.
  const [slow, steady] = [drip(port, 999, 5), drip(port, 300_000, 5_000)]
  const cut = await slow.ended
  expect(cut).toMatch(/^HTTP\/1.1 408 /)
  expect(cut).toContain('Connection: close')
  expect(cut).toContain('"code":"BAD_REQUEST"')
  await eventually(() => expect(waiting).toHaveLength(1))
  // The capacity that the slow one had is free again.
  const last = post(900)
  await eventually(() => expect(waiting).toHaveLength(2))
  for (const answer of waiting) answer()
  expect((await last).status).toBe(201)
  await eventually(() => expect(steady.socket.bytesRead).toBeGreaterThan(0))
  steady.socket.destroy()
  expect(await steady.ended).toMatch(/^HTTP\/1.1 201 /)
  await server.close(1_000)
}, 30_000)

test('a port that another process listens at is refused', async () => {
  const { server, port } = await startServer()
  const other = createHttpServer({ ...PARTS, routers: [] })
  await expect(other.listen('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await server.close(1_000)
  expect(await other.listen('127.0.0.1', port)).toBe(port)
  await other.close(1_000)
})
