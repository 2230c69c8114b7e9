/**
 * `takeTokenFrom` inside Redis, by Redis's clock, so that instances whose clocks differ share one
 * bucket.
 *
 * KEYS[1]: the bucket; ARGV[1]: tokens a second. Answers allowed, remaining, retryAfterMs, resetMs
 * and, so that a test can repeat the calculation, the time in microseconds. A bucket that would be
 * full again is gone: it expires after `resetMs`.
 */
export const TOKEN_BUCKET_SCRIPT = `
local rate = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local size = math.max(1, rate)
local tokens = size
local kept = redis.call('GET', KEYS[1])
if kept then
  local at, left = string.match(kept, '^(%S+) (%S+)$')
  local elapsed = math.max(0, now - tonumber(at))
  tokens = math.min(size, tonumber(left) + (elapsed * rate) / 1000000)
end
local allowed = tokens >= 1 - 1e-9
local retry = 0
if allowed then
  tokens = math.max(0, tokens - 1)
else
  retry = math.ceil(((1 - tokens) * 1000) / rate)
end
local reset = math.ceil(((size - tokens) * 1000) / rate)
if allowed then
  redis.call('SET', KEYS[1], string.format('%.0f %.17g', now, tokens), 'PX', math.max(1, reset))
end
return {allowed and 1 or 0, math.floor(tokens + 1e-9), retry, reset, now}
`
