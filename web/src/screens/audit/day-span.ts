/** Days of the reader's own zone as times. Pure. */

/** @returns the beginning of the day, or of the day after it; undefined: it is no day */
export function timeOfDay(day: string | undefined, daysLater = 0): string | undefined {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const time = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** @param to the last day that counts */
export function spanOfDays(from: string | undefined, to: string | undefined) {
  const [start, end] = [timeOfDay(from), timeOfDay(to, 1)]
  return { ...(start && { from: start }), ...(end && { to: end }) }
}
