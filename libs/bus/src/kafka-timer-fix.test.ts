import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import './kafka-timer-fix.ts'

const require = createRequire(import.meta.url)
const RequestQueue = require('kafkajs/src/network/requestQueue/index.js')

function makeQueue(over: object = {}) {
  const logger = { debug: () => undefined }
  const options = { maxInFlightRequests: null, requestTimeout: 1_000, logger, broker: 'b' }
  return new RequestQueue({ ...options, clientId: 'c', enforceRequestTimeout: false, ...over })
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

test('looks once a second for requests that take too long, and gives them up', async () => {
  const queue = makeQueue({ requestTimeout: 10_000, enforceRequestTimeout: true })
  queue.isConnected = () => true
  let givenUp = 0
  const timeoutRequest = (): void => void (givenUp += 1)
  queue.inflight.set(1, { sentAt: Date.now(), requestTimeout: 10_000, timeoutRequest })
  queue.inflight.set(2, { sentAt: Date.now() - 11_000, requestTimeout: 10_000, timeoutRequest })
  const from = performance.now()
  queue.scheduleRequestTimeoutCheck()
  await eventually(() => givenUp > 0)
  expect(performance.now() - from).toBeGreaterThan(900)
  expect(givenUp).toBe(1)
  queue.destroy()
})
