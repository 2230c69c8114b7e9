/**
 * Writes Kafka's fetch request and reads its answer, in version 11, the newest that kafkajs knows.
 *
 * kafkajs shuffles the partitions and so names a topic again for nearly each of them; here a topic
 * is named once. A shuffle is there so that no partition is always first in an answer that is full;
 * topics and partitions that take turns do as well, as in Kafka's own client. The request is
 * written into one buffer, and not into one for each partition and topic. Partitions of the answer
 * that have nothing to say are passed over, which kafkajs takes through a queue of workers.
 */
import { createRequire } from 'node:module'

export const FETCH_VERSION = 11

/** What kafkajs's consumer asks for. */
export interface FetchRequest {
  isolationLevel: number
  /** ms. */
  maxWaitTime: number
  minBytes: number
  maxBytes: number
  rackId?: string
  topics: readonly { topic: string; partitions: readonly FetchedPartition[] }[]
}

interface FetchedPartition {
  partition: number
  fetchOffset: string
  maxBytes: number
}

export interface FetchAnswer {
  /** How long the broker wants the client to wait, in ms. */
  clientSideThrottleTime: number
  responses: { topicName: string | null; partitions: PartitionAnswer[] }[]
}

interface PartitionAnswer {
  partition: number
  errorCode: number
  highWatermark: string
  abortedTransactions: { producerId: string; firstOffset: string }[]
  preferredReadReplica: number
  messages: unknown[]
}

interface Decoder {
  readonly buffer: Buffer
  readonly offset: number
  readInt16(): number
  readInt32(): number
  readInt64(): bigint
  readString(): string | null
  readArray<Item>(read: (decoder: Decoder) => Item): Item[]
}

const require = createRequire(import.meta.url)
const DecoderClass = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => Decoder
const decodeMessages = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js') as (
  decoder: Decoder,
) => Promise<unknown[]>

const FIXED_BYTES = 4 + 4 + 4 + 4 + 1 + 4 + 4 + 4 + 4 + 2
const TOPIC_BYTES = 2 + 4
const PARTITION_BYTES = 4 + 4 + 8 + 8 + 4
/** Where a field says that it is not known: replica, session, leader's epoch, log's start. */
const UNKNOWN = -1

/**
 * Fetch request, version 11, without a session:
 * https://kafka.apache.org/41/design/protocol/#The_Messages_Fetch
 *
 * @param first the topic and partition to begin with, counted on from fetch to fetch
 */
export function encodeFetch(request: FetchRequest, first: number): Buffer {
  const { topics, rackId = '' } = request
  const bytes = Buffer.allocUnsafe(
    topics.reduce(
      (sum, { topic, partitions }) =>
        sum + TOPIC_BYTES + Buffer.byteLength(topic) + partitions.length * PARTITION_BYTES,
      FIXED_BYTES + Buffer.byteLength(rackId),
    ),
  )
  let at = bytes.writeInt32BE(UNKNOWN, 0)
  at = bytes.writeInt32BE(request.maxWaitTime, at)
  at = bytes.writeInt32BE(request.minBytes, at)
  at = bytes.writeInt32BE(request.maxBytes, at)
  at = bytes.writeInt8(request.isolationLevel, at)
  at = bytes.writeInt32BE(0, at)
  at = bytes.writeInt32BE(UNKNOWN, at)
  at = bytes.writeInt32BE(topics.length, at)
  for (const { topic, partitions } of turned(topics, first)) {
    at = writeString(bytes, topic, at)
    at = bytes.writeInt32BE(partitions.length, at)
    for (const one of turned(partitions, first)) at = writePartition(bytes, one, at)
  }
  at = bytes.writeInt32BE(0, at) // topics that a session forgets
  writeString(bytes, rackId, at)
  return bytes
}

function writePartition(
  bytes: Buffer,
  { partition, fetchOffset, maxBytes }: FetchedPartition,
  from: number,
): number {
  let at = bytes.writeInt32BE(partition, from)
  at = bytes.writeInt32BE(UNKNOWN, at)
  at = writeInt64(bytes, Number(fetchOffset), at)
  at = writeInt64(bytes, UNKNOWN, at)
  return bytes.writeInt32BE(maxBytes, at)
}

/** A whole number that a double has exactly; a bigint would take five times as long. */
function writeInt64(bytes: Buffer, value: number, at: number): number {
  bytes.writeInt32BE(Math.floor(value / 2 ** 32), at)
  return bytes.writeUInt32BE(value >>> 0, at + 4)
}

function writeString(bytes: Buffer, text: string, from: number): number {
  const length = bytes.write(text, from + 2)
  bytes.writeInt16BE(length, from)
  return from + 2 + length
}

/** The same, beginning with another one each time. */
function turned<Item>(items: readonly Item[], first: number): readonly Item[] {
  const start = first % Math.max(items.length, 1)
  return start === 0 ? items : [...items.slice(start), ...items.slice(0, start)]
}

/** Answers what kafkajs's decoder does, without the partitions that have nothing to say. */
export async function decodeFetch(bytes: Buffer): Promise<FetchAnswer> {
  const decoder = new DecoderClass(bytes)
  const clientSideThrottleTime = decoder.readInt32()
  decoder.readInt16() // the session's error
  decoder.readInt32() // the session
  const responses: FetchAnswer['responses'] = []
  for (let topics = decoder.readInt32(); topics > 0; topics -= 1) {
    const topicName = decoder.readString()
    const partitions: PartitionAnswer[] = []
    for (let left = decoder.readInt32(); left > 0; left -= 1) {
      const answer = readPartition(decoder)
      const isEmpty = decoder.buffer.readInt32BE(decoder.offset) <= 0
      if (!isEmpty) partitions.push({ ...answer, messages: await decodeMessages(decoder) })
      else {
        decoder.readInt32()
        const saysSomething = answer.errorCode !== 0 || answer.preferredReadReplica !== UNKNOWN
        if (saysSomething) partitions.push({ ...answer, messages: [] })
      }
    }
    if (partitions.length > 0) responses.push({ topicName, partitions })
  }
  return { clientSideThrottleTime, responses }
}

function readPartition(decoder: Decoder): Omit<PartitionAnswer, 'messages'> {
  const partition = decoder.readInt32()
  const errorCode = decoder.readInt16()
  const highWatermark = decoder.readInt64().toString()
  decoder.readInt64() // the last stable offset
  decoder.readInt64() // the log's start
  const abortedTransactions = decoder.readArray((one) => ({
    producerId: one.readInt64().toString(),
    firstOffset: one.readInt64().toString(),
  }))
  const preferredReadReplica = decoder.readInt32()
  return { partition, errorCode, highWatermark, abortedTransactions, preferredReadReplica }
}
