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
import {
  endOfShortString,
  readLongString,
  readScalar,
  STEP_CHARACTERS,
  stringOf,
  unexpected,
} from './json-scalars.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace } from './raw-json.ts'

/**
 * Members of one object. Listing 100,000 of them takes 15 to 45 ms, which can't be divided into
 * steps.
 */
export const CROWDED_MEMBERS = 20_000
/** Values and names parsed in one step, which takes 3 ms. */
const STEP_VALUES = 4_000

const COLON = 0x3a
const COMMA = 0x2c

interface ContainerTraits {
  readonly isUnread: boolean
  /** Whether members and first elements alone lead to it. */
  readonly isOuter: boolean
}

type Container = ContainerTraits &
  (
    | { readonly kind: 'array'; readonly value: unknown[] }
    | {
        readonly kind: 'object'
        readonly value: Record<string, unknown>
        name: string
        members: number
      }
  )

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

/** What stands in the place of a value that was checked and not built. Nobody knows what it is. */
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
  /**
   * Strings, objects, arrays and large numbers that are built. In the place of each further one is
   * `UNREAD`, unless members and first elements alone lead to it: of those there are a fifth more.
   */
  cutAt?: number
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
/** The part of `cutAt` up to which values are built that members and first elements lead to. */
const OUTER_PART = 1.2
/** The value of each array that is not built. */
const NO_ITEMS: never[] = []

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
  const isCut = createCut(rules)
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
      else if (unreadFrom === Infinity && isCut(open.at(-1))) unreadFrom = open.length
      const container = containerOf(code, open.at(-1), unreadFrom !== Infinity)
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
      if (unreadFrom === Infinity && isOnHeap(value) && isCut(open.at(-1))) value = UNREAD
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

function containerOf(code: number, parent: Container | undefined, isUnread: boolean): Container {
  const isOuter = isNextOuter(parent)
  if (code === OPEN_ARRAY)
    return { kind: 'array', value: isUnread ? NO_ITEMS : [], isUnread, isOuter }
  const value = isUnread ? UNREAD : {}
  return { kind: 'object', value, isUnread, isOuter, name: '', members: 0 }
}

/** Whether members and first elements alone lead to the next value in a container. */
function isNextOuter(parent: Container | undefined): boolean {
  if (parent === undefined) return true
  return parent.isOuter && (parent.kind === 'object' || parent.value.length === 0)
}

/** Counts what is built, each time that it answers false. */
function createCut({ cutAt = Infinity }: ParseRules): (parent: Container | undefined) => boolean {
  let count = 0
  return (parent) => {
    const isOver = count >= cutAt && (count >= cutAt * OUTER_PART || !isNextOuter(parent))
    if (!isOver) count += 1
    return isOver
  }
}

/** All but small integers, true, false and null is an object of V8's heap. */
function isOnHeap(value: unknown): boolean {
  if (typeof value === 'number') return (value | 0) !== value
  return typeof value !== 'boolean' && value !== null
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
