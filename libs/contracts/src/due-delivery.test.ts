import { expect, test } from '@jest/globals'
import { idAt, timeOfId } from '@posthorn/domain/ids'
import { NEVER_SENT, parseHeaders, toDueDelivery } from './due-delivery.ts'
import { DueDelivery } from './topics.ts'

const event = {
  tenantId: 't',
  id: idAt(1_795_270_957_242),
  projectId: 'p',
  eventType: 'order.paid',
  headers: '{"X-Shop":"one"}',
  maxAttempts: 9,
  priority: 3,
  traceId: 'trace',
}
const delivery = {
  ...NEVER_SENT,
  token: 1_795_270_957_242_123,
  deliveryId: 'd',
  endpointId: 'n',
  lane: '',
  destination: null,
  payload: '{"n":1.0}',
  seq: 7,
}

test('the message has all that is known of event and delivery, as the topic defines it', () => {
  const message = toDueDelivery(event, delivery)
  const { id: eventId, ...fields } = event
  expect(message).toEqual({
    v: 1,
    kind: 'delivery',
    ...fields,
    ...delivery,
    eventId,
    createdAt: timeOfId(eventId),
  })
  expect(DueDelivery.parse(message)).toEqual(message)
})

test('only an event that was edited has an edition in its message', () => {
  expect(toDueDelivery(event, { ...delivery, edition: 0 })).not.toHaveProperty('edition')
  expect(toDueDelivery(event, { ...delivery, edition: 2 }).edition).toBe(2)
})

test('headers travel as the text that was stored, and are parsed by whoever sends them', () => {
  expect(toDueDelivery(event, delivery).headers).toBe(event.headers)
  expect(parseHeaders(event.headers)).toEqual({ 'X-Shop': 'one' })
  expect(parseHeaders(null)).toBeNull()
})
