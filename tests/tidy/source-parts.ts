/**
 * A module's text in its three parts: code, comments and the texts of strings and templates, so that
 * a rule about words knows what it reads. All parts keep their lines: what belongs to another part
 * is blank.
 *
 * It knows no grammar. A slash begins a regular expression where no value can end before it.
 */
export interface SourceParts {
  /** Names, keywords and signs. */
  code: string[]
  comments: string[]
  /** What stands between quotes or in templates, SQL above all, without the code inside `${}`. */
  texts: string[]
}

type Part = keyof SourceParts

/** What may stand before a regular expression, and not before a division. */
const BEFORE_REGEX = /(^|[(,=:[!&|?{};+\n>]|\b(?:return|typeof|case|await|in|of))\s*$/
const REGEX = /\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y

export function partsOf(text: string): SourceParts {
  const marks: Part[] = []
  /** How many braces are open inside each template's `${}` that contains this place. */
  const templates: number[] = []
  let at = 0

  function take(part: Part, until: number): void {
    for (; at < until; at += 1) marks.push(part)
  }

  /** The place behind the next quote, or behind `${` in a template. */
  function endOfText(quote: string): number {
    for (let next = at; next < text.length; next += 1) {
      if (text[next] === '\\') next += 1
      else if (text[next] === quote) return next + 1
      else if (quote === '`' && text.startsWith('${', next)) {
        templates.push(0)
        return next + 2
      }
    }
    return text.length
  }

  function endOf(sign: string, from: number): number {
    const found = text.indexOf(sign, from)
    return found === -1 ? text.length : found + sign.length
  }

  function endOfLine(from: number): number {
    const found = text.indexOf('\n', from)
    return found === -1 ? text.length : found
  }

  while (at < text.length) {
    const sign = text[at] as string
    const open = templates.length - 1
    REGEX.lastIndex = at
    if (text.startsWith('//', at)) take('comments', endOfLine(at))
    else if (text.startsWith('/*', at)) take('comments', endOf('*/', at + 2))
    else if (sign === '/' && BEFORE_REGEX.test(text.slice(Math.max(0, at - 20), at)))
      take('texts', at + (REGEX.exec(text)?.[0].length ?? 1))
    else if (sign === "'" || sign === '"' || sign === '`') {
      take('code', at + 1)
      take('texts', endOfText(sign))
    } else if (sign === '}' && templates[open] === 0) {
      templates.pop()
      take('code', at + 1)
      take('texts', endOfText('`'))
    } else {
      if (open >= 0 && sign === '{') templates[open] = (templates[open] as number) + 1
      if (open >= 0 && sign === '}') templates[open] = (templates[open] as number) - 1
      take('code', at + 1)
    }
  }
  const only = (part: Part): string[] =>
    [...Array(text.length).keys()]
      .map((n) => (text[n] === '\n' || marks[n] === part ? (text[n] as string) : ' '))
      .join('')
      .split('\n')
  return { code: only('code'), comments: only('comments'), texts: only('texts') }
}

export interface Comment {
  /** Where it begins, counted from 1. */
  line: number
  /** Its sentences in one line, without the signs of a comment. */
  text: string
}

/** Comments as a reader sees them: lines of `//` that follow each other are one. */
export function commentsOf(comments: readonly string[]): Comment[] {
  const all: Comment[] = []
  let isOpen = false
  let wasLine = false
  for (const [index, raw] of comments.entries()) {
    const line = raw.trim()
    const isLine = line.startsWith('//')
    const text = line
      .replace(/^(\/\*\*?|\*\/|\*|\/\/)/, '')
      .replace(/\*\/$/, '')
      .trim()
    const last = all.at(-1)
    if (line === '') wasLine = false
    else if ((isOpen || (isLine && wasLine)) && last !== undefined) last.text += ` ${text}`
    else all.push({ line: index + 1, text })
    if (line.startsWith('/*')) isOpen = true
    if (line.endsWith('*/')) isOpen = false
    wasLine = isLine
  }
  return all.map((comment) => ({ ...comment, text: comment.text.trim() }))
}
