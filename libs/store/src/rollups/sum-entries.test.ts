import { expect, test } from '@jest/globals'
import { ENTRY_BYTES, ENTRY_KIND } from './entries.ts'
import { createEntrySums, type RollupDelta } from './sum-entries.ts'

const HOUR = 497_222
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

function entry(endpoint: number, minute: number): Buffer {
  const second = BigInt(HOUR * 3_600 + minute * 60)
  const code = (second << 12n) + (BigInt(ENTRY_KIND.succeeded) << 7n) + 5n
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(code)
  return Buffer.concat([bytesOf(uuid(endpoint)), bytesOf(uuid(900)), bytes])
}

test('sums come in the order of their keys, and are the same in each grain', () => {
  const sums = createEntrySums()
  for (const tenant of [3, 1, 2]) {
    for (const endpoint of [30, 10, 20]) {
      const entries = [90, 0, 59, 0].map((minute) => entry(endpoint, minute))
      expect(entries[0]).toHaveLength(ENTRY_BYTES)
      sums.add(uuid(tenant), Buffer.concat(entries))
    }
  }
  const { minutes, hours, days } = sums.rollups()
  const key = ({ tenantId, scopeId, bucket }: RollupDelta): string =>
    `${tenantId} ${scopeId} ${bucket}`
  for (const [all, rows] of [
    [[...minutes], 3 * 5 * 3],
    [[...hours], 3 * 5 * 2],
    [[...days], 3 * 5],
  ] as const) {
    expect(all).toHaveLength(rows)
    const keys = all.map(key)
    expect(keys).toEqual([...new Set(keys)].sort())
    const ofEndpoints = all.filter(({ scopeId }) => scopeId < uuid(900) && scopeId >= uuid(10))
    expect(ofEndpoints.reduce((sum, { counts }) => sum + counts.succeeded, 0)).toBe(3 * 3 * 4)
    expect(ofEndpoints.reduce((sum, { cells }) => sum + (cells[5] ?? 0), 0)).toBe(3 * 3 * 4)
  }
})
