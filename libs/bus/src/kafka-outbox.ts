/**
 * The bounded queue before Kafka: what does not fit is left to its `due_at`, and nobody waits for a
 * place. What belongs to a flood goes after everything else and takes three quarters of the
 * capacity at most, so that the others find some at any time.
 */
import { createQueue } from '@posthorn/async/queue'

export interface OutgoingMessage {
  /** The topic's name on the broker. */
  topic: string
  key: Buffer | null
  value: Buffer
  headers?: Record<string, string>
  /** It is sent when nothing else waits, and as one message in ten while something does. */
  isBulk?: boolean
  /** Called once, when the message was sent or given up. */
  onSettled?: () => void
}

export interface KafkaOutbox {
  isEmpty(): boolean
  isHalfFull(): boolean
  /** Whether the next batch would not grow by waiting. */
  hasFullBatch(): boolean
  /** Returns false when the queue is full and the message was not taken. */
  put(message: OutgoingMessage): boolean
  /** The messages to be sent together next. */
  takeBatch(): OutgoingMessage[]
}

/** 20,000 messages are 3 s at 6,000 a second; 64 MiB are 2,000 of the largest inline payloads. */
const MAX_QUEUED = 20_000
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/**
 * A batch may end up in one partition, where the broker takes 1 MiB: 512 KiB of values leave room
 * for keys, headers and one more message of the largest size.
 */
const MAX_BATCH = 500
const MAX_BATCH_BYTES = 512 * 1024

/** The share of the capacity that bulk messages may take. */
const BULK_SHARE = 0.75
const BULK_EVERY = 10

export function createKafkaOutbox(): KafkaOutbox {
  const sparse = createQueue<OutgoingMessage>()
  const bulk = createQueue<OutgoingMessage>()
  let bytes = 0
  const size = (): number => sparse.size() + bulk.size()

  /** The next message for a batch that has `count` messages by now. */
  function next(count: number): OutgoingMessage | undefined {
    const [first, second] = count % BULK_EVERY === BULK_EVERY - 1 ? [bulk, sparse] : [sparse, bulk]
    return first.shift() ?? second.shift()
  }

  return {
    isEmpty: () => size() === 0,
    isHalfFull: () => size() * 2 >= MAX_QUEUED || bytes * 2 >= MAX_QUEUED_BYTES,
    hasFullBatch: () => size() >= MAX_BATCH || bytes >= MAX_BATCH_BYTES,
    put(message) {
      const share = message.isBulk === true ? BULK_SHARE : 1
      if (size() >= MAX_QUEUED * share || bytes >= MAX_QUEUED_BYTES * share) return false
      const queue = message.isBulk === true ? bulk : sparse
      queue.push(message)
      bytes += message.value.length
      return true
    },
    takeBatch() {
      const batch: OutgoingMessage[] = []
      let size = 0
      while (batch.length < MAX_BATCH && size < MAX_BATCH_BYTES) {
        const message = next(batch.length)
        if (!message) break
        size += message.value.length
        batch.push(message)
      }
      bytes -= size
      return batch
    },
  }
}
