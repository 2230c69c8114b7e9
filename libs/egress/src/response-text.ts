/**
 * Cuts and cleans what is kept of a response for a text column: NUL and broken UTF-8 become U+FFFD.
 */
import type { IncomingHttpHeaders } from 'undici/types/header.js'

/** The most that an attempt's record keeps. */
const MAX_KEPT_HEADER_BYTES = 4096

/**
 * @param cut whether bytes follow that were not kept; a character split by the cut is then left out
 * instead of being broken
 */
export function bodyText(chunks: readonly Buffer[], cut: boolean): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  const text = cut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString('utf8')
  return withoutNul(text)
}

/**
 * Names are lower case; a repeated header is joined by commas, and what passes 4 KiB is cut off.
 */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  let left = MAX_KEPT_HEADER_BYTES
  for (const name of Object.keys(headers)) {
    const raw = headers[name]
    if (raw === undefined || name === '__proto__') continue
    left -= name.length
    if (left <= 0) break
    // One character is one byte: undici reads header values as latin1.
    const value = typeof raw === 'string' ? raw : raw.join(', ')
    kept[name] = withoutNul(value.length <= left ? value : value.slice(0, left))
    left -= value.length
  }
  return kept
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
