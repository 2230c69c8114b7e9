import { expect, test } from '@jest/globals'
import { addRecent, type RecentBuckets, RECENT_TTL_MS, sumRecent } from './recent-counts.ts'

test('counts what happened in the last minute, and forgets the rest', () => {
  let buckets: RecentBuckets = new Map()
  for (let second = 0; second < 120; second += 1) buckets = addRecent(buckets, 2, second * 1_000)
  expect(buckets.size).toBe(12)
  expect(sumRecent(buckets, 119_999)).toBe(120)
  expect(sumRecent(buckets, 150_000)).toBe(50)
  expect(sumRecent(buckets, 119_999 + RECENT_TTL_MS)).toBe(0)
})
