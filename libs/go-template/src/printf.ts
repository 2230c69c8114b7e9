/** `printf`, `print` and `println`, as Go's `fmt` does them. */
import { type StepBudget, spend } from '@posthorn/domain/step-budget'
import { type FormatFlags, formatValue, NO_FLAGS } from './format-value.ts'
import { asIndex, isGoNumber } from './numbers.ts'
import { type GoValue, RenderFailure, spendText, typeName } from './values.ts'

/** What Go complains about in the text. */
const MAX_GO_WIDTH = 1_000_000
/** What is less but would still make a megabyte of a few letters fails. */
const MAX_WIDTH = 1_000

/** A space stands between two values that are no texts. */
export function print(values: readonly GoValue[], budget: StepBudget): string {
  let text = ''
  let isAfterText = true
  for (const value of values) {
    const isText = typeof value === 'string'
    if (!isText && !isAfterText) text += ' '
    text += formatValue(value, 'v', NO_FLAGS, budget)
    isAfterText = isText
  }
  return text
}

export function println(values: readonly GoValue[], budget: StepBudget): string {
  return `${values.map((value) => formatValue(value, 'v', NO_FLAGS, budget)).join(' ')}\n`
}

interface FormatReader {
  format: string
  at: number
  /** Where the last `]` stands: behind it none is looked for. */
  lastBracket: number
  values: readonly GoValue[]
  /** The next value. */
  next: number
  /** A value was named by its number. */
  reordered: boolean
  /** The number of a value, as in `%[3]d`, is one that there is. */
  isGoodIndex: boolean
}

export function printf(format: string, values: readonly GoValue[], budget: StepBudget): string {
  spendText(budget, format)
  const reader: FormatReader = {
    format,
    at: 0,
    lastBracket: format.lastIndexOf(']'),
    values,
    next: 0,
    reordered: false,
    isGoodIndex: true,
  }
  let text = ''
  while (reader.at < format.length) {
    spend(budget, 1)
    const percent = format.indexOf('%', reader.at)
    const end = percent === -1 ? format.length : percent
    text += format.slice(reader.at, end)
    reader.at = end
    if (percent !== -1) text += formatNext(reader, budget)
    refuseLong(text)
  }
  if (!reader.reordered && reader.next < values.length) text += extraValues(reader, budget)
  return text
}

/** More than any output may have. */
const MAX_CHARACTERS = 64 * 1024

function refuseLong(text: string): void {
  if (text.length > MAX_CHARACTERS) throw new RenderFailure('printf makes too long a text')
}

/** One verb with its flags, from its percent sign on. */
function formatNext(reader: FormatReader, budget: StepBudget): string {
  reader.at++
  reader.isGoodIndex = true
  const flags = readFlags(reader)
  const simple = reader.format[reader.at]
  if (simple !== undefined && /[a-z]/.test(simple) && reader.next < reader.values.length) {
    reader.at++
    return formatWith(reader, simple, flags, budget)
  }
  let complaint = ''
  let afterIndex = readIndex(reader)
  if (reader.format[reader.at] === '*') {
    reader.at++
    const width = takeNumber(reader)
    if (width === null) complaint += '%!(BADWIDTH)'
    else Object.assign(flags, widthFlags(width, flags))
    afterIndex = false
  } else {
    flags.width = readNumber(reader)
    if (afterIndex && flags.width !== null) reader.isGoodIndex = false
  }
  if (reader.format[reader.at] === '.' && reader.at + 1 < reader.format.length) {
    reader.at++
    if (afterIndex) reader.isGoodIndex = false
    afterIndex = readIndex(reader)
    if (reader.format[reader.at] === '*') {
      reader.at++
      const precision = takeNumber(reader)
      flags.precision = precision !== null && precision >= 0 ? precision : null
      if (flags.precision === null) complaint += '%!(BADPREC)'
      afterIndex = false
    } else {
      flags.precision = readNumber(reader) ?? 0
    }
  }
  if (!afterIndex) readIndex(reader)
  refuseWide(flags)
  return complaint + formatVerb(reader, flags, budget)
}

function formatVerb(reader: FormatReader, flags: FormatFlags, budget: StepBudget): string {
  const { format, at } = reader
  if (at >= format.length) return '%!(NOVERB)'
  const verb = String.fromCodePoint(format.codePointAt(at) as number)
  reader.at += verb.length
  if (verb === '%') return '%'
  if (!reader.isGoodIndex) return `%!${verb}(BADINDEX)`
  if (reader.next >= reader.values.length) return `%!${verb}(MISSING)`
  return formatWith(reader, verb, flags, budget)
}

function formatWith(
  reader: FormatReader,
  verb: string,
  flags: FormatFlags,
  budget: StepBudget,
): string {
  if (verb === 'v') {
    flags.goSyntax = flags.sharp
    flags.sharp = false
    flags.plus = false
  }
  return formatValue(reader.values[reader.next++], verb, flags, budget)
}

const FLAG_NAMES = { '#': 'sharp', '0': 'zero', '+': 'plus', '-': 'minus', ' ': 'space' } as const

function readFlags(reader: FormatReader): FormatFlags {
  const flags = { ...NO_FLAGS }
  for (;;) {
    const name = FLAG_NAMES[reader.format[reader.at] as keyof typeof FLAG_NAMES]
    if (name === undefined) return flags
    flags[name] = true
    reader.at++
  }
}

/** A negative width means a width to the left. */
function widthFlags(width: number, { minus, zero }: FormatFlags): Partial<FormatFlags> {
  if (width >= 0) return { width, minus, zero }
  return { width: -width, minus: true, zero: false }
}

function refuseWide({ width, precision }: FormatFlags): void {
  if ((width ?? 0) <= MAX_WIDTH && (precision ?? 0) <= MAX_WIDTH) return
  throw new RenderFailure(`printf takes a width or precision of at most ${MAX_WIDTH}`)
}

function readNumber(reader: FormatReader): number | null {
  const digits = /^\d+/.exec(reader.format.slice(reader.at, reader.at + 20))?.[0]
  if (digits === undefined) return null
  reader.at += digits.length
  return Number(digits)
}

/** A width or precision that is the next value. */
function takeNumber(reader: FormatReader): number | null {
  if (reader.next >= reader.values.length) return null
  const value = reader.values[reader.next++]
  const number = isGoNumber(value) ? asIndex(value) : null
  return number !== null && Math.abs(number) <= MAX_GO_WIDTH ? number : null
}

/** `[3]`: the third value is next. @returns whether there was such a number */
function readIndex(reader: FormatReader): boolean {
  const { format, at, values } = reader
  if (format[at] !== '[') return false
  reader.reordered = true
  const end = at > reader.lastBracket ? -1 : format.indexOf(']', at)
  const digits = end === -1 ? '' : format.slice(at + 1, end)
  reader.at = end === -1 ? at + 1 : end + 1
  const isNumber = /^\d{1,7}$/.test(digits)
  const index = Number(digits) - 1
  if (isNumber && index >= 0 && index < values.length) {
    reader.next = index
    return true
  }
  reader.isGoodIndex = false
  return isNumber
}

function extraValues(reader: FormatReader, budget: StepBudget): string {
  const extra = reader.values.slice(reader.next).map((value) => {
    if (value === undefined || value === null) return '<nil>'
    return `${typeName(value)}=${formatValue(value, 'v', NO_FLAGS, budget)}`
  })
  return `%!(EXTRA ${extra.join(', ')})`
}
