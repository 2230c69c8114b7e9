/**
 * The days and months in which usage is counted. Both are in UTC, and both are numbers, so that an
 * event is counted without making a text or a date: days and months since the beginning of 1970.
 */
const DAY_MS = 86_400_000

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

export function startOfDay(day: number): Date {
  return new Date(day * DAY_MS)
}

/** As Postgres writes a date: `2026-11-22`. */
export function dayText(day: number): string {
  return startOfDay(day).toISOString().slice(0, 10)
}

export function monthOf(ms: number): number {
  const date = new Date(ms)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function monthOfDay(day: number): number {
  return monthOf(day * DAY_MS)
}

export function startOfMonth(month: number): Date {
  return new Date(Date.UTC(1970, month))
}

/** As in the usage history: `2026-11`. */
export function monthText(month: number): string {
  return startOfMonth(month).toISOString().slice(0, 7)
}
