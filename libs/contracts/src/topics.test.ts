import { describe, expect, test } from '@jest/globals'
import {
  concerns,
  ConfigChanged,
  DeliveryDue,
  type DueBacklog,
  type DueDelivery,
  dueTopicOf,
  EventAccepted,
  PollReady,
  PRIORITY_CLASSES,
  priorityClass,
  TOPICS,
} from './topics.ts'

const delivery: DueDelivery = {
  v: 1,
  kind: 'delivery',
  token: 1_795_270_957_242_123,
  tenantId: 't',
  projectId: 'p',
  eventId: 'e',
  deliveryId: 'd',
  endpointId: null,
  lane: null,
  destination: 'https://example.com',
  eventType: null,
  payload: '{"a":1.0}',
  headers: '{"a":"b"}',
  priority: 5,
  seq: 1,
  attempts: 0,
  attemptsBefore: 0,
  maxAttempts: null,
  traceId: 'trace',
  createdAt: 1_795_270_957_242,
}
const backlog: DueBacklog = {
  v: 1,
  kind: 'backlog',
  token: 1,
  tenantId: 't',
  targetId: 'g',
  endpointId: null,
}

test.each([
  [1, 'high'],
  [2, 'high'],
  [3, 'high'],
  [4, 'normal'],
  [7, 'normal'],
  [8, 'low'],
  [10, 'low'],
] as const)('priority %d is of the class %s and has its topic', (priority, expected) => {
  expect(priorityClass(priority)).toBe(expected)
  expect(dueTopicOf({ ...delivery, priority })).toBe(`delivery.due.${expected}`)
})

test('a backlog goes first', () => {
  expect(dueTopicOf(backlog)).toBe('delivery.due.high')
})

test('each class has its topic, read by the same', () => {
  for (const name of PRIORITY_CLASSES)
    expect(TOPICS[`delivery.due.${name}`].readers).toEqual(['dispatcher'])
})

test.each(Object.entries(TOPICS))('%s has a meaning, writers and readers', (name, topic) => {
  expect(name).toMatch(/^[a-z]+(\.[a-z]+)+$/)
  expect(topic.meaning).toMatch(/\.$/)
  expect(topic.writers.length).toBeGreaterThan(0)
  expect(topic.readers.length).toBeGreaterThan(0)
})

test('keys keep together what must stay in order', () => {
  expect(TOPICS['event.accepted'].key({ v: 1, tenantId: 't', eventId: 'e' })).toBeNull()
  expect(TOPICS['delivery.due.low'].key(delivery)).toBeNull()
  expect(TOPICS['delivery.due.high'].key(backlog)).toBe('g')
  expect(TOPICS['poll.ready'].key({ v: 1, tenantId: 't', endpointId: 'n' })).toBe('n')
  expect(TOPICS['config.changed'].key({ v: 1, tenantId: 't', what: 'secrets' })).toBe('t')
})

describe('messages', () => {
  test.each([
    ['a delivery', DeliveryDue, delivery],
    [
      'a delivery of an endpoint, its payload by reference',
      DeliveryDue,
      { ...delivery, endpointId: 'x', payload: null },
    ],
    ['a backlog', DeliveryDue, backlog],
    ['an event', EventAccepted, { v: 1, tenantId: 't', eventId: 'e' }],
    ['something to fetch', PollReady, { v: 1, tenantId: 't', endpointId: 'n' }],
    ['a change', ConfigChanged, { v: 1, tenantId: 't', what: 'endpoints' }],
  ])('%s survives the wire', (_, schema, message) => {
    expect(schema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message)
  })

  test.each([
    ['another version', DeliveryDue, { ...delivery, v: 2 }],
    ['another kind', DeliveryDue, { ...delivery, kind: 'lane' }],
    ['a token that is no whole number', DeliveryDue, { ...delivery, token: 1.5 }],
    ['a token beyond what a double holds', DeliveryDue, { ...delivery, token: 2 ** 60 }],
    ['a missing field', DeliveryDue, { ...delivery, seq: undefined }],
    ['text', EventAccepted, 'event'],
  ])('%s is refused', (_, schema, message) => {
    expect(schema.safeParse(message).success).toBe(false)
  })

  test('a later version’s words are understood as far as they can be', () => {
    expect(ConfigChanged.safeParse({ v: 1, tenantId: 't', what: 'weather' }).success).toBe(true)
    expect(concerns('weather', 'inbound')).toBe(true)
    expect(concerns('inbound', 'inbound')).toBe(true)
    expect(concerns('secrets', 'inbound')).toBe(false)
    const { isOfLaterKind = () => false } = TOPICS['delivery.due.high']
    expect(isOfLaterKind({ ...delivery, kind: 'lane' })).toBe(true)
    expect(isOfLaterKind({ ...delivery, seq: undefined })).toBe(false)
    expect(isOfLaterKind({ ...delivery, v: 2, kind: 'lane' })).toBe(false)
    expect(isOfLaterKind(null)).toBe(false)
  })

  test('fields that a later version adds are let through', () => {
    expect(
      EventAccepted.safeParse({ v: 1, tenantId: 't', eventId: 'e', later: true }).success,
    ).toBe(true)
  })
})
