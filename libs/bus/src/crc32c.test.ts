import { createRequire } from 'node:module'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { crc32c } from './crc32c.ts'

const require = createRequire(import.meta.url)

describe('crc32c', () => {
  test('is the checksum of RFC 3720', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43)
    expect(crc32c(Buffer.alloc(0))).toBe(0)
  })

  test('is what kafkajs computes, of any length', () => {
    const theirs = require('kafkajs/src/protocol/recordBatch/crc32C/crc32C.js')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(crc32c(bytes)).toBe(theirs(bytes))
      }),
    )
  })
})
