/**
 * JSON.parse for texts that would block a thread for too long: the same values, produced a piece at
 * a time. JSON.parse takes up to 0.9 us for each string and each object, so a megabyte of small
 * ones blocks an event loop for 80 ms, while a megabyte of long strings takes 2 ms. `is-quick.ts`
 * tells the two apart. For the slow ones a caller runs the steps and yields to the event loop in
 * between, which is three to five times slower in all.
 *
 * It accepts and refuses what JSON.parse does, unless rules bound the nesting or the values too.
 */
import { MAX_NESTING } from './nesting.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace } from './raw-json.ts'

/**
 * Members of one object. Listing 100,000 of them takes 15 to 45 ms, which can't be divided into
 * steps.
 */
export const CROWDED_MEMBERS = 20_000
/** Values and names parsed in one step, which takes 3 ms. */
const STEP_VALUES = 4_000
/**
 * The most characters of one step, and a longer string is read in several: 2 ms each where all of
 * them are escapes.
 */
const STEP_CHARACTERS = 256 * 1024

const BACKSLASH = 0x5c
const LETTER_U = 0x75
const COLON = 0x3a
const COMMA = 0x2c
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERALS: readonly [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
/** A string with an escape, or with a control character that it may not contain. */
const NOT_PLAIN = /[\\\p{Cc}]/u

type Container =
  | { readonly kind: 'array'; readonly value: unknown[]; readonly isUnread: boolean }
  | {
      readonly kind: 'object'
      readonly value: Record<string, unknown>
      readonly isUnread: boolean
      name: string
      members: number
    }

/** An object or array that has not ended yet; the name of an object is that of its last member. */
export type OpenContainer = Readonly<Container>

const crowded = new WeakSet<object>()

/**
 * Whether an object was found, while it was parsed in steps, to have too many members to be listed
 * at once.
 */
export function isCrowded(value: object): boolean {
  return crowded.has(value)
}

/** What stands in the place of a value that was checked and not built. */
export const UNREAD: Readonly<Record<string, never>> = Object.freeze({})

/** What a text is parsed by, beyond JSON itself. */
export interface ParseRules {
  /**
   * Whether nobody reads the object that opens now, in the last of `open`. It is checked like any
   * other, and `UNREAD` is put in its place. Asked for the outermost levels alone.
   */
  isUnread?(open: readonly OpenContainer[]): boolean
  /**
   * Called when an object or array opens at a level beyond `MAX_NESTING`, the last of `open` being
   * the one that holds it; it throws where that is too deep.
   */
  onDeep?(open: readonly OpenContainer[]): void
  /** Objects, arrays and scalars that are built; beyond them `onTooMany` throws. */
  maxBuilt?: number
  /**
   * Members of one object that is built, looked at after each step: as an object grows its members
   * are moved all at once, and whoever lists them can't do so in steps.
   */
  maxMembers?: number
  onTooMany?(open: readonly OpenContainer[]): never
  /** What a number becomes, by its spelling. Default: a number. */
  numberOf?(spelling: string): unknown
}

/** The value as far as it was built, when a rule stops the parsing: its last parts are missing. */
export function builtSoFar(open: readonly OpenContainer[]): unknown {
  for (const [level, container] of open.entries()) {
    const inner = open[level + 1]
    if (inner !== undefined) add(container, inner.value)
  }
  return open[0]?.value
}

/** Levels at which `isUnread` is asked. */
const ASKED_LEVELS = 3

/**
 * @returns the value, with the last of its steps
 * @throws SyntaxError as JSON.parse does
 */
export function* parseInSteps(
  text: string,
  rules: ParseRules = {},
): Generator<undefined, unknown, undefined> {
  const open: Container[] = []
  const { maxBuilt = Infinity, maxMembers = Infinity, numberOf = Number } = rules
  /** The length of `open` at which a value began that is not built. */
  let unreadFrom = Infinity
  let built = 0
  let at = skipSpace(text, 0)
  let stepFrom = 0
  for (let values = 1; ; values += 1) {
    if (values % STEP_VALUES === 0 || at - stepFrom >= STEP_CHARACTERS) {
      if (open.some((one) => isOver(one, maxMembers))) rules.onTooMany?.(open)
      yield
      stepFrom = at
    }
    const code = text.charCodeAt(at)
    let value: unknown
    if (unreadFrom === Infinity && ++built > maxBuilt) rules.onTooMany?.(open)
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (open.length >= MAX_NESTING) rules.onDeep?.(open)
      const isAsked = code === OPEN_OBJECT && unreadFrom === Infinity && open.length <= ASKED_LEVELS
      if (isAsked && rules.isUnread?.(open) === true) unreadFrom = open.length
      const container = containerOf(code, unreadFrom !== Infinity)
      at = skipSpace(text, at + 1)
      if (text.charCodeAt(at) !== closeOf(container)) {
        open.push(container)
        at = readName(text, at, container)
        if (at < 0) at = yield* readLongName(text, ~at, container)
        continue
      }
      value = container.value
      at += 1
    } else {
      const scalar = readScalar(text, at, code, numberOf) ?? (yield* readLongString(text, at))
      value = scalar.value
      at = scalar.end
    }
    // The value is complete. It may complete the containers around it as well.
    for (;;) {
      const parent = open.at(-1)
      if (open.length === unreadFrom) {
        unreadFrom = Infinity
        value = UNREAD
      }
      at = skipSpace(text, at)
      if (parent === undefined) {
        if (at < text.length) throw unexpected(text, at)
        return value
      }
      add(parent, value)
      const next = text.charCodeAt(at)
      if (next === COMMA) {
        at = readName(text, skipSpace(text, at + 1), parent)
        if (at < 0) at = yield* readLongName(text, ~at, parent)
        break
      }
      if (next !== closeOf(parent)) throw unexpected(text, at)
      at += 1
      open.pop()
      value = parent.value
      values += 1
    }
  }
}

function containerOf(code: number, isUnread: boolean): Container {
  if (code === OPEN_ARRAY) return { kind: 'array', value: [], isUnread }
  return { kind: 'object', value: {}, name: '', members: 0, isUnread }
}

function isOver(container: Container, maxMembers: number): boolean {
  return container.kind === 'object' && !container.isUnread && container.members > maxMembers
}

function closeOf({ kind }: Container): number {
  return kind === 'array' ? CLOSE_ARRAY : CLOSE_OBJECT
}

function add(parent: OpenContainer, value: unknown): void {
  if (parent.isUnread) return
  if (parent.kind === 'array') parent.value.push(value)
  else if (parent.name === '__proto__') {
    // An assignment would set the object's prototype.
    Object.defineProperty(parent.value, parent.name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  } else parent.value[parent.name] = value
}

/**
 * @returns where the value begins; in an object that is after its name. `~at` where the name is
 *   long.
 */
function readName(text: string, at: number, container: Container): number {
  if (container.kind === 'array') return at
  if (text.charCodeAt(at) !== QUOTE) throw unexpected(text, at)
  const end = endOfShortString(text, at)
  return end === -1 ? ~at : setName(text, container, stringOf(text, at, end), end)
}

function* readLongName(
  text: string,
  at: number,
  container: Container,
): Generator<undefined, number, undefined> {
  const { value, end } = yield* readLongString(text, at)
  return setName(text, container, value, end)
}

/** @returns where the value begins */
function setName(text: string, container: Container, name: string, end: number): number {
  if (container.kind === 'array') return end
  container.name = name
  container.members += 1
  if (container.members === CROWDED_MEMBERS && !container.isUnread) crowded.add(container.value)
  const colon = skipSpace(text, end)
  if (text.charCodeAt(colon) !== COLON) throw unexpected(text, colon)
  return skipSpace(text, colon + 1)
}

/** @returns null where it is a long string */
function readScalar(
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
function endOfShortString(text: string, at: number): number {
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

function stringOf(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1)
  return NOT_PLAIN.test(inner) ? (JSON.parse(text.slice(start, end)) as string) : inner
}

function* readLongString(
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

function unexpected(text: string, at: number): SyntaxError {
  const what = at < text.length ? `character ${at + 1}` : 'end'
  return new SyntaxError(`unexpected ${what} of the JSON text`)
}
