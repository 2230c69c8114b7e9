/**
 * How deep a JSON text is nested, found from the text itself. Much code that takes a parsed payload
 * recurses into each level (JSON.stringify, schemas, copies and comparisons), and a few thousand
 * levels, which fit into 10 KB, exhaust the call stack. So every route that takes a payload checks
 * it here first, before any other code sees the value.
 */
// Repeated from `raw-json.ts`: with imported constants the loop below takes half as long again,
// 5 us for a payload of 5 KB.
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Objects and arrays within each other. Real payloads have fewer than 20 levels; the call stack
 * allows some 5,000.
 */
export const MAX_NESTING = 200

/**
 * Reads each character at most twice and stops at the first level too many. A text that is not JSON
 * is no error here: the answer then has no meaning, and the parser reports what is wrong.
 */
export function isNestedTooDeep(jsonText: string): boolean {
  // Each level takes a character of its own.
  if (jsonText.length <= MAX_NESTING) return false
  let depth = 0
  for (let at = 0; at < jsonText.length; at += 1) {
    const code = jsonText.charCodeAt(at)
    if (code === QUOTE) {
      at = closingQuote(jsonText, at)
      if (at === -1) return false
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1
      if (depth > MAX_NESTING) return true
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1
    }
  }
  return false
}

/** Where the string that opens at `open` ends; -1 when it does not end. */
function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1
  return slashes % 2 === 1
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
