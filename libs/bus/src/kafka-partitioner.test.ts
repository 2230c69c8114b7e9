import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Partitioners } from 'kafkajs'
import { createKeyPartitioner, murmur2 } from './kafka-partitioner.ts'

const partitionMetadata = Array.from({ length: 7 }, (_, partitionId) => ({
  partitionErrorCode: 0,
  partitionId,
  leader: 1,
  replicas: [1],
  isr: [1],
}))

describe('createKeyPartitioner', () => {
  test('hashes like the Java client', () => {
    // From UtilsTest.testMurmur2 of Apache Kafka.
    expect(murmur2(Buffer.from('21'))).toBe(-973932308)
    expect(murmur2(Buffer.from('foobar'))).toBe(-790332482)
    expect(murmur2(Buffer.from('a-little-bit-long-string'))).toBe(-985981536)
    expect(murmur2(Buffer.from('abc'))).toBe(479470107)
  })

  test('places every key where kafkajs does', () => {
    const [ours, theirs] = [createKeyPartitioner().create(), Partitioners.DefaultPartitioner()]
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uuid()), (key) => {
        const message = { key, value: '' }
        const place = { topic: 't', partitionMetadata, message }
        expect(ours(place)).toBe(theirs(place))
      }),
    )
  })

  test('sends what has no key round all partitions, sixteen to each in a row', () => {
    const place = createKeyPartitioner().create()
    const message = { key: null, value: '' }
    const places = Array.from({ length: 8 * 16 }, () =>
      place({ topic: 't', partitionMetadata, message }),
    )
    expect(places.slice(0, 16)).toEqual(Array(16).fill(0))
    expect(places.slice(16, 32)).toEqual(Array(16).fill(1))
    expect(places.slice(-16)).toEqual(Array(16).fill(0))
    expect(new Set(places).size).toBe(7)
  })

  test('sends what has no key of a small batch to one partition for each topic', () => {
    const partitioner = createKeyPartitioner()
    const place = partitioner.create()
    const message = { key: null, value: '' }
    const sendTo = (topic: string) =>
      Array.from({ length: 12 }, () => place({ topic, partitionMetadata, message }))
    const used = ['t', 'u', 't'].map((topic) => {
      partitioner.beginBatch()
      return [...new Set(sendTo(topic)), ...new Set(sendTo(`${topic}.bulk`))]
    })
    expect(used).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ])
  })
})
