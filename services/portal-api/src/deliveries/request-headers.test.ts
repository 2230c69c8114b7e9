import { expect, test } from '@jest/globals'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import { idAt } from '@posthorn/domain/ids'
import { MASK, rebuildRequestHeaders, type SentWith } from './request-headers.ts'

const sent: SentWith = {
  names: deliveryHeaderNames(brandOf('Service')),
  userAgent: 'Posthorn/1.0.0',
  attemptId: idAt(1_700_000_000_999),
  eventId: 'e-1',
  deliveryId: 'd-1',
  attemptNumber: 2,
  eventType: 'order.paid',
  traceId: 'trace-1',
  customHeaders: null,
  eventHeaders: null,
  hasStandardSignature: true,
}

test('the service’s own headers are all there, with the signatures masked', () => {
  expect(rebuildRequestHeaders(sent)).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Posthorn/1.0.0',
    'X-Service-Event-ID': 'e-1',
    'X-Service-Delivery-ID': 'd-1',
    'X-Service-Attempt': '2',
    'X-Service-Event-Type': 'order.paid',
    'X-Service-Timestamp': '1700000000',
    'X-Service-Signature': MASK,
    'X-Service-Trace-Id': 'trace-1',
    'webhook-id': 'e-1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': MASK,
  })
})

test('what was not sent is not there', () => {
  const names = Object.keys(
    rebuildRequestHeaders({ ...sent, eventType: null, traceId: null, hasStandardSignature: false }),
  )
  expect(names).not.toContain('X-Service-Event-Type')
  expect(names).not.toContain('X-Service-Trace-Id')
  expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([])
})

test("an event's header wins over its endpoint's, whatever the case", () => {
  const headers = rebuildRequestHeaders({
    ...sent,
    customHeaders: { 'X-Shop': 'endpoint', 'content-type': 'text/x' },
    eventHeaders: { 'x-shop': 'event', 'user-agent': 'other' },
  })
  expect(headers).toMatchObject({
    'x-shop': 'event',
    'content-type': 'text/x',
    'user-agent': 'other',
  })
  expect(headers).not.toHaveProperty('User-Agent')
  expect(headers).not.toHaveProperty('X-Shop')
  expect(headers).not.toHaveProperty('Content-Type')
})

test.each([
  ['Authorization', 'x'],
  ['X-Api-Key', 'x'],
  ['X-Vendor-Token', 'x'],
  ['Cookie', 'x'],
  ['X-Client-Secret', 'x'],
  ['X-Hub-Signature-256', 'x'],
  ['X-Plain', 'Bearer abc'],
  ['X-Plain', 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
])('%s: %s is masked', (name, value) => {
  expect(rebuildRequestHeaders({ ...sent, customHeaders: { [name]: value } })[name]).toBe(MASK)
})

test.each([
  ['X-Shop', 'berlin'],
  ['X-Keyboard', 'qwerty'],
  ['X-Author', 'me'],
  ['Idempotency', 'a-b'],
])('%s is not', (name, value) => {
  expect(rebuildRequestHeaders({ ...sent, eventHeaders: { [name]: value } })[name]).toBe(value)
})
