/**
 * Finds where the members of a JSON object stand in its text, so that a payload can be stored and
 * delivered as the bytes that were sent: key order, number spelling and escapes included
 * (JSON.parse loses all three).
 *
 * JSON.parse must have accepted the text before: nothing is checked here.
 */
export interface Slice {
  start: number
  end: number
}

export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c

/**
 * The last member called `name` of the object that starts at or after `from`, as JSON.parse takes
 * the last one too.
 */
export function memberSlice(text: string, name: string, from = 0): Slice | null {
  let at = skipSpace(text, from)
  if (text.charCodeAt(at) !== OPEN_OBJECT) return null
  let found: Slice | null = null
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfString(text, at)
    const isIt = keyIs(text, at, keyEnd, name)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, start)
    if (isIt) found = { start, end }
    at = skipSpace(text, end)
    if (text.charCodeAt(at) !== COMMA) break
    at = skipSpace(text, at + 1)
  }
  return found
}

/** As `memberSlice`, in steps of some 2 ms. */
export function* memberSliceInSteps(
  text: string,
  name: string,
  from = 0,
): Generator<undefined, Slice | null, undefined> {
  const steps: Steps = { until: from + STEP_CHARACTERS }
  const { slice } = yield* memberOfElement(text, skipSpace(text, from), name, steps)
  return slice
}

/**
 * Where the member called `member` stands in each element of the array that is the last member
 * called `name` of the text's object; null for an element without one. In steps of some 2 ms,
 * whatever it is that is large: one element, or many.
 */
export function* memberSlices(
  text: string,
  name: string,
  member: string,
): Generator<undefined, (Slice | null)[], undefined> {
  const steps: Steps = { until: STEP_CHARACTERS }
  let slices: (Slice | null)[] = []
  let at = skipSpace(text, skipSpace(text, 0) + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = yield* endOfStringInSteps(text, at, steps)
    const isIt = keyIs(text, at, keyEnd, name)
    at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    if (isIt) slices = []
    if (isIt && text.charCodeAt(at) === OPEN_ARRAY) {
      at = skipSpace(text, at + 1)
      while (text.charCodeAt(at) !== CLOSE_ARRAY) {
        const element = yield* memberOfElement(text, at, member, steps)
        slices.push(element.slice)
        at = skipSpace(text, element.end)
        if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
      }
      at += 1
    } else at = yield* endInSteps(text, at, steps)
    at = skipSpace(text, at)
    if (text.charCodeAt(at) !== COMMA) break
    at = skipSpace(text, at + 1)
  }
  return slices
}

/** The last member called `name` of the value that starts at `from`, and where that value ends. */
function* memberOfElement(
  text: string,
  from: number,
  name: string,
  steps: Steps,
): Generator<undefined, { slice: Slice | null; end: number }, undefined> {
  if (text.charCodeAt(from) !== OPEN_OBJECT)
    return { slice: null, end: yield* endInSteps(text, from, steps) }
  let slice: Slice | null = null
  let at = skipSpace(text, from + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = yield* endOfStringInSteps(text, at, steps)
    const isIt = keyIs(text, at, keyEnd, name)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = yield* endInSteps(text, start, steps)
    if (isIt) slice = { start, end }
    at = skipSpace(text, end)
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
  }
  return { slice, end: at + 1 }
}

function keyIs(text: string, start: number, end: number, name: string): boolean {
  // A character takes six at most, as an escape.
  if (end - start > 6 * name.length + 2) return false
  const spelled = text.slice(start, end)
  if (spelled.includes('\\')) return JSON.parse(spelled) === name
  return spelled.length === name.length + 2 && spelled.startsWith(name, 1)
}

const SPACE = /[ \n\r\t]*/y
/** A longer run is left to a pattern, which is ten times as quick but takes a while to begin. */
const FEW_SPACES = 32

/** Where the white space ends that begins at `from`. */
export function skipSpace(text: string, from: number): number {
  for (let at = from; at < from + FEW_SPACES; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
  }
  SPACE.lastIndex = from + FEW_SPACES
  SPACE.test(text)
  return SPACE.lastIndex
}

/** Backslashes before a quote that are counted at once: there is one, or an even number. */
const FEW_BACKSLASHES = 64

/**
 * Where the string ends whose content goes on at `from`, which no backslash escapes; the text's
 * length where it does not end. `end` or more where that is not known yet: then it goes on from
 * there.
 */
export function closingQuote(text: string, from: number, end: number): number {
  for (let at = from; ; ) {
    const close = text.indexOf('"', at)
    if (close === -1) return text.length
    const backslashes = backslashesBefore(text, close, at)
    if (backslashes < FEW_BACKSLASHES) {
      if (backslashes % 2 === 0) return close
      at = close + 1
    } else {
      while (at < close && at < end) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
      if (at === close) return close
    }
    if (at >= end) return at
  }
}

function backslashesBefore(text: string, quote: number, from: number): number {
  const first = Math.max(from, quote - FEW_BACKSLASHES)
  let at = quote
  while (at > first && text.charCodeAt(at - 1) === BACKSLASH) at -= 1
  return quote - at
}

/** The position after the closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  return closingQuote(text, at + 1, text.length) + 1
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return endOfString(text, from)
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return endOfScalar(text, from)
  const place = { at: from, depth: 0, isInString: false }
  scanValue(text, place, Infinity)
  return place.at
}

/** Some 2 ms. */
const STEP_CHARACTERS = 128 * 1024

/** Where the step ends that is under way: over all values that are read, small ones too. */
interface Steps {
  until: number
}

function* endOfStringInSteps(
  text: string,
  from: number,
  steps: Steps,
): Generator<undefined, number, undefined> {
  let at = closingQuote(text, from + 1, steps.until)
  while (at >= steps.until) {
    yield
    steps.until = at + STEP_CHARACTERS
    at = closingQuote(text, at, steps.until)
  }
  return at + 1
}

function* endInSteps(
  text: string,
  from: number,
  steps: Steps,
): Generator<undefined, number, undefined> {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return yield* endOfStringInSteps(text, from, steps)
  // White space before the value may have been longer than the step.
  if (from >= steps.until) {
    yield
    steps.until = from + STEP_CHARACTERS
  }
  const place = { at: from, depth: 0, isInString: false }
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) place.at = endOfScalar(text, from)
  else {
    while (!scanValue(text, place, steps.until)) {
      yield
      steps.until = place.at + STEP_CHARACTERS
    }
  }
  return place.at
}

interface Place {
  at: number
  depth: number
  isInString: boolean
}

/** @returns whether the object or array has ended; if not, the next call continues at `place` */
function scanValue(text: string, place: Place, until: number): boolean {
  let { at, depth } = place
  if (place.isInString) {
    at = closingQuote(text, at, until)
    place.isInString = at >= until
    if (!place.isInString) at += 1
  }
  while (at < until) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = closingQuote(text, at + 1, until)
      place.isInString = at >= until
      if (place.isInString) break
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1
    at += 1
    if (depth === 0) break
  }
  place.at = at
  place.depth = depth
  return depth === 0
}

function endOfScalar(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= 0x20) return at
    at += 1
  }
  return at
}
