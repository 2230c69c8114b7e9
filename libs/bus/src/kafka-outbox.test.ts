import { expect, test } from '@jest/globals'
import { createKafkaOutbox } from './kafka-outbox.ts'

const KIB = 1024
const ofSize = (bytes: number) => ({ topic: 't', key: null, value: Buffer.alloc(bytes) })

test('is full at 20,000 messages and half full at half of that', () => {
  const outbox = createKafkaOutbox()
  const message = ofSize(1)
  for (let count = 0; count < 9_999; count += 1) outbox.put(message)
  expect(outbox.isHalfFull()).toBe(false)
  outbox.put(message)
  expect(outbox.isHalfFull()).toBe(true)
  for (let count = 0; count < 10_000; count += 1) expect(outbox.put(message)).toBe(true)
  expect(outbox.put(message)).toBe(false)
  expect(outbox.takeBatch()).toHaveLength(500)
  expect(outbox.put(message)).toBe(true)
})

test('is full at 64 MiB', () => {
  const outbox = createKafkaOutbox()
  const message = ofSize(1024 * KIB)
  for (let count = 0; count < 64; count += 1) expect(outbox.put(message)).toBe(true)
  expect(outbox.put(message)).toBe(false)
  outbox.takeBatch()
  expect(outbox.put(message)).toBe(true)
})

test('ends a batch once it holds 512 KiB', () => {
  const outbox = createKafkaOutbox()
  for (let count = 0; count < 40; count += 1) outbox.put(ofSize(33 * KIB))
  expect(outbox.hasFullBatch()).toBe(true)
  expect(outbox.takeBatch()).toHaveLength(16)
  expect(outbox.takeBatch()).toHaveLength(16)
  expect(outbox.hasFullBatch()).toBe(false)
  expect(outbox.takeBatch()).toHaveLength(8)
  expect(outbox.isEmpty()).toBe(true)
})

test('what belongs to a flood leaves capacity to the rest and goes after it', () => {
  const outbox = createKafkaOutbox()
  const bulk = { ...ofSize(1), isBulk: true }
  for (let count = 0; count < 15_000; count += 1) expect(outbox.put(bulk)).toBe(true)
  expect(outbox.put(bulk)).toBe(false)
  for (let count = 0; count < 5_000; count += 1) expect(outbox.put(ofSize(1))).toBe(true)
  expect(outbox.put(ofSize(1))).toBe(false)
  const batch = outbox.takeBatch()
  expect(batch.slice(0, 9).every(({ isBulk }) => isBulk !== true)).toBe(true)
  expect(batch.filter(({ isBulk }) => isBulk === true)).toHaveLength(50)
})
