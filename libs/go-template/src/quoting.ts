/** Go's quoted strings and characters, read and written as its `strconv` does. */
import { bytesOf, isPrintable, stringOf } from './go-strings.ts'

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
}
const SIMPLE_NAMES = new Map(Object.entries(SIMPLE).map(([name, code]) => [code, name]))
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

export interface UnquotedCharacter {
  code: number
  /** It was written as one byte, which may be no character. */
  isByte: boolean
  rest: string
}

/** The first character of what stands within quotes; null: it is written wrongly. */
export function unquoteCharacter(text: string, quote: string): UnquotedCharacter | null {
  if (text === '' || text.startsWith(quote)) return null
  if (!text.startsWith('\\')) {
    const code = text.codePointAt(0) as number
    return { code, isByte: false, rest: text.slice(code > 0xffff ? 2 : 1) }
  }
  const escaped = text[1] ?? ''
  const simple = SIMPLE[escaped]
  if (simple !== undefined) return { code: simple, isByte: false, rest: text.slice(2) }
  if (escaped === quote) return { code: quote.charCodeAt(0), isByte: false, rest: text.slice(2) }
  const length = HEX_DIGITS[escaped]
  if (length !== undefined) {
    const digits = text.slice(2, 2 + length)
    if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return null
    const code = Number.parseInt(digits, 16)
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    if (!isCharacter) return null
    return { code, isByte: escaped === 'x', rest: text.slice(2 + length) }
  }
  const octal = /^[0-7]{3}/.exec(text.slice(1))?.[0]
  if (octal === undefined) return null
  const code = Number.parseInt(octal, 8)
  return code > 255 ? null : { code, isByte: true, rest: text.slice(4) }
}

/** @param literal with its quotes; null: it is written wrongly */
export function unquote(literal: string): string | null {
  const inside = literal.slice(1, -1)
  if (literal.startsWith('`')) return inside.replaceAll('\r', '')
  const bytes: number[] = []
  for (let rest = inside; rest !== ''; ) {
    const read = unquoteCharacter(rest, '"')
    if (read === null) return null
    const { code, isByte } = read
    if (isByte) bytes.push(code)
    else bytes.push(...bytesOf(String.fromCodePoint(code)))
    rest = read.rest
  }
  return stringOf(Uint8Array.from(bytes))
}

/** @param isAscii writes every other character as an escape */
export function quote(text: string, mark: '"' | "'", isAscii: boolean): string {
  let quoted = ''
  for (const character of text) quoted += escapeCharacter(character, mark, isAscii)
  return `${mark}${quoted}${mark}`
}

function escapeCharacter(character: string, mark: string, isAscii: boolean): string {
  const code = character.codePointAt(0) as number
  if (character === mark || character === '\\') return `\\${character}`
  if (isPrintable(character) && (code < 0x80 || !isAscii)) return character
  const simple = SIMPLE_NAMES.get(code)
  if (simple !== undefined) return `\\${simple}`
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** Whether Go would write it between backquotes. */
export function canBackquote(text: string): boolean {
  return text.isWellFormed() && !/[\ufeff`\u007f]|[^\P{Cc}\t\u0080-\u009f]/u.test(text)
}

/** Escapes for a query of a URL. */
export function escapeQuery(text: string): string {
  let escaped = ''
  for (const byte of bytesOf(text)) escaped += QUERY_BYTES[byte] as string
  return escaped
}

const QUERY_BYTES = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (/[A-Za-z0-9_.~-]/.test(character)) return character
  return byte === 0x20 ? '+' : `%${hex(byte, 2).toUpperCase()}`
})
