/**
 * What others wrote (payloads, answers, names) on its way to a terminal. A control character could
 * move the cursor, set the window's title or the clipboard, and a mark of direction could make a
 * line read as another: all of them are shown as escapes. Nothing that this program prints has
 * control characters of its own but the line break, so the rule needs no exception.
 */

/** Controls, format characters, line and paragraph separators, lone surrogates, private use. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line, whatever is in it. */
export function printable(text: string): string {
  return text.replace(
    UNSAFE,
    (character) => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** A text of our own that has lines, such as a help text. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** JSON on one line, in which only the letters of others are left as they are. */
export function jsonLine(value: unknown): string {
  return withUnicodeEscapes(JSON.stringify(value) ?? 'null')
}

/** For texts in quotes, of JSON and of languages with its escapes. */
export function withUnicodeEscapes(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Whether a text has more than line breaks and tabs that could drive a terminal. */
export function hasUnsafe(text: string): boolean {
  return text.replaceAll(/[\n\t]/g, '').search(UNSAFE) !== -1
}

/** @param max characters, the sign that something is left out included */
export function clipped(text: string, max: number): string {
  const characters = Array.from(text.slice(0, 2 * max + 2))
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
