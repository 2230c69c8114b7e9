import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import './kafka-broker-fix.ts'

const require = createRequire(import.meta.url)
const Broker = require('kafkajs/src/broker/index.js')
const { lookup } = require('kafkajs/src/protocol/requests/index.js')

interface Encoded {
  buf: Buffer
  buffer: Buffer
  size(): number
}

interface SentRequest {
  request: { apiName: string; apiVersion: number; encode(): Promise<Encoded> }
  requestTimeout?: number
}

/** kafkajs's broker with these versions of Produce and Fetch. Its connection keeps what is sent. */
function brokerOf(produce: number, fetch: number, failure?: Error) {
  const sent: SentRequest[] = []
  const versions = { 0: { maxVersion: produce }, 1: { maxVersion: fetch } }
  let disconnects = 0
  const broker = Object.assign(Object.create(Broker.prototype), {
    versions,
    lookupRequest: lookup(versions),
    connectionPool: {
      async send(request: SentRequest) {
        if (failure) throw failure
        sent.push(request)
        return { responses: [] }
      },
    },
    async disconnect() {
      disconnects += 1
    },
  })
  return { broker, sent, disconnects: () => disconnects }
}

const FETCH = {
  maxWaitTime: 500,
  minBytes: 1,
  maxBytes: 100,
  isolationLevel: 1,
  topics: [{ topic: 't', partitions: [{ partition: 0, fetchOffset: '0', maxBytes: 10 }] }],
}
const messages = [{ key: null, value: Buffer.from('v') }]
const PRODUCE = {
  topicData: [{ topic: 't', partitions: [{ partition: 0, firstSequence: 0, messages }] }],
}

test('the newest versions that kafkajs knows are written here', async () => {
  const { broker, sent } = brokerOf(13, 17)
  await broker.fetch(FETCH)
  await broker.produce(PRODUCE)
  const [fetch, produce] = sent
  expect(fetch).toMatchObject({
    request: { apiName: 'Fetch', apiVersion: 11 },
    requestTimeout: 600,
  })
  expect(produce).toMatchObject({ request: { apiName: 'Produce', apiVersion: 7 } })
  // They go into buffers of the right size; kafkajs makes larger ones.
  for (const { request } of sent) {
    const encoded = await request.encode()
    expect(encoded.buf).toHaveLength(encoded.size())
  }
})

test('a broker that does not know them gets what kafkajs writes', async () => {
  const { broker, sent } = brokerOf(6, 10)
  await broker.fetch(FETCH)
  await broker.produce(PRODUCE)
  expect(sent.map(({ request }) => request.apiVersion)).toEqual([10, 6])
})

test('what needs a transaction is written by kafkajs', async () => {
  const { broker, sent } = brokerOf(13, 17)
  await broker.produce({ ...PRODUCE, transactionalId: 'x', producerId: 3, producerEpoch: 1 })
  const bytes = (await sent[0]?.request.encode())?.buffer
  expect(bytes?.readInt16BE(0)).toBe(1) // the length of the transaction's id
})

test('a connection that has closed is given up', async () => {
  const closed = Object.assign(new Error('gone'), { name: 'KafkaJSConnectionClosedError' })
  const first = brokerOf(13, 17, closed)
  await expect(first.broker.fetch(FETCH)).rejects.toBe(closed)
  expect(first.disconnects()).toBe(1)
  const other = brokerOf(13, 17, new Error('late'))
  await expect(other.broker.produce(PRODUCE)).rejects.toThrow('late')
  expect(other.disconnects()).toBe(0)
})
