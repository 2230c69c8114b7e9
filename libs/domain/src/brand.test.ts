import { expect, test } from '@jest/globals'
import { brandOf, deliveryHeaderNames } from './brand.ts'

test.each([
  ['service', 'Service', 'service'],
  ['Service', 'Service', 'service'],
  ['acmeHooks', 'AcmeHooks', 'acmehooks'],
])('%s', (word, title, lower) => {
  expect(brandOf(word)).toEqual({ title, lower })
})

test('the names of delivery headers', () => {
  expect(deliveryHeaderNames(brandOf('service'))).toEqual({
    eventId: 'X-Service-Event-ID',
    deliveryId: 'X-Service-Delivery-ID',
    attempt: 'X-Service-Attempt',
    eventType: 'X-Service-Event-Type',
    timestamp: 'X-Service-Timestamp',
    signature: 'X-Service-Signature',
    traceId: 'X-Service-Trace-Id',
  })
})
