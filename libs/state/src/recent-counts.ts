/**
 * Counts what happens under a key, and how often it did in the last minute, to five seconds. Pure:
 * the in-process store calls it, and the Redis scripts below repeat it by Redis's clock.
 */

const BUCKET_MS = 5_000
const BUCKETS = 12
/** After this time nothing of a key counts any more. */
export const RECENT_TTL_MS = BUCKETS * BUCKET_MS

/** By the number of the five seconds. */
export type RecentBuckets = ReadonlyMap<number, number>

/** @param nowMs of any one clock */
export function addRecent(buckets: RecentBuckets, times: number, nowMs: number): RecentBuckets {
  const current = Math.floor(nowMs / BUCKET_MS)
  const kept = new Map([...buckets].filter(([bucket]) => bucket > current - BUCKETS))
  return kept.set(current, (kept.get(current) ?? 0) + times)
}

export function sumRecent(buckets: RecentBuckets, nowMs: number): number {
  const current = Math.floor(nowMs / BUCKET_MS)
  let sum = 0
  for (const [bucket, times] of buckets) if (bucket > current - BUCKETS) sum += times
  return sum
}

/** Where the state store counts the deliveries of an endpoint that its rate limit held up. */
export function throttledKey(endpointId: string): string {
  return `throttled:${endpointId}`
}

/** KEYS: what happened; ARGV: how often each did. */
export const ADD_RECENT_SCRIPT = `
local current = math.floor(tonumber(redis.call('TIME')[1]) * 1000 / ${BUCKET_MS})
for i, key in ipairs(KEYS) do
  for _, bucket in ipairs(redis.call('HKEYS', key)) do
    if tonumber(bucket) <= current - ${BUCKETS} then redis.call('HDEL', key, bucket) end
  end
  redis.call('HINCRBY', key, string.format('%.0f', current), ARGV[i])
  redis.call('PEXPIRE', key, ${RECENT_TTL_MS})
end
return 0
`

/** KEYS: what is asked for. Answers how often each happened. */
export const SUM_RECENT_SCRIPT = `
local current = math.floor(tonumber(redis.call('TIME')[1]) * 1000 / ${BUCKET_MS})
local sums = {}
for i, key in ipairs(KEYS) do
  local kept = redis.call('HGETALL', key)
  local sum = 0
  for at = 1, #kept, 2 do
    if tonumber(kept[at]) > current - ${BUCKETS} then sum = sum + tonumber(kept[at + 1]) end
  end
  sums[i] = sum
end
return sums
`
