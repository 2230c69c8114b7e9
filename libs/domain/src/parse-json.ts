/**
 * JSON.parse for text from outside, whose names may be written with escapes.
 *
 * V8 13 and 14 read such a name wrongly once another text has had an object with the same first
 * names and then one that begins with a backslash: after `{"id":1,"\\u":1}` the name in
 * `{"id":1,"\u00e9":1}` is read as `\u` (nodejs/node#63785). What one tenant sends would change
 * what the filters and schemas of another find. So text with escaped names is parsed by
 * `json-in-steps.ts`, which takes twice as long; all other text by JSON.parse.
 */
import { atOnce } from './at-once.ts'
import { isQuickInSteps } from './is-quick.ts'
import { parseInSteps } from './json-in-steps.ts'
import { closingQuote, skipSpace } from './raw-json.ts'

const COLON = 0x3a
/** Looking for the end of a string with escaped quotes takes some 2 ms. */
const STEP_CHARACTERS = 128 * 1024
/**
 * Strings, objects, arrays and large numbers of a large text that are built. As long as they are
 * needed the collector copies them: 340,000 arrays, which are 1 MiB, take it 15 to 40 ms at a time,
 * and 25,000 up to 7. A megabyte has more of them where each has fewer than 40 characters with its
 * name.
 */
export const MAX_BUILT = 25_000
/** JSON.parse takes 6 ms for a shorter text at most. */
export const SMALL_CHARACTERS = 32 * 1024

/** @throws SyntaxError as JSON.parse does */
export function parseJson(text: string): unknown {
  return hasEscapedNames(text) ? atOnce(parseInSteps(text)) : JSON.parse(text)
}

/**
 * The same for a large text: what would take JSON.parse too long is parsed in steps. Where it has
 * more than `MAX_BUILT` values, `UNREAD` stands for those beyond, unless only members and first
 * elements lead to them.
 *
 * @throws SyntaxError as JSON.parse does
 */
export function* parseJsonInSteps(text: string): Generator<undefined, unknown, undefined> {
  if (!(yield* isForJsonParse(text))) return yield* parseInSteps(text, { cutAt: MAX_BUILT })
  // It may take 20 ms, and what was looked through before 4 ms.
  if (text.length > SMALL_CHARACTERS) yield
  return JSON.parse(text)
}

/** Whether JSON.parse takes little enough time for this text, and reads it rightly. */
export function* isForJsonParse(text: string): Generator<undefined, boolean, undefined> {
  return (yield* isQuickInSteps(text)) && !(yield* hasEscapedNamesInSteps(text))
}

/** Whether the name of a member is written with an escape. */
export function hasEscapedNames(text: string): boolean {
  // Most texts have no backslash at all.
  return text.includes('\\') && atOnce(hasEscapedNamesInSteps(text))
}

/** The same for a large text. */
export function* hasEscapedNamesInSteps(text: string): Generator<undefined, boolean, undefined> {
  let end = STEP_CHARACTERS
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    at = closingQuote(text, at, end)
    while (at >= end) {
      if (at >= text.length) return false
      yield
      end = at + STEP_CHARACTERS
      at = closingQuote(text, at, end)
    }
    at = skipSpace(text, at + 1)
    if (text.charCodeAt(at) === COLON) return true
  }
  return false
}
