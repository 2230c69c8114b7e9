import { expect, test } from '@jest/globals'
import type { KafkaMessage } from 'kafkajs'
import { recordEvents } from './bus.conformance.ts'
import type { Received } from './bus.ts'
import { createKafkaIntake } from './kafka-intake.ts'
import { kafkaNames } from './kafka-topics.ts'

function message(bytes: number): KafkaMessage {
  const value = { v: 1, tenantId: 't', eventId: 'e'.repeat(bytes) }
  return { value: Buffer.from(JSON.stringify(value)), offset: '0' } as KafkaMessage
}

test('a topic is full by the bytes of what is not done, long before it is by number', () => {
  const received: Received<unknown>[] = []
  const full: string[] = []
  const withCapacity: string[] = []
  const intake = createKafkaIntake(
    {
      group: 'fanout',
      topics: ['event.accepted'],
      maxInFlight: 10_000,
      onMessages: (_, messages) => void received.push(...messages),
    },
    kafkaNames(),
    {
      events: recordEvents(),
      enqueue: () => true,
      onFull: (topic) => full.push(topic),
      onCapacity: (topic) => withCapacity.push(topic),
    },
  )
  const [topic = ''] = intake.topics
  const large = message(1024 * 1024)
  for (let n = 0; n < 8; n += 1) expect(intake.take(topic, [large], () => () => {})).toBe(1)
  expect([intake.isFull(topic), full]).toEqual([true, [topic]])
  expect(intake.take(topic, [large], () => () => {})).toBe(0)
  for (const one of received.slice(0, 5)) one.done()
  expect([intake.isFull(topic), withCapacity]).toEqual([false, [topic]])
})
