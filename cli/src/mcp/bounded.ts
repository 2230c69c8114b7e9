/**
 * Results that fit: what an event carries may be a megabyte, and whoever reads a tool's result pays
 * for each word. Long texts and lists are cut short, and the result says so.
 */

const MAX_CHARACTERS = 24_000
/** From mild to harsh: characters of a text, elements of a list, members of an object. */
const STEPS = [
  { text: 4_000, list: 50, members: 200 },
  { text: 500, list: 20, members: 100 },
  { text: 100, list: 10, members: 50 },
  { text: 40, list: 3, members: 20 },
] as const
const MAX_DEPTH = 12

type Limits = (typeof STEPS)[number]

/** @returns JSON of at most `max` characters */
export function boundedJson(value: unknown, max = MAX_CHARACTERS): string {
  const whole = JSON.stringify(value) ?? 'null'
  if (whole.length <= max) return whole
  for (const limits of STEPS) {
    const note = 'long texts and lists are cut: narrow the search, or read one record'
    const text = JSON.stringify({ truncated: note, result: cut(value, limits, 0) })
    if (text.length <= max) return text
  }
  return JSON.stringify({ truncated: 'the result is too long: narrow the search' })
}

function cut(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === 'string')
    return value.length <= limits.text ? value : `${value.slice(0, limits.text)}…`
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value))
    return value.slice(0, limits.list).map((one) => cut(one, limits, depth + 1))
  const members = Object.entries(value).slice(0, limits.members)
  return Object.fromEntries(members.map(([key, one]) => [key, cut(one, limits, depth + 1)]))
}
