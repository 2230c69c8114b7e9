/**
 * Keeps kafkajs 2.2.4 from waking up every millisecond on every connection: its request queue
 * re-arms a timer with a negative delay although nothing waits
 * (https://github.com/tulios/kafkajs/issues/1751). An idle reader and producer cost 3.6 to 4.2 % of
 * a core with that and 0.5 % without. It also keeps kafkajs from checking ten times a second, on
 * each connection, whether a request has taken longer than 10 s: that was half of what woke up an
 * idle service.
 *
 * kafkajs has no releases any more, so the methods are replaced here. This must be imported before
 * a client is made, and checked again with any other version of kafkajs.
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
  /** Ends the interval of `requestTimeoutIntervalId`, and nothing else. */
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

/** A request that is not answered is given up this much later at worst. */
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
