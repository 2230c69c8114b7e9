import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeFetch, encodeFetch, type FetchRequest } from './kafka-fetch-codec.ts'

const require = createRequire(import.meta.url)
const Encoder = require('kafkajs/src/protocol/encoder.js')
const Record = require('kafkajs/src/protocol/recordBatch/record/v0/index.js')
const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0/index.js')
const kafkajsRequest = require('kafkajs/src/protocol/requests/fetch/v11/request.js')
const kafkajsResponse = require('kafkajs/src/protocol/requests/fetch/v11/response.js')

const NOBODY = -1

const asked = fc.record({
  topic: fc.string({ minLength: 1, maxLength: 40 }),
  partitions: fc.array(
    fc.record({
      partition: fc.nat(63),
      fetchOffset: fc.integer({ min: -2, max: Number.MAX_SAFE_INTEGER }).map(String),
      maxBytes: fc.nat(),
    }),
    { minLength: 1, maxLength: 9 },
  ),
})

test('a request is what kafkajs writes of the same topics, to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 4 }), fc.string(), async (topics, rackId) => {
      const request: FetchRequest = {
        isolationLevel: 1,
        maxWaitTime: 1_000,
        minBytes: 1,
        maxBytes: 10_485_760,
        rackId,
        topics,
      }
      const theirs = await kafkajsRequest({ ...request, replicaId: NOBODY }).encode()
      expect(encodeFetch(request, 0)).toEqual(theirs.buffer)
    }),
  )
})

test('topics and partitions take turns, and none is left out', async () => {
  const partitions = [0, 1, 2].map((partition) => ({ partition, fetchOffset: '5', maxBytes: 9 }))
  const topics = ['a', 'b'].map((topic) => ({ topic, partitions }))
  const request = { isolationLevel: 1, maxWaitTime: 1, minBytes: 1, maxBytes: 1, topics }
  const turned = (topic: string, order: readonly number[]) => ({
    topic,
    partitions: order.map((at) => partitions[at]),
  })
  const theirs = await kafkajsRequest({
    ...request,
    replicaId: NOBODY,
    topics: [turned('b', [1, 2, 0]), turned('a', [1, 2, 0])],
  }).encode()
  expect(encodeFetch(request, 1)).toEqual(theirs.buffer)
  expect(encodeFetch(request, 6)).toEqual(encodeFetch(request, 0))
})

interface Answered {
  partition: number
  error: number
  replica: number
  values: readonly string[]
}

/** As a broker writes it. */
async function answer(topics: readonly { topic: string; partitions: readonly Answered[] }[]) {
  const encoder = new Encoder().writeInt32(40).writeInt16(0).writeInt32(0)
  encoder.writeInt32(topics.length)
  for (const { topic, partitions } of topics) {
    encoder.writeString(topic).writeInt32(partitions.length)
    for (const one of partitions) {
      encoder.writeInt32(one.partition).writeInt16(one.error)
      encoder.writeInt64(100).writeInt64(99).writeInt64(1)
      encoder.writeInt32(1).writeInt64(3).writeInt64(4) // an aborted transaction
      encoder.writeInt32(one.replica)
      encoder.writeBytes(one.values.length === 0 ? Buffer.alloc(0) : await batchOf(one.values))
    }
  }
  return encoder.buffer as Buffer
}

async function batchOf(values: readonly string[]): Promise<Buffer> {
  const records = values.map((value, offsetDelta) =>
    Record({ offsetDelta, timestampDelta: 0, key: null, value: Buffer.from(value) }),
  )
  const batch = await RecordBatch({ records, lastOffsetDelta: values.length - 1 })
  return batch.buffer
}

const answered: fc.Arbitrary<Answered> = fc.record({
  partition: fc.nat(63),
  error: fc.constantFrom(0, 0, 1),
  replica: fc.constantFrom(NOBODY, NOBODY, 2),
  values: fc.array(fc.string(), { maxLength: 3 }),
})

test('an answer is what kafkajs reads, without the partitions that have nothing to say', async () => {
  const topics = fc.array(
    fc.record({ topic: fc.string(), partitions: fc.array(answered, { maxLength: 9 }) }),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(topics, async (given) => {
      const bytes = await answer(given)
      const theirs = await kafkajsResponse.decode(bytes)
      const saying = theirs.responses.map(
        ({ topicName, partitions }: { topicName: string; partitions: Decoded[] }) => ({
          topicName,
          partitions: partitions
            .filter(
              ({ messages, errorCode, preferredReadReplica: replica }) =>
                messages.length > 0 || errorCode !== 0 || replica !== NOBODY,
            )
            .map(({ lastStableOffset, lastStartOffset, ...rest }) => rest),
        }),
      )
      expect(await decodeFetch(bytes)).toEqual({
        clientSideThrottleTime: 40,
        responses: saying.filter(({ partitions }: { partitions: unknown[] }) => partitions.length),
      })
    }),
  )
})

interface Decoded {
  messages: unknown[]
  errorCode: number
  preferredReadReplica: number
  lastStableOffset: string
  lastStartOffset: string
}
