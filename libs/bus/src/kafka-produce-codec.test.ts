import { createRequire } from 'node:module'
import { afterEach, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { encodeProduce, isPlain, type ProduceRequest } from './kafka-produce-codec.ts'

const require = createRequire(import.meta.url)
const kafkajsRequest = require('kafkajs/src/protocol/requests/produce/v7/request.js')
/** What kafkajs's producer has without a transaction. */
const PLAIN = { producerId: -1, producerEpoch: 0, acks: -1, timeout: 30_000, compression: 0 }
const NOW = 1_767_225_600_123

async function encodedByKafkajs(request: ProduceRequest): Promise<Buffer> {
  const encoder = await kafkajsRequest(request).encode()
  return encoder.buffer
}

afterEach(() => {
  jest.restoreAllMocks()
})

const bytes = fc.uint8Array({ maxLength: 300 }).map((given) => Buffer.from(given))
const message = fc.record(
  {
    key: fc.option(bytes),
    value: bytes,
    headers: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  },
  { requiredKeys: ['key', 'value'] },
)
const partition = fc.record({
  partition: fc.nat(63),
  firstSequence: fc.constant(0),
  messages: fc.array(message, { minLength: 1, maxLength: 70 }),
})
const topic = fc.record({
  topic: fc.string({ minLength: 1, maxLength: 40 }),
  partitions: fc.array(partition, { minLength: 1, maxLength: 3 }),
})

test('a request is what kafkajs writes, to the byte', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW)
  const topics = fc.array(topic, { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(topics, async (topicData) => {
      const request = { ...PLAIN, topicData }
      expect(isPlain(request)).toBe(true)
      expect(encodeProduce(request, NOW)).toEqual(await encodedByKafkajs(request))
    }),
  )
})

test('a text is sent as its bytes, and what is null as nothing', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW)
  const messages = [
    { key: 'k\u00e9', value: 'v\u20ac' },
    { key: null, value: null },
  ]
  const request = {
    ...PLAIN,
    topicData: [{ topic: 't', partitions: [{ partition: 0, messages }] }],
  }
  expect(isPlain(request)).toBe(true)
  const theirs = { ...request, topicData: [withSequence(request.topicData[0])] }
  expect(encodeProduce(request, NOW)).toEqual(await encodedByKafkajs(theirs))
})

function withSequence(data: ProduceRequest['topicData'][number] | undefined) {
  const partitions = (data?.partitions ?? []).map((one) => ({ ...one, firstSequence: 0 }))
  return { topic: data?.topic ?? '', partitions }
}

test.each([
  ['a transaction', { transactionalId: 'x' }],
  ['a producer with sequences', { producerId: 7 }],
  ['compression', { compression: 1 }],
])('%s is left to kafkajs', (_what, given) => {
  expect(isPlain({ ...PLAIN, ...given, topicData: [] })).toBe(false)
})

test('a time and a header of several values are left to kafkajs', () => {
  const message = { key: null, value: Buffer.from('v') }
  const plain = (more: object) =>
    isPlain({
      ...PLAIN,
      topicData: [
        {
          topic: 't',
          partitions: [{ partition: 0, messages: [message, { ...message, ...more }] }],
        },
      ],
    })
  expect(plain({ headers: { a: 'b' } })).toBe(true)
  expect(plain({ timestamp: '1' })).toBe(false)
  expect(plain({ headers: { a: ['b', 'c'] } })).toBe(false)
})
