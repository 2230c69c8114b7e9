/** The adapters within the frameworks that they are for, over real connections. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import express from 'express'
import createFastify from 'fastify'
import { webhook as expressWebhook } from '../express.ts'
import { webhook as fastifyWebhook } from '../fastify.ts'
import { webhook as nextWebhook } from '../next.ts'
import { sign, type TypedWebhookEvent } from '../webhooks.ts'
import type { WebhookOptions } from './receive.ts'

interface ShopEvents {
  'order.paid': { orderId: string }
  'order.failed': { reason: string }
}
type ShopEvent = TypedWebhookEvent<ShopEvents>

const SECRET = 'whsec_cG9zdGhvcm4gdmVjdG9ycywgMjQgYnl0'
const options: WebhookOptions = { secrets: ['an older one', SECRET], maxBodyBytes: 2_000 }

let closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.map((close) => close()))
  closers = []
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Send = (path: string, init: RequestInit) => Promise<Response>
type Start = (handle: (event: ShopEvent) => unknown) => Promise<Send>

const startExpress: Start = async (handle) => {
  const app = express()
  app.post('/webhooks', expressWebhook<ShopEvents>(options, handle))
  app.post('/raw', express.raw({ type: '*/*' }), expressWebhook<ShopEvents>(options, handle))
  app.use(express.json())
  app.post('/parsed', expressWebhook<ShopEvents>(options, handle))
  app.post('/others', (request, response) => void response.json(request.body))
  // Express tells what was thrown by its own handler of errors; this one prints nothing.
  app.use(((error: Error, _request, response, _next) => {
    response.status(500).send(error.message)
  }) as express.ErrorRequestHandler)
  const url = await listen(createServer(app))
  return (path, init) => fetch(url + path, init)
}

const startFastify: Start = async (handle) => {
  const app = createFastify()
  await app.register(fastifyWebhook<ShopEvents>({ ...options, path: '/webhooks' }, handle))
  app.post('/others', async (request) => request.body)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  return (path, init) => fetch(url + path, init)
}

/** Next calls what a route's module exports with a `Request`, and answers 500 where it throws. */
const startNext: Start = async (handle) => {
  const POST = nextWebhook<ShopEvents>(options, handle)
  return async (path, init) =>
    await POST(new Request(`https://shop.example${path}`, init)).catch(
      (error: Error) => new Response(error.message, { status: 500 }),
    )
}

const body = '{ "orderId": "o_1", "text": "Zoë" }'
async function signed(text = body): Promise<RequestInit> {
  const headers = {
    ...(await sign(text, SECRET, { id: 'e1' })),
    'X-Service-Event-Type': 'order.paid',
  }
  return { method: 'POST', body: text, headers }
}

describe.each([
  ['Express', startExpress],
  ['Fastify', startFastify],
  ['Next', startNext],
])('%s', (_, start) => {
  test('hands over what is signed, and answers once that is done', async () => {
    const seen: unknown[] = []
    const send = await start(async (event) => {
      await new Promise((done) => setImmediate(done))
      if (event.eventType === 'order.paid') seen.push(event.id, event.payload.orderId)
    })
    const response = await send('/webhooks', await signed())
    expect([response.status, await response.text(), seen]).toEqual([204, '', ['e1', 'o_1']])
  })

  test('refuses what is not signed, or too large, without handing it over', async () => {
    const seen: unknown[] = []
    const send = await start((event) => seen.push(event))
    const init = await signed()
    const wrong = [
      { ...init, body: `${body} ` },
      { method: 'POST', body, headers: { 'Content-Type': 'application/json' } },
      { method: 'POST', headers: init.headers as Record<string, string> },
    ]
    for (const one of wrong) expect((await send('/webhooks', one)).status).toBe(401)
    const large = await signed(JSON.stringify({ text: 'x'.repeat(3_000) }))
    expect((await send('/webhooks', large)).status).toBe(413)
    expect(seen).toEqual([])
  })

  test('has the event delivered again where the application throws', async () => {
    const send = await start(() => {
      throw new Error('the shop is closed')
    })
    expect((await send('/webhooks', await signed())).status).toBe(500)
  })
})

test('Express: after a parser of raw bodies, but not after one of JSON', async () => {
  const seen: unknown[] = []
  const send = await startExpress(({ id }) => seen.push(id))
  expect((await send('/raw', await signed())).status).toBe(204)
  const parsed = await send('/parsed', await signed())
  expect([parsed.status, await parsed.text()]).toEqual([500, expect.stringContaining('before')])
  expect(seen).toEqual(['e1'])
})

test.each([
  ['Express', startExpress],
  ['Fastify', startFastify],
])('%s: other routes read JSON as before', async (_, start) => {
  const send = await start(() => {})
  const headers = { 'Content-Type': 'application/json' }
  const response = await send('/others', { method: 'POST', body: '{"a":1}', headers })
  expect(await response.json()).toEqual({ a: 1 })
})

test('without a secret the application does not start', () => {
  for (const secrets of ['', [], [''], undefined as unknown as string])
    for (const start of [
      () => expressWebhook({ secrets }, () => {}),
      () => fastifyWebhook({ secrets, path: '/' }, () => {}),
      () => nextWebhook({ secrets }, () => {}),
    ])
      expect(start).toThrow('secrets must be')
})
