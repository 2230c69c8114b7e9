/**
 * Finds an e-mail address in texts of any kind: JSON, form fields, URLs, HTML. It counts in any
 * case, spelled with JSON's escapes or percent-encoded, also where the one is inside the other, and
 * only as a whole: `jo.ann@example.com` and `ann@example.com.au` are no references to
 * `ann@example.com`.
 *
 * The time is linear in the text. A long text is read in slices, and a caller who runs the steps
 * one by one can let others have their turn in between. What is encoded otherwise (base64,
 * compressed, HTML entities) is not found.
 */
import { atOnce } from './at-once.ts'

/** What one step reads: at most 5 ms of a text that consists of escapes. */
const SLICE = 24 * 1024
/**
 * Slices overlap by so much. The longest spelling of the longest address is shorter: 254 characters
 * of at most 16 (`\\\\\\\\u0025`, and two digits more).
 */
const OVERLAP = 8 * 1024
/**
 * So close to where a slice is cut, nobody can tell what goes on: the neighbouring slice has the
 * same place with what is around it.
 */
const UNCERTAIN = 64
/** An escape may be inside another so many times. */
const MAX_ROUNDS = 4

export interface AddressMatcher {
  /** Whether a text refers to the address. */
  matches(text: string): boolean
  /** The same in small pieces of work; the value returned is the answer. */
  steps(text: string): Generator<undefined, boolean>
}

/** A part of a text that is in lower case, and maybe decoded. */
interface Slice {
  text: string
  isFirst: boolean
  isLast: boolean
}

/** @param address in lower case */
export function createAddressMatcher(address: string): AddressMatcher {
  /** A `%` of the address itself may be taken for an escape: then each round is looked into. */
  const looksAlike = address.includes('%')

  function isIn(slice: Slice): boolean {
    let { text } = slice
    let unchanged = 0
    for (let round = 0; round < MAX_ROUNDS * DECODERS.length; round += 1) {
      if (looksAlike && containsWhole({ ...slice, text }, address)) return true
      const decoded = (DECODERS[round % DECODERS.length] as (typeof DECODERS)[number])(text)
      unchanged = decoded === text ? unchanged + 1 : 0
      if (unchanged === DECODERS.length) break
      text = decoded
    }
    return containsWhole({ ...slice, text }, address)
  }

  function* steps(text: string): Generator<undefined, boolean> {
    if (!mayRefer(text)) return false
    for (let from = 0; ; from += SLICE) {
      const isLast = from + SLICE + OVERLAP >= text.length
      const part = lowerCase(text.slice(from, from + SLICE + OVERLAP))
      if (isIn({ text: part, isFirst: from === 0, isLast })) return true
      if (isLast) return false
      yield
    }
  }

  return {
    steps,
    matches: (text) => atOnce(steps(text)),
  }
}

/** An address has an @, as it is or as an escape. */
function mayRefer(text: string): boolean {
  return text.includes('@') || text.includes('%') || text.includes('\\')
}

/**
 * In lower case, each character in its place. The dotted I and the Kelvin sign have a lower case
 * that is longer, or an ASCII letter.
 */
function lowerCase(text: string): string {
  return text.replaceAll(/[\u0130\u212a]/g, '\ufffd').toLowerCase()
}

const JSON_ESCAPE = /\\(?:u([0-9a-f]{4})|([^u]))/g
const PERCENT_ESCAPE = /%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/g
/** What JSON writes with a letter is space of some kind. */
const SPACES = 'bfnrt'

/** One round takes off one layer of each. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) => (text.includes('\\') ? text.replaceAll(JSON_ESCAPE, jsonDecoded) : text),
  (text) => (text.includes('%') ? text.replaceAll(PERCENT_ESCAPE, percentDecoded) : text),
]

function jsonDecoded(escape: string, hex: string | undefined, character: string): string {
  if (hex !== undefined) return characterOf(hex)
  if ('\\/"'.includes(character)) return character
  return SPACES.includes(character) ? ' ' : escape
}

function characterOf(hex: string): string {
  return lowerCase(String.fromCharCode(Number.parseInt(hex, 16)))
}

function percentDecoded(escape: string): string {
  // Below 0x80 a byte is a character.
  if (escape.charAt(1) < '8') return characterOf(escape.slice(1))
  try {
    return lowerCase(decodeURIComponent(escape))
  } catch {
    return '\ufffd'
  }
}

/** Whether the address is there and is not a part of a longer one. */
function containsWhole({ text, isFirst, isLast }: Slice, address: string): boolean {
  const local = address.indexOf('@')
  // Neither part has an @ of its own, so no character is compared more than twice.
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const from = at - local
    const end = from + address.length
    if (from < 0 || !text.startsWith(address, from)) continue
    const isCertain = (isFirst || from >= UNCERTAIN) && (isLast || end <= text.length - UNCERTAIN)
    if (isCertain && !goesOnBefore(text, from) && !goesOnAfter(text, end)) return true
  }
  return false
}

/** Letters, digits and marks of any script, and what joins the parts of a name. */
const OF_A_NAME = /[\p{L}\p{N}\p{M}\ufffd_+-]/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}\ufffd]/u
/** These belong to a name only where a name goes on before them: else they are punctuation. */
const INSIDE_A_NAME = ".'!$%^~*"

function goesOnBefore(text: string, from: number): boolean {
  const before = text.charAt(from - 1)
  if (OF_A_NAME.test(before)) return true
  return INSIDE_A_NAME.includes(before) && OF_A_NAME.test(text.charAt(from - 2))
}

/** A full stop or a dash is part of a domain where letters follow it. */
function goesOnAfter(text: string, end: number): boolean {
  const after = text.charAt(end)
  if (LETTER_OR_DIGIT.test(after)) return true
  return (after === '.' || after === '-') && LETTER_OR_DIGIT.test(text.charAt(end + 1))
}
