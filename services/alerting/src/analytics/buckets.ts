/**
 * The range that a request for analytics asks about, and its buckets: hours up to seven days, days
 * beyond, in UTC. The first and the last bucket are cut off at the ends of the range. Pure.
 */
import { type AnalyticsQuery, HOURLY_DAYS, MAX_ANALYTICS_DAYS } from '@posthorn/contracts/analytics'
import { ApiError } from '@posthorn/contracts/errors'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface AnalyticsRange {
  /** Epoch ms. */
  from: number
  /** Epoch ms; exclusive. */
  to: number
}

export interface AnalyticsBucket extends AnalyticsRange {
  /** The beginning of the hour or day, epoch ms. */
  start: number
}

/** Throws BAD_REQUEST. */
export function rangeOf(query: Pick<AnalyticsQuery, 'from' | 'to'>, now: number): AnalyticsRange {
  const to = query.to === undefined ? now : Date.parse(query.to)
  const from = query.from === undefined ? to - DAY_MS : Date.parse(query.from)
  if (from >= to) throw new ApiError('BAD_REQUEST', '`from` must be before `to`')
  if (to - from > MAX_ANALYTICS_DAYS * DAY_MS) {
    throw new ApiError('BAD_REQUEST', `the range must be at most ${MAX_ANALYTICS_DAYS} days`)
  }
  return { from, to }
}

export function unitOf({ from, to }: AnalyticsRange): 'hour' | 'day' {
  return to - from <= HOURLY_DAYS * DAY_MS ? 'hour' : 'day'
}

export function bucketsOf(range: AnalyticsRange): AnalyticsBucket[] {
  const { from, to } = range
  const unit = unitOf(range) === 'hour' ? HOUR_MS : DAY_MS
  const buckets: AnalyticsBucket[] = []
  for (let start = Math.floor(from / unit) * unit; start < to; start += unit) {
    buckets.push({ start, from: Math.max(from, start), to: Math.min(to, start + unit) })
  }
  return buckets
}
