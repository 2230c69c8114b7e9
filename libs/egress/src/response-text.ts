/** What of a response is kept, made fit for a text column: NUL and broken UTF-8 become U+FFFD. */
import type { IncomingHttpHeaders } from 'undici/types/header.js'

/** As the attempt's record keeps them. */
const MAX_KEPT_HEADER_BYTES = 4096

/** `cut`: bytes follow that were not kept, so a character split by the cut is left out instead of being broken. */
export function bodyText(chunks: readonly Buffer[], cut: boolean): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  const text = cut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString('utf8')
  return withoutNul(text)
}

/** Names are lower case; a repeated header is joined by commas, and what passes 4 KiB is cut off. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  let room = MAX_KEPT_HEADER_BYTES
  for (const name of Object.keys(headers)) {
    const raw = headers[name]
    if (raw === undefined || name === '__proto__') continue
    room -= name.length
    if (room <= 0) break
    // One character is one byte: undici reads header values as latin1.
    const value = typeof raw === 'string' ? raw : raw.join(', ')
    kept[name] = withoutNul(value.length <= room ? value : value.slice(0, room))
    room -= value.length
  }
  return kept
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
