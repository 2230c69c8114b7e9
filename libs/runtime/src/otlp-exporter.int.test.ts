/** Spans as a real collector over HTTP is sent them. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { createOtlpExporter } from './otlp-exporter.ts'
import { createTracing, type FinishedSpan } from './tracing.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] }
}

const received: Received[] = []
let status = 200
let collector: Server
let endpoint: string
beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as Received['body'],
      })
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`
})
afterAll(async () => {
  collector.closeAllConnections()
  await new Promise((done) => collector.close(done))
})

function spansOf(all: readonly Received[]): Record<string, unknown>[] {
  return all.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
}

function open(lost: unknown[] = []) {
  return createOtlpExporter(
    {
      endpoint,
      headers: { 'x-team': 'hooks' },
      serviceName: 'posthorn-test',
      version: '1',
      everyMs: 10,
    },
    (spans, because) => lost.push([spans, String(because)]),
  )
}

test('the life of an event becomes three spans of one trace', async () => {
  received.length = 0
  const exporter = open()
  const tracing = createTracing(1, exporter.add)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const event = { tenantId: newId(), eventId: newId(), eventType: 'order.paid', traceparent }
  const attempt = { ...event, attemptId: newId(), deliveryId: newId(), endpointId: newId() }
  tracing.accepted(event, 3)
  tracing.fannedOut(event, 2, 4, Date.now())
  const end = { attemptNumber: 1, statusCode: 503, outcome: 'retry', durationMs: 5 }
  tracing.attempted(attempt, { ...end, category: 'server_error' })
  await eventually(() => spansOf(received).length === 3)
  await exporter.stop()
  const [accepted, fannedOut, attempted] = spansOf(received)
  expect([accepted, fannedOut, attempted].map((span) => span?.['traceId'])).toEqual([
    traceId,
    traceId,
    traceId,
  ])
  expect(accepted?.['parentSpanId']).toBe('00f067aa0ba902b7')
  expect(fannedOut?.['parentSpanId']).toBe(accepted?.['spanId'])
  expect(attempted?.['parentSpanId']).toBe(fannedOut?.['spanId'])
  expect(tracing.traceparentOf(attempt)).toBe(`00-${traceId}-${String(attempted?.['spanId'])}-01`)
  expect(attempted).toMatchObject({
    name: 'attempt delivery',
    kind: 3,
    status: { code: 2, message: 'server_error' },
    startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
  })
  expect(attempted?.['attributes']).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: '503' },
  })
  expect(received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-team': 'hooks' } })
  expect(JSON.stringify(received[0]?.body)).toContain('posthorn-test')
})

test('what is not sampled is not sent, and what is, is sent on', () => {
  const spans: FinishedSpan[] = []
  const tracing = createTracing(0, (span) => spans.push(span))
  const event = { tenantId: newId(), eventId: newId(), eventType: null }
  tracing.accepted(event, 1)
  const unsampled = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`
  tracing.accepted({ ...event, traceparent: unsampled }, 1)
  expect(spans).toEqual([])
  tracing.accepted({ ...event, traceparent: unsampled.replace(/0$/, '1') }, 1)
  expect(spans).toHaveLength(1)
})

test('a collector that refuses costs its spans, and is told of', async () => {
  status = 503
  const lost: unknown[] = []
  const exporter = open(lost)
  createTracing(1, exporter.add).accepted(
    { tenantId: newId(), eventId: newId(), eventType: null },
    1,
  )
  await eventually(() => lost.length > 0)
  expect(lost).toEqual([[1, expect.stringContaining('answered 503')]])
  status = 200
  await exporter.stop()
})

test('more than fits is dropped and counted, and the last are sent at the end', async () => {
  received.length = 0
  const lost: [number, string][] = []
  const exporter = open(lost)
  const tracing = createTracing(1, exporter.add)
  const event = { tenantId: newId(), eventId: newId(), eventType: null }
  for (let at = 0; at < 10_000; at += 1) tracing.accepted(event, 1)
  await exporter.stop()
  const sent = spansOf(received).length
  expect(sent).toBeGreaterThan(0)
  expect(sent + lost.reduce((sum, [spans]) => sum + spans, 0)).toBeLessThanOrEqual(10_000)
})
