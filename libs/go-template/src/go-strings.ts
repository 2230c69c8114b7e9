/**
 * Go's strings are bytes, and templates can cut a character in half (`slice`) or write a single
 * byte (`"\xff"`). Here a string is JavaScript's, and a byte that belongs to no character is a lone
 * surrogate from U+DC80 to U+DCFF, which no text from outside contains: texts are made well-formed
 * when they come in, and outputs when they go out.
 */

const LONE = 0xdc00

/** Lengths in bytes, as Go counts. */
export function byteLength(text: string): number {
  return text.isWellFormed() ? Buffer.byteLength(text) : bytesOf(text).length
}

export function bytesOf(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  const parts: Buffer[] = []
  for (const character of text) {
    const code = character.codePointAt(0) as number
    const isByte = code > LONE && code <= LONE + 0xff
    parts.push(isByte ? Buffer.of(code - LONE) : Buffer.from(character))
  }
  return Buffer.concat(parts)
}

export function stringOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd')) return text
  let decoded = ''
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at)
    decoded +=
      length === 0
        ? String.fromCharCode(LONE + (bytes[at] as number))
        : bytes.toString('utf8', at, at + length)
    at += Math.max(length, 1)
  }
  return decoded
}

/** The bytes of the character that begins there, or 0 where none does. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (length === 0 || at + length > bytes.length) return 0
  if (length === 1) return 1
  // A character that was decoded and is not the replacement encodes to the same bytes again.
  const part = bytes.subarray(at, at + length)
  return Buffer.from(part.toString('utf8')).equals(part) ? length : 0
}

/** What an action prints: a byte that belongs to no character becomes the replacement. */
export function outputText(text: string): string {
  return text.isWellFormed() ? text : bytesOf(text).toString('utf8')
}

/** The order of their bytes. */
export function compareStrings(one: string, other: string): number {
  if (one === other) return 0
  return Buffer.compare(bytesOf(one), bytesOf(other))
}

/** Whether Go prints a character as it is: it is a letter, mark, number, symbol or plain space. */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)
}
