/** The range of time that charts show, as it stands in a URL: one that ends now, or from and to. */

export const PRESETS = ['24h', '3d', '7d', '30d', '90d'] as const
type Preset = (typeof PRESETS)[number]

interface RangeInUrl {
  range?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** As the API is asked: without `to` the range ends now. */
export interface AnalyticsRange {
  from: string
  to?: string
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Up to so many days the API counts by hours, and by days beyond. */
const HOURLY_DAYS = 7
const DAYS: Record<Preset, number> = { '24h': 1, '3d': 3, '7d': 7, '30d': 30, '90d': 90 }

/** @param now epoch ms */
export function rangeOf({ range, from, to }: RangeInUrl, now: number): AnalyticsRange {
  const [start, end] = [timeOf(from), timeOf(to)]
  if (start !== null && end !== null && start < end) {
    return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
  }
  const days = DAYS[presetOf(range)]
  const bucketMs = days <= HOURLY_DAYS ? HOUR_MS : DAY_MS
  // From a whole bucket on, so that only the last one, which goes on, is shorter than the others.
  const first = (Math.floor(now / bucketMs) + 1) * bucketMs - days * DAY_MS
  return { from: new Date(first).toISOString() }
}

/** The range of the same length before it, up to the same part of its last bucket. */
export function rangeBefore({ from, to }: AnalyticsRange, now: number): Required<AnalyticsRange> {
  const end = to === undefined ? now : Date.parse(to)
  const length = end - Date.parse(from)
  // To the minute, so that what was read is not asked for again with each look at the clock.
  const before = Math.floor((Date.parse(from) - length) / 60_000) * 60_000
  return { from: new Date(before).toISOString(), to: from }
}

export function presetOf(range: string | undefined): Preset {
  return PRESETS.find((one) => one === range) ?? '24h'
}

function timeOf(text: string | undefined): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}
