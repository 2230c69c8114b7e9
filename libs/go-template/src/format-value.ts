/**
 * Writes one value by a verb of `printf` and its flags, as Go's `fmt` does; `print` writes by `%v`.
 * A verb that does not go with a value writes what Go writes then: `%!d(string=x)`.
 */
import { type StepBudget, spend } from '@posthorn/domain/step-budget'
import { formatFloat } from './format-float.ts'
import { bytesOf, isPrintable } from './go-strings.ts'
import { type GoNumber, isGoNumber } from './numbers.ts'
import { canBackquote, hex, quote } from './quoting.ts'
import {
  type GoList,
  type GoMap,
  type GoValue,
  isList,
  RenderFailure,
  sortedKeysOf,
  spendCharacters,
  spendText,
  typeName,
  valueOf,
} from './values.ts'

export interface FormatFlags {
  plus: boolean
  minus: boolean
  sharp: boolean
  space: boolean
  zero: boolean
  /** `%#v`. */
  goSyntax: boolean
  width: number | null
  precision: number | null
}

export const NO_FLAGS: Readonly<FormatFlags> = {
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  goSyntax: false,
  width: null,
  precision: null,
}

/** How deep lists and objects are written. */
const MAX_DEPTH = 100

export function formatValue(
  value: GoValue,
  verb: string,
  flags: FormatFlags,
  budget: StepBudget,
  depth = 0,
): string {
  spend(budget, 1)
  if (value === undefined || value === null) return formatNil(verb, flags, depth)
  if (verb === 'T' && depth === 0) return pad(truncate(typeName(value), flags), flags)
  if (typeof value === 'boolean') {
    return verb === 't' || verb === 'v'
      ? pad(String(value), flags)
      : badVerb(value, verb, flags, budget)
  }
  if (typeof value === 'string') return formatString(value, verb, flags, budget)
  if (isGoNumber(value)) return formatNumber(value, verb, flags, budget)
  if (depth >= MAX_DEPTH) throw new RenderFailure(`the data is nested more than ${MAX_DEPTH} deep`)
  return isList(value)
    ? formatList(value, verb, flags, budget, depth)
    : formatMap(value, verb, flags, budget, depth)
}

function formatNil(verb: string, flags: FormatFlags, depth: number): string {
  if (depth > 0) return flags.goSyntax ? 'interface {}(nil)' : '<nil>'
  return verb === 'v' || verb === 'T' ? pad('<nil>', flags) : `%!${verb}(<nil>)`
}

/** It keeps its flags, so that a width pads the value within. */
function badVerb(value: GoValue, verb: string, flags: FormatFlags, budget: StepBudget): string {
  return `%!${verb}(${typeName(value)}=${formatValue(value, 'v', flags, budget)})`
}

function formatList(
  list: GoList,
  verb: string,
  flags: FormatFlags,
  budget: StepBudget,
  depth: number,
): string {
  const parts = list.map((one) => formatValue(valueOf(one, budget), verb, flags, budget, depth + 1))
  return flags.goSyntax ? `[]interface {}{${parts.join(', ')}}` : `[${parts.join(' ')}]`
}

function formatMap(
  map: GoMap,
  verb: string,
  flags: FormatFlags,
  budget: StepBudget,
  depth: number,
): string {
  const parts = sortedKeysOf(map, budget).map((key) => {
    const name = formatValue(key.toWellFormed(), verb, flags, budget, depth + 1)
    const value = valueOf(map[key], budget)
    return `${name}:${formatValue(value, verb, flags, budget, depth + 1)}`
  })
  return flags.goSyntax ? `map[string]interface {}{${parts.join(', ')}}` : `map[${parts.join(' ')}]`
}

function formatString(text: string, verb: string, flags: FormatFlags, budget: StepBudget): string {
  spendText(budget, text)
  switch (verb) {
    case 'v':
      if (!flags.goSyntax) return pad(truncate(text, flags), flags)
      return pad(quoteString(text, flags, budget), flags)
    case 's':
      return pad(truncate(text, flags), flags)
    case 'q':
      return pad(quoteString(text, flags, budget), flags)
    case 'x':
      return hexBytes(text, flags, budget)
    case 'X':
      return hexBytes(text, flags, budget).toUpperCase()
    default:
      return badVerb(text, verb, flags, budget)
  }
}

function truncate(text: string, { precision }: FormatFlags): string {
  if (precision === null || text.length <= precision) return text
  return Array.from(text.slice(0, 2 * precision))
    .slice(0, precision)
    .join('')
}

function quoteString(text: string, flags: FormatFlags, budget: StepBudget): string {
  const shown = truncate(text, flags)
  spendCharacters(budget, shown)
  if (flags.sharp && canBackquote(shown)) return `\`${shown}\``
  return quote(shown, '"', flags.plus)
}

function hexBytes(text: string, flags: FormatFlags, budget: StepBudget): string {
  if (flags.space) spendCharacters(budget, text)
  const bytes = bytesOf(text).subarray(0, flags.precision ?? undefined)
  if (bytes.length === 0) return pad('', flags)
  const prefix = flags.sharp ? '0x' : ''
  const shown = flags.space
    ? Array.from(bytes, (byte) => prefix + hex(byte, 2)).join(' ')
    : prefix + hexOf(bytes)
  return pad(shown, flags)
}

const HEX = Array.from({ length: 256 }, (_, byte) => hex(byte, 2))

/** A long text is no more than some milliseconds. */
function hexOf(bytes: Uint8Array): string {
  let digits = ''
  for (const byte of bytes) digits += HEX[byte]
  return digits
}

/** Zeros stand to the left alone. */
function pad(text: string, { width, minus, zero }: FormatFlags): string {
  // A character is two code units at most.
  if (width === null || text.length >= 2 * width) return text
  const missing = width - Array.from(text).length
  if (missing <= 0) return text
  if (minus) return text + ' '.repeat(missing)
  return (zero ? '0' : ' ').repeat(missing) + text
}

function padWithSpaces(text: string, flags: FormatFlags): string {
  return pad(text, { ...flags, zero: false })
}

const INTEGER_VERBS = 'dboOxXcqU'
const FLOAT_VERBS = 'gGeEfF'

/**
 * A whole number of the data goes with the verbs of both kinds, and any with `%s`; it prints as
 * JSON spells it.
 */
function formatNumber(
  number: GoNumber,
  verb: string,
  flags: FormatFlags,
  budget: StepBudget,
): string {
  const { kind, whole, spelling } = number
  if (flags.precision !== null) spendDigits(number.float, budget)
  if (spelling !== null && (verb === 'v' || verb === 's')) {
    // A precision asks for so many digits.
    return flags.precision === null
      ? formatSpelling(spelling, flags)
      : formatDouble(number.float, 'v', flags)
  }
  const isWhole = whole !== null
  if (isWhole && INTEGER_VERBS.includes(verb)) return formatInteger(whole, verb, flags)
  if (isWhole && verb === 'v') {
    const isHex = kind === 'uint8' && flags.goSyntax
    return formatInteger(whole, isHex ? 'x' : 'd', { ...flags, sharp: isHex })
  }
  if (kind === 'float64' || kind === 'complex128') {
    if (kind === 'float64' ? FLOAT_VERBS.includes(verb) || 'vxXb'.includes(verb) : false) {
      return formatDouble(number.float, verb, flags)
    }
    if (kind === 'complex128' && `${FLOAT_VERBS}vxXb`.includes(verb)) {
      const real = formatDouble(number.float, verb, flags)
      return `(${real}${formatDouble(number.imaginary, verb, { ...flags, plus: true })}i)`
    }
  }
  return badVerb(number, verb, flags, budget)
}

/** A precision needs the exact digits, of which a tiny or huge number has hundreds. */
function spendDigits(value: number, budget: StepBudget): void {
  const exponent = Number(value.toExponential(0).split('e')[1] ?? 0)
  spend(budget, Math.floor(Math.abs(exponent) / EXPONENT_PER_STEP))
}

/** Some 2 us. */
const EXPONENT_PER_STEP = 10

function formatSpelling(spelling: string, flags: FormatFlags): string {
  const isNegative = spelling.startsWith('-')
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  return padNumber(sign, isNegative ? spelling.slice(1) : spelling, flags)
}

/** The sign stands before the zeros. */
function padNumber(sign: string, digits: string, flags: FormatFlags): string {
  if (!flags.zero || flags.minus || flags.width === null) return pad(sign + digits, flags)
  return sign + digits.padStart(flags.width - sign.length, '0')
}

const BASES: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 }

function formatInteger(value: bigint, verb: string, flags: FormatFlags): string {
  if (verb === 'c') return pad(characterOf(value), flags)
  if (verb === 'q') return pad(quote(characterOf(value), "'", flags.plus), flags)
  if (verb === 'U') return formatCodePoint(value, flags)
  const isNegative = value < 0n
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  if (flags.precision === 0 && value === 0n) return padWithSpaces('', flags)
  let digits = (isNegative ? -value : value).toString(BASES[verb])
  if (flags.precision !== null) digits = digits.padStart(flags.precision, '0')
  else if (flags.zero && !flags.minus && flags.width !== null) {
    digits = digits.padStart(flags.width - sign.length, '0')
  }
  if (verb === 'X') digits = digits.toUpperCase()
  return padWithSpaces(sign + prefixOf(verb, digits, flags) + digits, flags)
}

function prefixOf(verb: string, digits: string, { sharp }: FormatFlags): string {
  const octal = sharp && (verb === 'o' || verb === 'O') && !digits.startsWith('0') ? '0' : ''
  if (verb === 'O') return `0o${octal}`
  if (!sharp) return ''
  if (verb === 'b') return '0b'
  if (verb === 'x' || verb === 'X') return `0${verb}`
  return octal
}

function characterOf(value: bigint): string {
  const isCharacter = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn)
  return isCharacter ? String.fromCodePoint(Number(value)) : '\ufffd'
}

function formatCodePoint(value: bigint, flags: FormatFlags): string {
  const code = BigInt.asUintN(64, value)
  const digits = code.toString(16).toUpperCase()
  const character = code <= 0x10ffffn ? characterOf(code) : ''
  const shown = flags.sharp && isPrintable(character) ? ` '${character}'` : ''
  const wanted = Math.max(flags.precision ?? 4, 4)
  return padWithSpaces(`U+${digits.padStart(wanted, '0')}${shown}`, flags)
}

/** The decimals that a verb writes where no precision says. */
const DEFAULT_PLACES: Readonly<Record<string, number>> = { e: 6, f: 6 }

function formatDouble(value: number, verb: string, flags: FormatFlags): string {
  const format = verb === 'v' ? 'g' : verb.toLowerCase()
  const precision = flags.precision ?? DEFAULT_PLACES[format] ?? null
  const text = formatFloat(value, format, precision)
  const isNegative = text.startsWith('-')
  let digits = text.replace(/^[+-]/, '')
  if (!Number.isFinite(value)) return formatNotFinite(digits, isNegative, flags)
  if (flags.sharp && format !== 'b') digits = withPoint(digits, verb, precision)
  if (verb === 'E' || verb === 'G' || verb === 'X') digits = digits.toUpperCase()
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  return padNumber(sign, digits, flags)
}

function formatNotFinite(digits: string, isNegative: boolean, flags: FormatFlags): string {
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  const shown = digits === 'Inf' && sign === '' ? '+Inf' : sign + digits
  return padWithSpaces(shown, flags)
}

/** `#`: the decimal point is always there, and `%g` keeps its zeros. */
function withPoint(text: string, verb: string, precision: number | null): string {
  const tailAt = text.search(verb === 'x' || verb === 'X' ? /p/ : /[ep]/)
  const head = tailAt === -1 ? text : text.slice(0, tailAt)
  const tail = tailAt === -1 ? '' : text.slice(tailAt)
  const isPointed = head.includes('.')
  const significant = head.replace('.', '').replace(/^0+/, '').length
  const wanted = 'vgGx'.includes(verb) ? (precision ?? 6) : 0
  const lone = !isPointed && head === '0' ? 1 : 0
  const zeros = Math.max(wanted - significant - lone, 0)
  return `${head}${isPointed ? '' : '.'}${'0'.repeat(zeros)}${tail}`
}
