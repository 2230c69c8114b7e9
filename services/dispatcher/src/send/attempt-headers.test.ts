import { describe, expect, test } from '@jest/globals'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import { serviceSignature, standardSignature } from '@posthorn/domain/signature'
import { baseHeaders, type AttemptHeaders, attemptHeaders } from './attempt-headers.ts'

const names = deliveryHeaderNames(brandOf('Service'))
const CURRENT = 'whsec_Y3VycmVudC1jdXJyZW50'
const FORMER = 'whsec_Zm9ybWVyLWZvcm1lci1mb3JtZXI='
const NOW = 1_700_000_000_999

const input: AttemptHeaders = {
  names,
  userAgent: 'Posthorn/1',
  base: baseHeaders(null, names),
  event: null,
  secrets: { current: CURRENT, previous: null, previousUntil: 0 },
  eventId: 'event',
  deliveryId: 'delivery',
  eventType: null,
  traceId: 'trace',
  traceparent: null,
  attemptNumber: 3,
  body: '{}',
  now: NOW,
}

test('identifies and signs the attempt by both schemes', () => {
  expect(attemptHeaders({ ...input, eventType: 'a.b' })).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Posthorn/1',
    'X-Service-Event-ID': 'event',
    'X-Service-Delivery-ID': 'delivery',
    'X-Service-Attempt': '3',
    'X-Service-Event-Type': 'a.b',
    'X-Service-Timestamp': '1700000000',
    'X-Service-Signature': serviceSignature(CURRENT, 1_700_000_000, '{}'),
    'X-Service-Trace-Id': 'trace',
    'webhook-id': 'event',
    'webhook-timestamp': '1700000000',
    'webhook-signature': standardSignature(CURRENT, 'event', 1_700_000_000, '{}'),
  })
  expect(attemptHeaders(input)).not.toHaveProperty('X-Service-Event-Type')
})

test('carries the trace that the event belongs to, unless the sender says otherwise', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  expect(attemptHeaders(input)).not.toHaveProperty('traceparent')
  expect(attemptHeaders({ ...input, traceparent })).toMatchObject({ traceparent })
  const own = attemptHeaders({ ...input, traceparent, event: { Traceparent: 'mine' } })
  expect(own).toMatchObject({ Traceparent: 'mine' })
  expect(own).not.toHaveProperty('traceparent')
})

describe('custom headers', () => {
  test('replace by name without regard to case, the event’s over the endpoint’s', () => {
    const base = baseHeaders(
      { 'content-TYPE': 'text/plain', 'X-A': 'endpoint', 'X-B': 'endpoint' },
      names,
    )
    const headers = attemptHeaders({ ...input, base, event: { 'x-a': 'event' } })
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    expect(lower.filter(([name]) => /^(content-type|x-.)$/.test(name as string)).sort()).toEqual([
      ['content-type', 'text/plain'],
      ['x-a', 'event'],
      ['x-b', 'endpoint'],
    ])
    expect(base['X-A']).toBe('endpoint')
  })

  test.each([
    [{ 'user-AGENT': 'endpoint' }, null, 'endpoint'],
    [null, { 'user-agent': 'event' }, 'event'],
    [{ 'User-Agent': 'endpoint' }, { 'USER-AGENT': 'event' }, 'event'],
    [null, null, 'Posthorn/1'],
  ])('%j of an endpoint and %j of an event make one User-Agent: %s', (custom, event, sent) => {
    const headers = attemptHeaders({ ...input, base: baseHeaders(custom, names), event })
    const agents = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'user-agent')
    expect(agents).toEqual([['User-Agent', sent]])
  })

  test('never replace ours or the connection’s', () => {
    const forged = {
      host: 'evil',
      'Content-Length': '1',
      'x-service-signature': 'evil',
      'X-Service-Anything': 'evil',
      'Webhook-Signature': 'evil',
    }
    const headers = attemptHeaders({ ...input, base: baseHeaders(forged, names), event: forged })
    expect(Object.values(headers)).not.toContain('evil')
    expect(headers).toEqual(attemptHeaders(input))
  })
})

describe('secrets', () => {
  const grace = { current: CURRENT, previous: FORMER, previousUntil: NOW + 1 }
  const by = (secret: string) => standardSignature(secret, 'event', 1_700_000_000, '{}')

  test('of a rotation sign both by the standard and with the new one by ours', () => {
    const headers = attemptHeaders({ ...input, secrets: grace })
    expect(headers['webhook-signature']).toBe(`${by(CURRENT)} ${by(FORMER)}`)
    expect(headers[names.signature]).toBe(serviceSignature(CURRENT, 1_700_000_000, '{}'))
  })

  test('that were replaced sign no more when the grace is over', () => {
    const headers = attemptHeaders({ ...input, secrets: { ...grace, previousUntil: NOW } })
    expect(headers['webhook-signature']).toBe(by(CURRENT))
  })

  test('of the user’s own making sign by our scheme alone', () => {
    const headers = attemptHeaders({
      ...input,
      secrets: { ...grace, current: 'sixteen-characters', previous: null },
    })
    expect(headers).not.toHaveProperty('webhook-id')
    expect(headers[names.signature]).toBe(
      serviceSignature('sixteen-characters', 1_700_000_000, '{}'),
    )
  })
})
