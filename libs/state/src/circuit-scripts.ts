/**
 * The circuits of `domain/circuit.ts` inside Redis, by Redis's clock, so that dispatchers whose
 * clocks differ share them. Each is one string, its five numbers in the order of `Circuit`'s
 * fields. Answers begin with the time, so that the caller can tell the circuit's state at that
 * time, and a test can repeat the decision.
 */
import type { Circuit } from '@posthorn/domain/circuit'

const READ = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local function read(kept)
  if not kept then return nil end
  local f, o, u, p, c = string.match(kept, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
  return {tonumber(f), tonumber(o), tonumber(u), tonumber(p), tonumber(c)}
end
local function keep(c)
  if not c then redis.call('DEL', KEYS[1]) return '' end
  local ttl = 120000
  if c[1] > 0 then ttl = math.max(0, c[3] - now) + 604800000 end
  local text = string.format('%.0f %.0f %.0f %.0f %.0f', c[1], c[2], c[3], c[4], c[5])
  redis.call('SET', KEYS[1], text, 'PX', ttl)
  return text
end
`

/** KEYS: circuits. Answers the time and each circuit's text, '' for none. */
export const READ_CIRCUITS_SCRIPT = `
local time = redis.call('TIME')
local kept = redis.call('MGET', unpack(KEYS))
local answer = {tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)}
for i = 1, #KEYS do answer[i + 1] = kept[i] or '' end
return answer
`

/**
 * KEYS[1]: the circuit; ARGV[1]: the probe's lease in ms. Answers the time, the outcome, and the
 * circuit's text.
 */
export const PASS_CIRCUIT_SCRIPT = `${READ}
local kept = redis.call('GET', KEYS[1])
local c = read(kept)
if not c or c[2] == 0 then return {now, 'closed', kept or ''} end
if math.max(c[3], c[4]) > now then return {now, 'wait', kept} end
c[4] = now + tonumber(ARGV[1])
return {now, 'probe', keep(c)}
`

/**
 * KEYS[1]: the circuit; ARGV: health signal, 1 for a probe, how long the attempt lasted in ms,
 * threshold, resetMs. Answers the time, the change ('' for none), the circuit's text, and when it
 * had opened before.
 */
export const REPORT_CIRCUIT_SCRIPT = `${READ}
local signal, probe = ARGV[1], ARGV[2] == '1'
local kept = redis.call('GET', KEYS[1])
local c = read(kept) or {0, 0, 0, 0, 0}
local was = c[2]
local same = kept or ''
if c[2] > 0 then
  if not probe then return {now, '', same, was} end
  if signal == 'success' then return {now, 'closed', keep({0, 0, 0, 0, now}), was} end
  c[4] = 0
  if signal == 'nothing' then return {now, '', keep(c), was} end
  c[3] = now + tonumber(ARGV[5])
  return {now, 'reopened', keep(c), was}
end
if signal == 'success' and c[1] > 0 then
  if c[5] > 0 then return {now, '', keep({0, 0, 0, 0, c[5]}), was} end
  return {now, '', keep(nil), was}
end
if signal ~= 'failure' or now - tonumber(ARGV[3]) < c[5] then return {now, '', same, was} end
local failures = c[1] + 1
if failures < tonumber(ARGV[4]) then return {now, '', keep({failures, 0, 0, 0, c[5]}), was} end
return {now, 'opened', keep({failures, now, now + tonumber(ARGV[5]), 0, 0}), was}
`

/** KEYS[1]: the circuit. Closes it; answers the time and the text of its former state. */
export const RESET_CIRCUIT_SCRIPT = `${READ}
local kept = redis.call('GET', KEYS[1])
keep({0, 0, 0, 0, now})
return {now, kept or ''}
`

export function parseCircuit(text: string): Circuit | undefined {
  if (text === '') return undefined
  const [failures = 0, openedAt = 0, openUntil = 0, probeUntil = 0, closedAt = 0] = text
    .split(' ')
    .map(Number)
  return { failures, openedAt, openUntil, probeUntil, closedAt }
}
