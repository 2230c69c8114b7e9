/**
 * Keeps kafkajs 2.2.4 from waking up every millisecond on every connection: its request queue re-arms a timer with a
 * negative delay although nothing waits (https://github.com/tulios/kafkajs/issues/1751). An idle reader and producer
 * cost 3.6 to 4.2 % of a core with it and 0.5 % without. And from looking ten times a second on each whether a request
 * has taken too long, which is 10 s: half of what woke an idle service up.
 *
 * kafkajs has no releases any more, so the methods are replaced here; this must be imported before a client is made, and
 * looked at again with any other version of kafkajs.
 */
import { createRequire } from 'node:module'

interface RequestQueue {
  pending: readonly unknown[]
  throttledUntil: number
  inflight: ReadonlyMap<number, SentRequest>
  enforceRequestTimeout: boolean
  requestTimeout: number
  requestTimeoutIntervalId: NodeJS.Timeout | null
  isConnected(): boolean
  /** Of that interval alone. */
  destroy(): void
}

interface SentRequest {
  sentAt: number
  requestTimeout: number
  timeoutRequest(): void
}

interface RequestQueueClass {
  prototype: {
    scheduleCheckPendingRequests(this: RequestQueue): void
    scheduleRequestTimeoutCheck(this: RequestQueue): void
  }
}

/** By so much a request that is not answered is given up later. */
const TIMEOUT_CHECK_MS = 1_000

const require = createRequire(import.meta.url)
const queueClass = require('kafkajs/src/network/requestQueue/index.js') as RequestQueueClass
const schedule = queueClass.prototype.scheduleCheckPendingRequests

queueClass.prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded() {
  if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return
  schedule.call(this)
}

queueClass.prototype.scheduleRequestTimeoutCheck = function checkSeldom() {
  if (!this.enforceRequestTimeout) return
  this.destroy()
  this.requestTimeoutIntervalId = setInterval(
    () => {
      for (const request of this.inflight.values()) {
        if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest()
      }
      if (!this.isConnected()) this.destroy()
    },
    Math.min(this.requestTimeout, TIMEOUT_CHECK_MS),
  )
}
