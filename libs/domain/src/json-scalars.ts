/**
 * Strings, numbers and literals for `json-in-steps.ts`. A long string is read in steps.
 */
import { QUOTE } from './raw-json.ts'

/**
 * The most characters of one step, and a longer string is read in several: 2 ms each where all of
 * them are escapes.
 */
export const STEP_CHARACTERS = 256 * 1024

const BACKSLASH = 0x5c
const LETTER_U = 0x75
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERALS: readonly [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
/** A string with an escape, or with a control character that it may not contain. */
const NOT_PLAIN = /[\\\p{Cc}]/u

/** @returns null where it is a long string */
export function readScalar(
  text: string,
  at: number,
  code: number,
  numberOf: (spelling: string) => unknown,
): { value: unknown; end: number } | null {
  if (code === QUOTE) {
    const end = endOfShortString(text, at)
    return end === -1 ? null : { value: stringOf(text, at, end), end }
  }
  NUMBER.lastIndex = at
  if (NUMBER.test(text)) {
    const end = NUMBER.lastIndex
    return { value: numberOf(text.slice(at, end)), end }
  }
  const literal = LITERALS.find(([word]) => text.startsWith(word, at))
  if (literal === undefined) throw unexpected(text, at)
  return { value: literal[1], end: at + literal[0].length }
}

/** @returns -1 where the string is longer than what one step reads */
export function endOfShortString(text: string, at: number): number {
  const close = text.indexOf('"', at + 1)
  if (close === -1) throw unexpected(text, text.length)
  if (close - at > STEP_CHARACTERS) return -1
  if (text.charCodeAt(close - 1) !== BACKSLASH) return close + 1
  const until = at + STEP_CHARACTERS
  for (let from = at + 1; from < until; ) {
    const code = text.charCodeAt(from)
    if (code === QUOTE) return from + 1
    if (from >= text.length) throw unexpected(text, text.length)
    from += code === BACKSLASH ? 2 : 1
  }
  return -1
}

export function stringOf(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1)
  return NOT_PLAIN.test(inner) ? (JSON.parse(text.slice(start, end)) as string) : inner
}

export function* readLongString(
  text: string,
  start: number,
): Generator<undefined, { value: string; end: number }, undefined> {
  const parts: string[] = []
  for (let from = start + 1; ; ) {
    const until = endOfPart(text, from)
    parts.push(stringOf(`"${text.slice(from, until)}"`, 0, until - from + 2))
    from = until
    if (text.charCodeAt(from) === QUOTE) return { value: parts.join(''), end: from + 1 }
    yield
  }
}

/** The end of what one step reads of a string: no escape is divided. */
function endOfPart(text: string, from: number): number {
  const until = from + STEP_CHARACTERS
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    let next = at + 1
    if (code === BACKSLASH) next = at + (text.charCodeAt(at + 1) === LETTER_U ? 6 : 2)
    if (next > until) return at
    at = next
  }
  throw unexpected(text, text.length)
}

export function unexpected(text: string, at: number): SyntaxError {
  const what = at < text.length ? `character ${at + 1}` : 'end'
  return new SyntaxError(`unexpected ${what} of the JSON text`)
}
