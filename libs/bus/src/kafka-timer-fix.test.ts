import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import './kafka-timer-fix.ts'

const require = createRequire(import.meta.url)
const RequestQueue = require('kafkajs/src/network/requestQueue/index.js')

function makeQueue() {
  const logger = { debug: () => undefined }
  const options = { maxInFlightRequests: null, requestTimeout: 1_000, logger, broker: 'b' }
  return new RequestQueue({ ...options, clientId: 'c', enforceRequestTimeout: false })
}

test('an idle queue sets no timer, a throttled one does', () => {
  const queue = makeQueue()
  queue.checkPendingRequests()
  expect(queue.throttleCheckTimeoutId).toBeNull()
  queue.maybeThrottle(60_000)
  queue.checkPendingRequests()
  expect(queue.throttleCheckTimeoutId).not.toBeNull()
  queue.destroy()
})
