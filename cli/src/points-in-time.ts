/** Points in time as users give them: how long ago, or a date. */
import { usage } from './failure.ts'

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** @param text `90s`, `10m`, `2h`, `3d` before now, or a date such as `2026-01-31T12:00:00Z` */
export function pointInTime(text: string, now: number): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return new Date(now - Number(count) * (UNITS[unit] as number)).toISOString()
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw usage(`"${text}" is no time: give 90s, 10m, 2h or 3d for how long ago, or a date`)
  return new Date(at).toISOString()
}

/** The time of the day, for lines that come one after the other. */
export function timeOfDay(at: Date): string {
  return at.toTimeString().slice(0, 8)
}
