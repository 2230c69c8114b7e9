/**
 * How what a template prints is escaped for a target, so that data never becomes markup, a link or
 * a mention there; and how a text that is escaped is cut without leaving half an escape behind.
 */
import type { TargetType } from './target.ts'

export type EscapeText = (text: string) => string

/** Slack's three characters, which also make its mentions (`<!channel>`) and links. */
const SLACK: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeSlack(text: string): string {
  return text.replace(/[&<>]/g, (character) => SLACK[character] as string)
}

/**
 * A dash, a plus or a number makes a list only where a line begins. The space before it stays
 * within the line: over several lines it would be read again from each of them.
 */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_~|<>[\]()#]/g, '\\$&')
    .replace(/^([^\S\r\n\u2028\u2029]*)([-+]|\d+(?=\.))/gm, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    )
}

const ESCAPES: Readonly<Record<TargetType, EscapeText>> = {
  slack: escapeSlack,
  discord: escapeMarkdown,
  teams: escapeMarkdown,
  email: asItIs,
  webhook: asItIs,
  pagerduty: asItIs,
}

function asItIs(text: string): string {
  return text
}

/** For `renderTemplate`. */
export function escapeFor(type: TargetType): EscapeText {
  return ESCAPES[type]
}

const ELLIPSIS = '…'

/** At most so many code points, the last of them an ellipsis where something was cut off. */
export function cutText(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  const characters = Array.from(text)
  if (characters.length <= maxCodePoints) return text
  return withoutHalf(characters.slice(0, maxCodePoints - 1).join('')) + ELLIPSIS
}

/** Without an entity or a backslash at the end that lost what it belongs to. */
function withoutHalf(text: string): string {
  let end = text.length
  while (text[end - 1] === '\\') end -= 1
  const whole = (text.length - end) % 2 === 1 ? text.slice(0, -1) : text
  return whole.replace(/&[a-z]{0,4}$/, '')
}
