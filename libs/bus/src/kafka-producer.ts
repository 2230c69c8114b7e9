/**
 * Sends messages to Kafka, one batch at a time and no faster than `send-throttle.ts` allows: what
 * is announced meanwhile forms the next batch. So nothing lingers while little is announced, and
 * batches grow with load.
 *
 * A batch that could not be sent is dropped, for its rows are announced again by their `due_at`. So
 * is the queue when the process dies. After a failure nothing is sent until the broker answers a
 * probe, made every second with new clients.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { within } from '@posthorn/async/within'
import type { Producer } from 'kafkajs'
import { type KafkaConfig, openKafka, RETRY_AFTER_MS } from './kafka-client.ts'
import { createKafkaOutbox, type OutgoingMessage } from './kafka-outbox.ts'
import { createKeyPartitioner, type KeyPartitioner } from './kafka-partitioner.ts'
import { createSendThrottle } from './send-throttle.ts'

export interface KafkaProducer {
  /** Resolves once the broker was first reached, or could not be. */
  attempted: Promise<void>
  /** Returns false when the queue is full and the message was not taken. */
  enqueue(message: OutgoingMessage): boolean
  writable(): boolean
  /** How long what is announced in so many ms would wait for its batch, in ms. */
  waitMs(inMs: number): number
  /** Waits until the queue is empty, for at most `timeoutMs`, then closes. */
  close(timeoutMs: number): Promise<void>
}

interface ProducerDeps {
  /** Resolves when the broker answers and has our topics. */
  probe(): Promise<void>
  onError(error: unknown, doing: string): void
}

/**
 * A send takes milliseconds. A frozen broker would otherwise be found out only by kafkajs's
 * timeouts, after half a minute.
 */
const SLOW_SEND_MS = 2_000

export function createKafkaProducer(config: KafkaConfig, deps: ProducerDeps): KafkaProducer {
  const outbox = createKafkaOutbox()
  const partitioner = createKeyPartitioner()
  const link = createLink({ ...config, partitioner }, deps, kick)
  let sending = false
  let sendStartedAt = 0
  const throttle = createSendThrottle()
  let accepting = true
  let onIdle: (() => void) | undefined

  function kick() {
    if (sending || !link.client() || outbox.isEmpty()) return
    sending = true
    sendStartedAt = performance.now()
    // After the promises that have settled, so that all they announce goes out together, and what
    // they answer goes before: to put a batch together takes 0.2 ms. Sockets are read after it.
    process.nextTick(() => void drain())
  }

  /**
   * Resolves when the next batch may go: at once where it would be full, or nothing is accepted any
   * more.
   */
  async function turn() {
    const waitMs = throttle.waitMs(performance.now())
    if (waitMs > 0 && accepting && !outbox.hasFullBatch()) await delay(waitMs)
  }

  async function drain() {
    for (let client = link.client(); client && !outbox.isEmpty(); client = link.client()) {
      await turn()
      const batch = outbox.takeBatch()
      sendStartedAt = performance.now()
      throttle.sent(batch.length, sendStartedAt)
      partitioner.beginBatch()
      try {
        await client.sendBatch({ topicMessages: byTopic(batch), acks: -1 })
        throttle.ended(true, performance.now())
      } catch (error) {
        throttle.ended(false, performance.now())
        deps.onError(error, `sending ${batch.length} messages to Kafka; they were dropped`)
        link.renew()
      }
      for (const message of batch) message.onSettled?.()
    }
    sending = false
    if (outbox.isEmpty()) onIdle?.()
  }

  function isStuck() {
    return sending && performance.now() - sendStartedAt > SLOW_SEND_MS
  }

  async function idle(timeoutMs: number) {
    if (outbox.isEmpty() && !sending) return
    const { promise, resolve } = Promise.withResolvers<void>()
    onIdle = resolve
    await within(timeoutMs, promise)
  }

  return {
    attempted: link.tried,
    enqueue(message) {
      if (!accepting || !outbox.put(message)) return false
      kick()
      return true
    },
    waitMs: (inMs) =>
      link.client() ? throttle.waitInMs(inMs, performance.now(), !outbox.isEmpty()) : 0,
    writable: () => accepting && link.client() !== undefined && !isStuck() && !outbox.isHalfFull(),
    async close(timeoutMs) {
      accepting = false
      await idle(timeoutMs)
      const closed = link.close()
      // A send that still hangs may do so for longer than the caller of `close` can wait.
      if (!sending) await closed
    },
  }
}

function byTopic(batch: OutgoingMessage[]) {
  const groups = Map.groupBy(batch, (message) => message.topic)
  return [...groups].map(([topic, messages]) => ({ topic, messages }))
}

/** The connected client, or none while the broker is away. */
function createLink(
  config: KafkaConfig & { partitioner: KeyPartitioner },
  deps: ProducerDeps,
  onConnected: () => void,
) {
  const closing = new AbortController()
  const tried = Promise.withResolvers<void>()
  let client: Producer | undefined

  async function connect(): Promise<Producer> {
    await deps.probe()
    const fresh = openKafka(config).producer({
      createPartitioner: config.partitioner.create,
      allowAutoTopicCreation: false,
      idempotent: false,
    })
    try {
      await fresh.connect()
      return fresh
    } catch (error) {
      void disconnect(fresh)
      throw error
    }
  }

  async function connectUntilItWorks() {
    while (!closing.signal.aborted) {
      try {
        const fresh = await connect()
        if (closing.signal.aborted) return await disconnect(fresh)
        client = fresh
        return onConnected()
      } catch (error) {
        deps.onError(error, 'reaching Kafka to send to it; trying again in a second')
      } finally {
        tried.resolve()
      }
      await delay(RETRY_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  /** A kafkajs client that failed once may never work again: each attempt starts with a new one. */
  function renew() {
    const broken = client
    client = undefined
    void disconnect(broken)
    void connectUntilItWorks()
  }

  renew()
  return {
    tried: tried.promise,
    client: () => client,
    renew,
    async close() {
      closing.abort()
      const last = client
      client = undefined
      await disconnect(last)
    },
  }
}

async function disconnect(client: Producer | undefined): Promise<void> {
  await client?.disconnect().catch(() => undefined)
}
