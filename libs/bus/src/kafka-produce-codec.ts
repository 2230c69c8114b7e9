/**
 * Writes Kafka's produce request, version 7, the newest that kafkajs knows, with batches of records
 * in their version 2. It goes into one buffer of the right size. kafkajs makes a buffer of half a
 * KiB for each message, filled with zeros and mostly too small, and copies what is in it seven
 * times on its way into the request; the buffers were a quarter of what sending cost.
 */
import { crc32c } from './crc32c.ts'

export const PRODUCE_VERSION = 7

/** What kafkajs's producer sends to one broker. */
export interface ProduceRequest {
  transactionalId?: string | null
  /** -1: the producer has none. */
  producerId?: number
  producerEpoch?: number
  /** -1, all replicas that are in sync, by default. */
  acks?: number
  /** How long the broker may wait for these replicas, in ms. */
  timeout?: number
  /** 0: none. */
  compression?: number
  topicData: readonly { topic: string; partitions: readonly PartitionData[] }[]
}

interface PartitionData {
  partition: number
  firstSequence?: number
  messages: readonly RecordData[]
}

interface RecordData {
  key?: Buffer | string | null
  value: Buffer | string | null
  headers?: Readonly<Record<string, unknown>>
  timestamp?: string
}

/** Whether `encodeProduce` can write it: without transactions, sequences and compression. */
export function isPlain(request: ProduceRequest): boolean {
  const { transactionalId, producerId = -1, compression = 0, topicData } = request
  if ((transactionalId ?? null) !== null || producerId !== -1 || compression !== 0) return false
  return topicData.every(({ partitions }) =>
    partitions.every(({ messages }) => messages.every(isPlainRecord)),
  )
}

function isPlainRecord({ timestamp, headers }: RecordData): boolean {
  if (timestamp !== undefined) return false
  return headers === undefined || Object.values(headers).every((one) => typeof one === 'string')
}

/** A record in bytes. */
interface SizedRecord {
  key: Buffer | null
  value: Buffer | null
  headers: readonly [name: Buffer, value: Buffer][]
  /** How long it is without its own length. */
  bytes: number
}

/**
 * Produce request, version 7: https://kafka.apache.org/41/design/protocol/#The_Messages_Produce
 *
 * @param request one that `isPlain`
 * @param now ms since 1970, the time of all records
 */
export function encodeProduce(request: ProduceRequest, now: number): Buffer {
  const { acks = ALL_IN_SYNC, timeout = TIMEOUT_MS } = request
  const topics = request.topicData.map(({ topic, partitions }) => ({
    name: Buffer.from(topic),
    partitions: partitions.map(({ partition, messages, firstSequence = 0 }) => {
      const records = messages.map(sizedRecord)
      return { partition, records, firstSequence, bytes: BATCH_BYTES + bytesOfAll(records) }
    }),
  }))
  const writer = createWriter(bytesOfRequest(topics))
  writer.int16(NONE) // the id of a transaction
  writer.int16(acks)
  writer.int32(timeout)
  writer.int32(topics.length)
  for (const { name, partitions } of topics) {
    writer.int16(name.length)
    writer.bytes(name)
    writer.int32(partitions.length)
    for (const { partition, records, firstSequence, bytes } of partitions) {
      writer.int32(partition)
      writer.int32(bytes)
      const { producerEpoch = 0 } = request
      writeBatch(writer, records, bytes, { now, producerEpoch, firstSequence })
    }
  }
  return writer.written()
}

const NONE = -1
const ALL_IN_SYNC = -1
const TIMEOUT_MS = 30_000
const REQUEST_BYTES = 2 + 2 + 4 + 4
const TOPIC_BYTES = 2 + 4
const PARTITION_BYTES = 4 + 4
/** A batch's first offset and length, which is that of all behind it. */
const LENGTH_BYTES = 8 + 4
/** What comes before that of which the checksum is. */
const UNCHECKED_BYTES = LENGTH_BYTES + 4 + 1 + 4
const BATCH_BYTES = UNCHECKED_BYTES + 2 + 4 + 8 + 8 + 8 + 2 + 4 + 4
const MAGIC = 2

function bytesOfRequest(
  topics: readonly { name: Buffer; partitions: readonly { bytes: number }[] }[],
): number {
  let sum = REQUEST_BYTES
  for (const { name, partitions } of topics) {
    sum += TOPIC_BYTES + name.length
    for (const { bytes } of partitions) sum += PARTITION_BYTES + bytes
  }
  return sum
}

function bytesOfAll(records: readonly SizedRecord[]): number {
  return records.reduce((sum, { bytes }) => sum + varintBytes(bytes) + bytes, 0)
}

function sizedRecord({ key, value, headers }: RecordData, offset: number): SizedRecord {
  const record = {
    key: asBytes(key ?? null),
    value: asBytes(value),
    headers: Object.entries(headers ?? {}).map(([name, text]): [Buffer, Buffer] => [
      Buffer.from(name),
      Buffer.from(text as string),
    ]),
  }
  let bytes = 1 + 1 + varintBytes(offset) + blobBytes(record.key) + blobBytes(record.value)
  bytes += varintBytes(record.headers.length)
  for (const [name, text] of record.headers) bytes += blobBytes(name) + blobBytes(text)
  return { ...record, bytes }
}

function asBytes(data: Buffer | string | null): Buffer | null {
  return typeof data === 'string' ? Buffer.from(data) : data
}

/**
 * Record batch, version 2: https://kafka.apache.org/41/implementation/message-format/
 *
 * @param size of the whole batch, in bytes
 */
function writeBatch(
  writer: Writer,
  records: readonly SizedRecord[],
  size: number,
  given: { now: number; producerEpoch: number; firstSequence: number },
): void {
  const from = writer.at()
  writer.int64(0) // the first offset, which the broker sets
  writer.int32(size - LENGTH_BYTES)
  writer.int32(0) // the epoch of the partition's leader, set there too
  writer.int8(MAGIC)
  writer.int32(0) // the checksum, below
  writer.int16(0) // no attributes
  writer.int32(records.length - 1) // the offset of the last
  writer.int64(given.now)
  writer.int64(given.now)
  writer.int64(NONE) // the producer's id
  writer.int16(given.producerEpoch)
  writer.int32(given.firstSequence)
  writer.int32(records.length)
  for (const [offset, record] of records.entries()) writeRecord(writer, record, offset)
  const checked = writer.written().subarray(from + UNCHECKED_BYTES)
  writer.written().writeUInt32BE(crc32c(checked), from + UNCHECKED_BYTES - 4)
}

function writeRecord(writer: Writer, record: SizedRecord, offset: number): void {
  writer.varint(record.bytes)
  writer.int8(0) // no attributes
  writer.varint(0) // its time is that of the batch
  writer.varint(offset)
  writer.blob(record.key)
  writer.blob(record.value)
  writer.varint(record.headers.length)
  for (const [name, text] of record.headers) {
    writer.blob(name)
    writer.blob(text)
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(size: number) {
  const buffer = Buffer.allocUnsafe(size)
  let at = 0

  function bytes(data: Buffer): void {
    buffer.set(data, at)
    at += data.length
  }

  function varint(value: number): void {
    let left = zigzag(value)
    for (; left > LOW_BITS; left >>>= 7) at = buffer.writeUInt8((left & LOW_BITS) | MORE, at)
    at = buffer.writeUInt8(left, at)
  }

  return {
    at: () => at,
    bytes,
    varint,
    int8: (value: number) => (at = buffer.writeInt8(value, at)),
    int16: (value: number) => (at = buffer.writeInt16BE(value, at)),
    int32: (value: number) => (at = buffer.writeInt32BE(value, at)),
    int64: (value: number) => (at = buffer.writeBigInt64BE(BigInt(value), at)),
    /** Its length, and then itself. */
    blob(data: Buffer | null) {
      varint(data?.length ?? NONE)
      if (data !== null) bytes(data)
    },
    written: () => buffer.subarray(0, at),
  }
}

const LOW_BITS = 0x7f
const MORE = 0x80

/** A sign at the lowest bit, so that small numbers are short: of 32 bits. */
function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let left = zigzag(value); left > LOW_BITS; left >>>= 7) bytes += 1
  return bytes
}

function blobBytes(data: Buffer | null): number {
  const length = data?.length ?? NONE
  return varintBytes(length) + Math.max(length, 0)
}
