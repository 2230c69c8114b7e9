/**
 * The functions of templates but for `and` and `or`, which don't evaluate all of their arguments.
 */
import type { StepBudget } from '@posthorn/domain/step-budget'
import { isEqualToAny, isLess, isLessOrEqual } from './comparisons.ts'
import { byteLength, bytesOf, isPrintable, stringOf } from './go-strings.ts'
import { asIndex, goInt, isGoNumber, newGoNumber } from './numbers.ts'
import { print, printf, println } from './printf.ts'
import { escapeQuery, hex } from './quoting.ts'
import { toJson } from './to-json.ts'
import {
  describe,
  type GoValue,
  isList,
  isMap,
  isTruthy,
  keysOf,
  RenderFailure,
  spendCharacters,
  spendElements,
  spendText,
  valueOf,
} from './values.ts'

export interface TemplateFunction {
  /** How many arguments it takes. */
  least: number
  most: number
  /** The first argument has to be a text. */
  takesText?: true
  call(args: readonly GoValue[], budget: StepBudget): GoValue
}

const ANY_NUMBER = Number.POSITIVE_INFINITY

function compare(decide: (one: GoValue, other: GoValue) => boolean): TemplateFunction {
  return {
    least: 2,
    most: 2,
    call([one, other], budget) {
      for (const value of [one, other]) if (typeof value === 'string') spendText(budget, value)
      return decide(one, other)
    },
  }
}

function ofText(
  least: number,
  write: (args: readonly GoValue[], budget: StepBudget) => string,
): TemplateFunction {
  return { least, most: ANY_NUMBER, call: write }
}

export const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  eq: {
    least: 1,
    most: ANY_NUMBER,
    call([first, ...others], budget) {
      for (const value of [first, ...others]) {
        if (typeof value === 'string') spendText(budget, value)
      }
      return isEqualToAny(first, others)
    },
  },
  ne: compare((one, other) => !isEqualToAny(one, [other])),
  lt: compare(isLess),
  le: compare(isLessOrEqual),
  gt: compare((one, other) => !isLessOrEqual(one, other)),
  ge: compare((one, other) => !isLess(one, other)),
  not: { least: 1, most: 1, call: ([value]) => !isTruthy(value) },
  len: { least: 1, most: 1, call: ([value], budget) => goInt(lengthOf(value, budget)) },
  index: {
    least: 1,
    most: ANY_NUMBER,
    call: ([value, ...indexes], budget) => elementOf(value, indexes, budget),
  },
  slice: {
    least: 1,
    most: ANY_NUMBER,
    call: ([value, ...indexes], budget) => sliceOf(value, indexes, budget),
  },
  call: {
    least: 1,
    most: ANY_NUMBER,
    call([value]) {
      throw new RenderFailure(`call: ${describe(value)} is no function`)
    },
  },
  print: ofText(0, print),
  println: ofText(0, println),
  printf: {
    ...ofText(1, ([format, ...values], budget) => printf(format as string, values, budget)),
    takesText: true,
  },
  html: ofText(0, (args, budget) => escapeHtml(shown(args, budget))),
  js: ofText(0, (args, budget) => escapeScript(shown(args, budget))),
  urlquery: ofText(0, (args, budget) => escapeQuery(shown(args, budget))),
  json: { least: 1, most: 1, call: ([value], budget) => toJson(value, budget) },
}

/** Those that templates may call. */
export const FUNCTION_NAMES: ReadonlySet<string> = new Set([...Object.keys(FUNCTIONS), 'and', 'or'])

/** What the escaping functions escape; a value that is missing shows as it does in an output. */
function shown(args: readonly GoValue[], budget: StepBudget): string {
  const text = print(
    args.map((value) => value ?? '<no value>'),
    budget,
  )
  spendCharacters(budget, text)
  return text
}

function lengthOf(value: GoValue, budget: StepBudget): number {
  if (typeof value === 'string') {
    spendText(budget, value)
    return byteLength(value)
  }
  if (isList(value)) return value.length
  if (isMap(value)) return keysOf(value, budget).length
  throw new RenderFailure(`len: ${describe(value)} has no length`)
}

function elementOf(from: GoValue, indexes: readonly GoValue[], budget: StepBudget): GoValue {
  let value = from
  if (value === undefined || value === null) throw new RenderFailure('index: there is no value')
  for (const index of indexes) {
    if (isMap(value)) {
      if (typeof index !== 'string') throw new RenderFailure('index: an object needs a text as key')
      value = Object.hasOwn(value, index) ? valueOf(value[index], budget) : null
    } else if (isList(value)) {
      const at = position('index', index, value.length)
      if (at >= value.length) throw outOfRange('index', at)
      value = valueOf(value[at], budget)
    } else if (typeof value === 'string') {
      spendText(budget, value)
      const bytes = bytesOf(value)
      const at = position('index', index, bytes.length)
      if (at >= bytes.length) throw outOfRange('index', at)
      value = newGoNumber('uint8', { whole: BigInt(bytes[at] as number) })
    } else throw new RenderFailure(`index: ${describe(value)} has no elements`)
  }
  return value
}

function position(name: string, index: GoValue, length: number): number {
  const at = isGoNumber(index) ? asIndex(index) : null
  if (at === null) throw new RenderFailure(`${name}: ${describe(index)} is no index`)
  if (at < 0 || at > length) throw outOfRange(name, at)
  return at
}

function outOfRange(name: string, at: number): RenderFailure {
  return new RenderFailure(`${name}: ${at} is out of range`)
}

function sliceOf(from: GoValue, indexes: readonly GoValue[], budget: StepBudget): GoValue {
  const isText = typeof from === 'string'
  if (!isText && !isList(from)) throw new RenderFailure(`slice: can't slice ${describe(from)}`)
  if (indexes.length > (isText ? 2 : 3)) throw new RenderFailure('slice: too many indexes')
  if (isText) spendText(budget, from)
  else spendElements(budget, from.length)
  const source = isText ? bytesOf(from) : from
  const [start = 0, end = source.length, capacity = source.length] = indexes.map((index) =>
    position('slice', index, source.length),
  )
  if (start > end || end > capacity) throw new RenderFailure(`slice: ${start} is behind ${end}`)
  if (!isText) return from.slice(start, end)
  const slice = stringOf(bytesOf(from).subarray(start, end))
  // Where it cuts a character in half, its bytes were looked at one by one.
  spendText(budget, slice)
  return slice
}

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}

function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (character) => HTML[character] as string)
}

function escapeScript(text: string): string {
  return text.replace(/[\\'"<>&=]|[^ -~]/gu, (character) => {
    if (/[\\'"]/.test(character)) return `\\${character}`
    const code = character.codePointAt(0) as number
    // An ASCII character comes here to be escaped, and DEL goes as it is.
    if (code >= 0x7f && (code === 0x7f || isPrintable(character))) return character
    const written = code >= 0xdc80 && code <= 0xdcff ? 0xfffd : code
    return `\\u${hex(written, 4).toUpperCase()}`
  })
}
