import { createRequire } from 'node:module'
import { afterEach, expect, jest, test } from '@jest/globals'
import { fetchSeldomWhileEmpty } from './kafka-fetch-fix.ts'

const require = createRequire(import.meta.url)
const ConsumerGroup = require('kafkajs/src/consumer/consumerGroup.js')
const SubscriptionState = require('kafkajs/src/consumer/subscriptionState.js')

interface Asked {
  maxWaitTime: number
  topics: { topic: string; partitions: unknown[] }[]
}

/** kafkajs's group with a broker that answers with a message of each of the topics. */
function groupReading(topics: readonly string[], answer: () => readonly string[] = () => []) {
  const asked: Asked[] = []
  const subscriptionState = new SubscriptionState()
  subscriptionState.assign(topics.map((topic) => ({ topic, partitions: [0, 1] })))
  const broker = {
    async fetch(request: Asked) {
      asked.push(request)
      const messages = [{ offset: '7', isControlRecord: false }]
      const partitions = [{ partition: 0, messages, abortedTransactions: [], highWatermark: '8' }]
      return { responses: answer().map((topicName) => ({ topicName, partitions })) }
    },
  }
  const group = Object.assign(Object.create(ConsumerGroup.prototype), {
    maxWaitTime: 500,
    subscriptionState,
    cluster: { refreshMetadataIfNecessary: async () => {}, findBroker: async () => broker },
    offsetManager: {
      committedOffsets: () => Object.fromEntries(topics.map((topic) => [topic, ['0', '0']])),
      nextOffset: () => 0,
    },
    seekOffset: { has: () => false },
    preferredReadReplicasPerTopicPartition: {},
    checkForStaleAssignment() {},
    async seekOffsets() {},
    filterPartitionsByNode: (_node: number, assigned: unknown) => assigned,
  })
  return {
    group,
    subscriptionState,
    async fetch(node = 1) {
      const batches = await group.fetch(node)
      const { maxWaitTime, topics: named } = asked.at(-1) as Asked
      return { maxWaitTime, topics: named.map(({ topic }) => topic), found: batches.length }
    },
  }
}

afterEach(() => {
  jest.restoreAllMocks()
})

test('a fetch waits long while all is read, and briefly at first and while something is paused', async () => {
  const { fetch, subscriptionState, group } = groupReading(['t', 'u'])
  expect(await fetch()).toMatchObject({ maxWaitTime: 100, topics: ['t', 'u'] })
  expect(await fetch()).toMatchObject({ maxWaitTime: 500 })
  subscriptionState.pause([{ topic: 't' }])
  expect(await fetch()).toMatchObject({ maxWaitTime: 100, topics: ['u'] })
  subscriptionState.resume([{ topic: 't' }])
  expect(await fetch()).toMatchObject({ maxWaitTime: 500, topics: ['t', 'u'] })
  expect(group.maxWaitTime).toBe(500)
})

test('a topic that may be late is fetched every 50 ms while it is empty, and each time for a second once it is not', async () => {
  let now = 1_000
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  let answer = ['t']
  const both = ['t', 't.bulk']
  const { fetch, group } = groupReading(both, () => answer)
  fetchSeldomWhileEmpty(group.cluster, ['t.bulk'])

  expect(await fetch()).toEqual({ maxWaitTime: 100, topics: both, found: 1 })
  now += 10
  expect(await fetch()).toEqual({ maxWaitTime: 40, topics: ['t'], found: 1 })
  now += 30
  expect(await fetch()).toEqual({ maxWaitTime: 10, topics: ['t'], found: 1 })
  now += 0.1
  answer = []
  expect(await fetch()).toEqual({ maxWaitTime: 500, topics: both, found: 0 })

  now += 39.5
  expect(await fetch()).toMatchObject({ maxWaitTime: 11, topics: ['t'] })
  now += 1
  answer = ['t.bulk']
  expect(await fetch()).toMatchObject({ topics: both, found: 1 })
  answer = ['t']
  for (let passed = 0; passed < 999; passed += 9) {
    now += 9
    expect(await fetch()).toMatchObject({ maxWaitTime: 500, topics: both })
  }
  now += 9
  expect(await fetch()).toMatchObject({ topics: ['t'] })
})

test('of the topics that may be late, one that is not empty leaves the others out', async () => {
  let now = 1_000
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const all = ['t', 't.bulk', 'u.bulk']
  const { fetch, group } = groupReading(all, () => ['t.bulk'])
  fetchSeldomWhileEmpty(group.cluster, ['t.bulk', 'u.bulk'])
  expect(await fetch()).toMatchObject({ topics: all })
  // What is found in a fetch that leaves something out counts too.
  for (let passed = 0; passed < 3_000; passed += 5) {
    now += 5
    const { topics } = await fetch()
    expect(topics).toEqual((passed + 5) % 45 === 0 ? all : ['t', 't.bulk'])
  }
})

test('each broker is asked for the topics that may be late', async () => {
  const { fetch, group } = groupReading(['t', 't.bulk'])
  fetchSeldomWhileEmpty(group.cluster, ['t.bulk'])
  for (const broker of [1, 2]) {
    expect(await fetch(broker)).toMatchObject({ topics: ['t', 't.bulk'] })
    expect(await fetch(broker)).toMatchObject({ topics: ['t'] })
  }
})

test('a group that joins again after a failed fetch changes itself', async () => {
  const { group } = groupReading(['t'])
  group.cluster.refreshMetadataIfNecessary = async () => {
    throw Object.assign(new Error('its assignment is stale'), {
      name: 'KafkaJSStaleTopicMetadataAssignment',
    })
  }
  group.logger = { warn() {} }
  group.joinAndSync = async function joinAndSync() {
    this.memberId = 'again'
  }
  expect(await group.fetch(1)).toEqual([])
  expect(group.memberId).toBe('again')
})
