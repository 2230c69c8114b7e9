/**
 * Durations as Go writes them: `90s`, `5m`, `1h30m`, `1.5h`. Whatever is longer than any duration
 * that makes sense is refused before it is read.
 */
const MAX_CHARACTERS = 32
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}
/** One number with its unit. Sticky, so that parts follow each other without a gap. */
const PART = /(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h)/y

/** @returns whole milliseconds; null: it is no duration */
export function parseDuration(text: string): number | null {
  if (text.length === 0 || text.length > MAX_CHARACTERS) return null
  let ms = 0
  PART.lastIndex = 0
  while (PART.lastIndex < text.length) {
    const [, number, unit] = PART.exec(text) ?? []
    if (number === undefined || unit === undefined) return null
    ms += Number(number) * (UNITS_MS[unit] as number)
  }
  return Math.round(ms)
}
