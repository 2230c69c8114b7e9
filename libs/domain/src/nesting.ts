/**
 * How deep a JSON text is nested, found from the text itself. Much code that takes a parsed payload
 * recurses into each level (JSON.stringify, schemas, copies and comparisons), and a few thousand
 * levels, which fit into 10 KB, exhaust the call stack. So every route that takes a payload checks
 * it here first, before any other code sees the value.
 */
import { closingQuote } from './raw-json.ts'

// Repeated from `raw-json.ts`: with imported constants the loop below takes half as long again,
// 5 us for a payload of 5 KB.
const QUOTE = 0x22
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Objects and arrays within each other. Real payloads have fewer than 20 levels; the call stack
 * allows some 5,000.
 */
export const MAX_NESTING = 200

/** They take 0.5 ms, and 4 ms in a process that has just begun, whose code is not compiled yet. */
const STEP_CHARACTERS = 128 * 1024

/** How far a text was read. */
interface Progress {
  at: number
  depth: number
  isInString: boolean
}

/**
 * Reads each character at most twice and stops at the first level too many. A text that is not JSON
 * is no error here: the answer then has no meaning, and the parser reports what is wrong.
 */
export function isNestedTooDeep(jsonText: string): boolean {
  // Each level takes a character of its own.
  if (jsonText.length <= MAX_NESTING) return false
  return getsTooDeep(jsonText, { at: 0, depth: 0, isInString: false }, jsonText.length)
}

/** The same for a large text. */
export function* isNestedTooDeepInSteps(
  jsonText: string,
): Generator<undefined, boolean, undefined> {
  const progress = { at: 0, depth: 0, isInString: false }
  for (let end = STEP_CHARACTERS; ; end += STEP_CHARACTERS) {
    if (getsTooDeep(jsonText, progress, Math.min(end, jsonText.length))) return true
    if (progress.at >= jsonText.length) return false
    yield
  }
}

/** Goes on to `end`. */
function getsTooDeep(text: string, progress: Progress, end: number): boolean {
  let { at, depth } = progress
  if (progress.isInString) {
    at = closingQuote(text, at, end)
    progress.isInString = at >= end
    at += progress.isInString ? 0 : 1
  }
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = closingQuote(text, at + 1, end)
      if (at >= end) {
        progress.isInString = true
        break
      }
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1
      if (depth > MAX_NESTING) return true
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1
    }
  }
  progress.at = at
  progress.depth = depth
  return false
}

/** The same for a parsed value. It recurses at most `MAX_NESTING` times. */
export function isValueTooDeep(value: unknown): boolean {
  return isDeeper(value, MAX_NESTING)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const child of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(child, levels - 1)) return true
  return false
}
