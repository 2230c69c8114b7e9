/** The spans of events as a collector over HTTP is sent them by the product. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Posthorn, startPosthorn } from './posthorn.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

const spans: Span[] = []
let collector: Server
let database: TestDatabase
let receiver: Receiver
let posthorn: Posthorn
beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      for (const { scopeSpans } of body.resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      response.end('{}')
    })
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  database = await createTestDatabase()
  receiver = await startReceiver()
  const port = (collector.address() as AddressInfo).port
  posthorn = await startPosthorn('standalone', {
    DATABASE_URL: database.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  })
}, 150_000)
afterAll(async () => {
  await posthorn.stop()
  await receiver.close()
  collector.closeAllConnections()
  await new Promise((done) => collector.close(done))
  await database.drop()
})

async function traceOf(traceId: string, count: number): Promise<Span[]> {
  return await eventually(() => {
    const found = spans.filter((span) => span.traceId === traceId)
    if (found.length < count) throw new Error(JSON.stringify(spans))
    return found
  })
}

test('acceptance, fan-out and attempt are spans of the trace of the request', async () => {
  const traceId = randomUUID().replaceAll('-', '')
  const parentId = traceId.slice(0, 16)
  const endpoint = { url: `${receiver.url}/typed`, eventTypes: ['order.paid'] }
  expect((await posthorn.call('POST', '/api/v1/endpoints', endpoint)).status).toBe(201)
  const headers = {
    'X-Idempotency-Key': randomUUID(),
    traceparent: `00-${traceId}-${parentId}-01`,
  }
  const event = { eventType: 'order.paid', payload: {} }
  expect((await posthorn.call('POST', '/api/v1/events', event, headers)).status).toBe(201)
  const trace = await traceOf(traceId, 3)
  const [accepted, fannedOut, attempted] = [
    'accept event',
    'fan out event',
    'attempt delivery',
  ].map((name) => trace.find((span) => span.name === name))
  expect(accepted?.parentSpanId).toBe(parentId)
  expect(fannedOut?.parentSpanId).toBe(accepted?.spanId)
  expect(attempted?.parentSpanId).toBe(fannedOut?.spanId)
  const [request] = await receiver.waitFor(1)
  expect(request?.headers['traceparent']).toBe(`00-${traceId}-${attempted?.spanId}-01`)
})

test('an event without a trace begins one, with its own id', async () => {
  const before = receiver.requests.length
  const { id } = await posthorn.send({ destination: `${receiver.url}/direct`, payload: {} })
  const trace = await traceOf(id.replaceAll('-', ''), 2)
  const accepted = trace.find(({ name }) => name === 'accept event')
  const attempted = trace.find(({ name }) => name === 'attempt delivery')
  expect(accepted?.parentSpanId).toBeUndefined()
  expect(attempted?.parentSpanId).toBe(accepted?.spanId)
  const requests = await receiver.waitFor(before + 1)
  const sent = requests.find(({ path }) => path === '/direct')?.headers['traceparent']
  expect(sent).toBe(`00-${attempted?.traceId}-${attempted?.spanId}-01`)
})
