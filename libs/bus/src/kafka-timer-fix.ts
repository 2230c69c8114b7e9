/**
 * Keeps kafkajs 2.2.4 from waking up every millisecond on every connection: its request queue re-arms a timer with a
 * negative delay although nothing waits (https://github.com/tulios/kafkajs/issues/1751). An idle reader and producer
 * cost 3.6 to 4.2 % of a core with it and 0.5 % without. kafkajs has no releases any more, so the method is replaced
 * here; it must be imported before a client is made, and looked at again with any other version of kafkajs.
 */
import { createRequire } from 'node:module'

interface RequestQueue {
  pending: readonly unknown[]
  throttledUntil: number
}

interface RequestQueueClass {
  prototype: { scheduleCheckPendingRequests(this: RequestQueue): void }
}

const require = createRequire(import.meta.url)
const queueClass = require('kafkajs/src/network/requestQueue/index.js') as RequestQueueClass
const schedule = queueClass.prototype.scheduleCheckPendingRequests

queueClass.prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded() {
  if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return
  schedule.call(this)
}
