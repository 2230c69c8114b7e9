/** The bounded queue before Kafka: what does not fit is left to its `due_at`, never waited for. */
import { createMessageQueue } from './message-queue.ts'

export interface OutgoingMessage {
  /** As the broker knows it. */
  topic: string
  key: Buffer | null
  value: Buffer
  headers?: Record<string, string>
  /** Called once when the message was sent or given up. */
  onSettled?: () => void
}

export interface KafkaOutbox {
  isEmpty(): boolean
  isHalfFull(): boolean
  /** Whether waiting would not make the next batch larger. */
  hasFullBatch(): boolean
  /** False: it is full and the message was not taken. */
  put(message: OutgoingMessage): boolean
  /** The next to be sent together. */
  takeBatch(): OutgoingMessage[]
}

/** 20,000 messages are 3 s at 6,000 a second; 64 MiB are 2,000 of the largest inline payloads. */
const MAX_QUEUED = 20_000
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/**
 * A batch may end up in one partition, where the broker takes 1 MiB: 512 KiB of values leave room for keys, headers
 * and one more message of the largest size.
 */
const MAX_BATCH = 500
const MAX_BATCH_BYTES = 512 * 1024

export function createKafkaOutbox(): KafkaOutbox {
  const queue = createMessageQueue<OutgoingMessage>()
  let bytes = 0
  return {
    isEmpty: () => queue.size() === 0,
    isHalfFull: () => queue.size() * 2 >= MAX_QUEUED || bytes * 2 >= MAX_QUEUED_BYTES,
    hasFullBatch: () => queue.size() >= MAX_BATCH || bytes >= MAX_BATCH_BYTES,
    put(message) {
      if (queue.size() >= MAX_QUEUED || bytes >= MAX_QUEUED_BYTES) return false
      queue.push(message)
      bytes += message.value.length
      return true
    },
    takeBatch() {
      const batch: OutgoingMessage[] = []
      let size = 0
      while (batch.length < MAX_BATCH && size < MAX_BATCH_BYTES) {
        const [message] = queue.take(1)
        if (!message) break
        size += message.value.length
        batch.push(message)
      }
      bytes -= size
      return batch
    },
  }
}
