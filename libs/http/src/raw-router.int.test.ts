/**
 * A route that takes whatever is sent: what reaches its handler, and what the server does as for
 * all other routes.
 */
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { eventually } from '@posthorn/testing/eventually'
import { createErrorAnswerer } from './errors.ts'
import { createHttpServer, type HttpServer } from './http-server.ts'
import { createRawRouter, type RawAnswer, type RawRequest } from './raw-router.ts'

let server: HttpServer
let port: number
let handle: (given: RawRequest) => Promise<RawAnswer>
const observed: { route: string; status: number }[] = []
const OK = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'ok' }
/** An eighth of the capacity is four bodies of the largest size. */
const BODY_ROOMS = { maxBytes: 8 * 4_096, maxSmallBytes: 0 }
const SENDER = { tenantId: 't', senderId: 'h' }

beforeAll(async () => {
  const router = createRawRouter(
    {
      name: 'raw',
      path: '/raw/',
      methods: ['GET', 'HEAD', 'POST'],
      maxBodyBytes: 1_024,
      bodyCapacity: BODY_ROOMS,
    },
    (given) => handle(given),
  )
  server = createHttpServer({
    routers: [router],
    routes: [
      { method: 'GET', path: '/raw/:one' },
      { method: 'POST', path: '/raw/:one' },
    ],
    operations: {
      isReady: () => true,
      health: async () => ({ ok: true, checks: [] }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
    },
    document: () => ({}),
    answerError: createErrorAnswerer({ isUnavailable: () => false, log: { error: () => {} } }),
    observe: ({ route, status }) => observed.push({ route, status }),
  })
  port = await server.listen('127.0.0.1', 0)
})
afterAll(async () => await server.close(1_000))
beforeEach(() => {
  observed.length = 0
})

interface SentRequest {
  method?: string
  headers?: Record<string, string | string[]>
  body?: Buffer
}

function send(
  path: string,
  { method = 'POST', headers = {}, body = Buffer.alloc(0) }: SentRequest = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const length = { 'Content-Length': body.length }
      const options = { host: '127.0.0.1', port, path, method, agent: false as const }
      const out = request({ ...options, headers: { ...length, ...headers } }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      })
      out.on('error', reject)
      out.end(body)
    },
  )
}

test('the handler gets the bytes, each header with all of its values, and the path as it was sent', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x0d, 0x0a])
  let seen: [RawRequest, Buffer] | undefined
  handle = async (given) => {
    seen = [given, await given.readBody(SENDER)]
    return OK
  }
  const answer = await send('/raw/a%2Fb/?q=%00&q=2', {
    headers: { 'X-Request-Id': 'mine', 'X-Twice': ['1', '2'], Cookie: ['a=1', 'b=2'] },
    body: bytes,
  })
  expect(answer).toMatchObject({ status: 200, text: 'ok', headers: { 'x-request-id': 'mine' } })
  const [given, body] = seen as [RawRequest, Buffer]
  expect(body.equals(bytes)).toBe(true)
  expect(given).toMatchObject({
    method: 'POST',
    segment: 'a%2Fb',
    target: '/raw/a%2Fb/?q=%00&q=2',
    requestId: 'mine',
  })
  expect(given.headers.get('x-twice')).toEqual(['1', '2'])
  await eventually(() => expect(observed).toEqual([{ route: 'raw', status: 200 }]))
})

test('what is thrown is answered as everywhere, and other methods by what the path allows', async () => {
  handle = () => Promise.reject(new ApiError('CONFLICT', 'no'))
  expect(await send('/raw/a')).toMatchObject({
    status: 409,
    text: '{"error":"no","code":"CONFLICT"}',
  })
  handle = () => Promise.reject(new Error('of our own making'))
  const failed = await send('/raw/a')
  expect(failed.status).toBe(500)
  expect(failed.text).not.toContain('making')
  expect(await send('/raw/a', { method: 'DELETE' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD, POST, OPTIONS' },
  })
  handle = async () => OK
  expect(await send('/raw/a', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
})

test('bodies are bounded, one by one and together, and their capacity is given back', async () => {
  handle = async (given) => {
    await given.readBody(SENDER)
    return OK
  }
  const whole = Buffer.alloc(1_024)
  expect((await send('/raw/a', { body: Buffer.alloc(1_025) })).status).toBe(413)
  const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'))
  try {
    // All but the last byte of four bodies: no capacity is left for a fifth.
    const head = `POST /raw/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1024\r\n\r\n`
    for (const socket of sockets) {
      socket.on('error', () => {})
      socket.write(Buffer.concat([Buffer.from(head), whole.subarray(1)]))
    }
    await eventually(async () => expect((await send('/raw/a', { body: whole })).status).toBe(503))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await eventually(async () => expect((await send('/raw/a', { body: whole })).status).toBe(200))
})
