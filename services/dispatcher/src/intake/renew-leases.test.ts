import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { claimKey } from './renew-leases.ts'

const KEYS = 20_000

test('a claim that is kept takes hardly more than its characters', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = new Map<string, true>()
  for (let n = 0; n < KEYS; n += 1) kept.set(claimKey(newId(), 1_790_000_000_000_000 + n), true)
  collect()
  const each = (process.memoryUsage().heapUsed - before) / kept.size
  // 59 characters are 80 bytes, and an entry of the map some 50. In pieces it is over 280.
  expect(each).toBeLessThan(200)
})
