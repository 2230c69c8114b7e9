/** Reads the number and character literals of a template by Go's rules. */
import { goInt, type GoNumber, newGoNumber } from './numbers.ts'
import { unquoteCharacter } from './quoting.ts'

export type NumberLiteral =
  | { outcome: 'ok'; value: GoNumber }
  | { outcome: 'overflow' }
  | { outcome: 'invalid'; message: string }

/** `'a'`: its code point. */
export function parseCharacter(text: string): NumberLiteral {
  const read = unquoteCharacter(text.slice(1), "'")
  if (read === null) return invalid('invalid syntax in a character')
  if (read.rest !== "'") return invalid(`malformed character constant: ${text}`)
  return { outcome: 'ok', value: goInt(read.code) }
}

const MAX_INT = 2n ** 63n
const INTEGER =
  /^[+-]?(?:0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[oO]?_?[0-7]+(?:_[0-7]+)*|0[bB]_?[01]+(?:_[01]+)*|[1-9]\d*(?:_\d+)*|0)$/
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*)?\.?(?:\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?$/
const HEX_FLOAT =
  /^([+-]?)0[xX]_?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)?\.?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)?[pP]([+-]?\d+)$/

export function parseNumber(text: string): NumberLiteral {
  if (text.endsWith('i')) return parseComplex(text)
  if (INTEGER.test(text)) {
    const whole = integerOf(text)
    if (whole < MAX_INT && whole >= -MAX_INT) return { outcome: 'ok', value: goInt(whole) }
    // Up to here Go's parser takes it as an unsigned number, which nothing can hold when it runs.
    if (whole >= 0n && whole < 2n * MAX_INT && !text.startsWith('+')) return { outcome: 'overflow' }
  }
  const float = floatOf(text)
  if (float === null) return invalid(`illegal number syntax: ${text}`)
  if (!/[.eEpP]/.test(text)) return invalid(`integer overflow: ${text}`)
  return { outcome: 'ok', value: newGoNumber('float64', { float }) }
}

function invalid(message: string): NumberLiteral {
  return { outcome: 'invalid', message }
}

function integerOf(text: string): bigint {
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '')
  const octal = /^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits
  const value = BigInt(octal)
  return text.startsWith('-') ? -value : value
}

/** null: it is no number, or too large for one. */
function floatOf(text: string): number | null {
  const hex = HEX_FLOAT.exec(text)
  if (hex !== null) {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = hex
    const digits = `${whole}${fraction}`.replaceAll('_', '')
    if (digits === '') return null
    const places = 4 * fraction.replaceAll('_', '').length
    return finite(Number(`${sign}1`) * Number(`0x${digits}`) * 2 ** (Number(exponent) - places))
  }
  if (!FLOAT.test(text) || !/\d/.test(text.split(/[eE]/)[0] as string)) return null
  return finite(Number(text.replaceAll('_', '')))
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** `2i`, `1+2i`. */
function parseComplex(text: string): NumberLiteral {
  const number = text.slice(0, -1)
  const split = Math.max(...[...number.matchAll(/(?<=[^eEpP])[+-]/g)].map(({ index }) => index), 0)
  const real = split === 0 ? 0 : floatOf(number.slice(0, split))
  const imaginary = floatOf(number.slice(split))
  if (real === null || imaginary === null) return invalid(`illegal number syntax: ${text}`)
  return { outcome: 'ok', value: newGoNumber('complex128', { float: real, imaginary }) }
}
