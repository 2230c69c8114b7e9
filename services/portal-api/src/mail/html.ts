/**
 * HTML from a template whose values are escaped, so that no name that a customer chose can become
 * markup in somebody's mailbox. Only what this tag made itself goes in as it is.
 */
const MARKUP = Symbol('markup')

export interface Markup {
  readonly [MARKUP]: string
}

type Value = string | Markup | readonly Markup[]

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const text = parts.reduce((before, part, at) => before + toHtml(values[at - 1] ?? '') + part)
  return { [MARKUP]: text }
}

export function htmlText(markup: Markup): string {
  return markup[MARKUP]
}

function toHtml(value: Value): string {
  if (typeof value === 'string') return escapeHtml(value)
  return MARKUP in value ? value[MARKUP] : value.map((one) => one[MARKUP]).join('')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
