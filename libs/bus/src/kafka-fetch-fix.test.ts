import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import './kafka-fetch-fix.ts'

const require = createRequire(import.meta.url)
const ConsumerGroup = require('kafkajs/src/consumer/consumerGroup.js')

test('a fetch waits long while all is read, and briefly at first and while something is paused', async () => {
  const asked: number[] = []
  let paused: unknown[] = []
  const group = Object.assign(Object.create(ConsumerGroup.prototype), {
    maxWaitTime: 500,
    subscriptionState: { paused: () => paused },
    cluster: {
      async refreshMetadataIfNecessary() {
        asked.push(group.maxWaitTime)
        throw new Error('far enough')
      },
    },
    recoverFromFetch: async () => undefined,
  })
  await group.fetch(1)
  await group.fetch(1)
  paused = [{ topic: 't', partitions: [0] }]
  await group.fetch(1)
  paused = []
  await group.fetch(1)
  expect(asked).toEqual([100, 500, 100, 500])
})
