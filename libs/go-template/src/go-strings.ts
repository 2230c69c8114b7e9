/**
 * Go's strings are bytes, and templates can cut a character in half (`slice`) or write a single
 * byte (`"\xff"`). Here a string is JavaScript's, and a byte that belongs to no character is a lone
 * surrogate from U+DC80 to U+DCFF, which no text from outside contains: texts are made well-formed
 * when they come in, and outputs when they go out.
 *
 * Nothing here needs Node: the pages preview templates with the same code.
 */

const LONE = 0xdc00
const encoder = new TextEncoder()
/** Keeps a mark of the byte order, as Go does. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Lengths in bytes, as Go counts. */
export function byteLength(text: string): number {
  return bytesOf(text).length
}

export function bytesOf(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text)
  // A code unit takes three bytes at most.
  const bytes = new Uint8Array(3 * text.length)
  const write = (piece: string, to: number): number =>
    encoder.encodeInto(piece, bytes.subarray(to)).written
  let length = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isPair = (code & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === LONE
    if (isPair) at++
    else if (code > LONE && code <= LONE + 0xff) {
      if (at > from) length += write(text.slice(from, at), length)
      bytes[length++] = code - LONE
      from = at + 1
    }
  }
  length += write(text.slice(from), length)
  return bytes.subarray(0, length)
}

export function stringOf(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  if (!text.includes('\ufffd')) return text
  let decoded = ''
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at)
    if (length === 0) {
      if (at > from) decoded += decoder.decode(bytes.subarray(from, at))
      decoded += String.fromCharCode(LONE + (bytes[at] as number))
      from = at + 1
    }
    at += Math.max(length, 1)
  }
  return decoded + decoder.decode(bytes.subarray(from))
}

/** The bytes of the character that begins there, or 0 where none does. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (at + length > bytes.length) return 0
  const [least, most] = SECOND_BYTES[first] ?? [0x80, 0xbf]
  const second = bytes[at + 1] as number
  if (second < least || second > most) return 0
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] as number) & 0xc0) !== 0x80) return 0
  }
  return length
}

/** Where not every byte may follow: longer than needed, half of a pair, or beyond Unicode. */
const SECOND_BYTES: Readonly<Record<number, readonly [least: number, most: number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
}

/** What an action prints: a byte that belongs to no character becomes the replacement. */
export function outputText(text: string): string {
  return text.isWellFormed() ? text : decoder.decode(bytesOf(text))
}

/** The order of their bytes. */
export function compareStrings(one: string, other: string): number {
  if (one === other) return 0
  const [bytes, others] = [bytesOf(one), bytesOf(other)]
  const length = Math.min(bytes.length, others.length)
  for (let at = 0; at < length; at++) {
    const difference = (bytes[at] as number) - (others[at] as number)
    if (difference !== 0) return difference
  }
  return bytes.length - others.length
}

/** Whether Go prints a character as it is: it is a letter, mark, number, symbol or plain space. */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)
}
