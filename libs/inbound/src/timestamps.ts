/**
 * Checks that a signed time is near enough to now: a request with an old time may be a copy that
 * somebody kept.
 */
import type { TimestampAt } from './verification-rules.ts'
import type { VerificationStep } from './verification-result.ts'

/** Clocks of senders and ours differ by seconds, not by minutes. */
const MAX_AHEAD_SECONDS = 60

export function checkTimestamp(
  rule: TimestampAt,
  text: string,
  receivedAt: number,
): VerificationStep {
  const at = millisOf(rule.unit, text)
  const limit = rule.toleranceSeconds
  const expected =
    limit === null
      ? `a time in ${rule.unit}`
      : `at most ${limit} s old, ${MAX_AHEAD_SECONDS} s ahead`
  if (at === null) return { step: 'timestamp', expected, found: 'no time', ok: false }
  const age = (receivedAt - at) / 1000
  const ok = limit === null || (age <= limit && age >= -Math.max(MAX_AHEAD_SECONDS, 0))
  return { step: 'timestamp', expected, found: `${Math.round(age)} s old`, ok }
}

function millisOf(unit: TimestampAt['unit'], text: string): number | null {
  if (unit === 'iso8601') return isoMillis(text)
  if (unit === 'http-date') return httpMillis(text)
  if (!/^\d{1,16}(\.\d{1,9})?$/.test(text)) return null
  const number = Number(text)
  const isMillis = unit === 'milliseconds' || (unit === 'auto' && number >= 1e12)
  return isMillis ? number : number * 1000
}

function httpMillis(text: string): number | null {
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const millis = Date.parse(text)
  return Number.isNaN(millis) ? null : millis
}

function isoMillis(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`
  // Go writes nanoseconds, which Date can't parse.
  const millis = Date.parse(zoned.replace(/(\.\d{3})\d+/, '$1'))
  return Number.isNaN(millis) ? null : millis
}
