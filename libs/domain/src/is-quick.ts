/**
 * Tells the texts that JSON.parse reads quickly from those that `json-in-steps.ts` is for, by how
 * many values they have.
 */
import { atOnce } from './at-once.ts'
import { closingQuote, QUOTE } from './raw-json.ts'

/** Strings, objects and arrays. JSON.parse takes at most 16 ms for 20,000. */
const QUICK_VALUES = 20_000
/** A shorter text can't have more values than that. */
const QUICK_CHARACTERS = QUICK_VALUES * 2
/** What counts as a value here. */
const VALUE = /["[{]/g
/**
 * The end of a string with escaped quotes is found a character at a time: so many take 4 ms in code
 * that is not compiled yet.
 */
const STEP_LOOKED_AT = 128 * 1024

/** Whether JSON.parse takes little enough time for this text. */
export function isQuick(text: string): boolean {
  return atOnce(isQuickInSteps(text))
}

/** The same for a large text. */
export function* isQuickInSteps(text: string): Generator<undefined, boolean, undefined> {
  if (text.length <= QUICK_CHARACTERS) return true
  let end = STEP_LOOKED_AT
  for (let at = 0, values = 0; ; at += 1, values += 1) {
    VALUE.lastIndex = at
    if (!VALUE.test(text)) return true
    if (values >= QUICK_VALUES) return false
    at = VALUE.lastIndex - 1
    if (text.charCodeAt(at) !== QUOTE) continue
    at = closingQuote(text, at + 1, end)
    while (at >= end) {
      // The string does not end. JSON.parse reports that.
      if (at >= text.length) return true
      yield
      end = at + STEP_LOOKED_AT
      at = closingQuote(text, at, end)
    }
  }
}
