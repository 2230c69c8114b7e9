/**
 * Takes a template apart into texts and the words within its actions, as Go's lexer does. What it
 * can't read becomes an `error` token, which the parser reports when it comes to it.
 */

export type TokenType =
  | 'text'
  | 'open'
  | 'close'
  | 'space'
  | 'boolean'
  | 'character'
  | 'number'
  | 'string'
  | 'nil'
  | 'dot'
  | 'field'
  | 'variable'
  | 'identifier'
  | 'keyword'
  | 'pipe'
  | 'assign'
  | 'declare'
  | '('
  | ')'
  | 'other'
  | 'error'
  | 'end'

export interface TemplateToken {
  type: TokenType
  /** As it stands in the template; of an error, what is wrong. */
  text: string
  at: number
}

const KEYWORDS = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
])

const SPACE = ' \t\r\n'
const TRIMS_LEFT = /^-[ \t\r\n]/
const CLOSES = /^(?:[ \t\r\n]-)?\}\}/
const WORD = /^[\p{L}\p{Nd}_]*/u

interface TokenScanner {
  text: string
  at: number
  tokens: TemplateToken[]
}

class NoToken extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** The last token is of type `end` or `error`. */
export function readTokens(text: string): TemplateToken[] {
  const scanner: TokenScanner = { text, at: 0, tokens: [] }
  try {
    while (scanner.at < text.length) {
      if (readText(scanner)) readAction(scanner)
    }
    scanner.tokens.push({ type: 'end', text: 'the end of the template', at: text.length })
  } catch (error) {
    if (!(error instanceof NoToken)) throw error
    scanner.tokens.push({ type: 'error', text: error.message, at: error.at })
  }
  return scanner.tokens
}

/** @returns whether an action follows, which has been entered */
function readText(scanner: TokenScanner): boolean {
  const { text, at } = scanner
  const open = text.indexOf('{{', at)
  const end = open === -1 ? text.length : open
  const trims = open !== -1 && TRIMS_LEFT.test(text.slice(open + 2, open + 4))
  const literal = text.slice(at, end)
  const kept = trims ? trimEnd(literal) : literal
  if (kept !== '') scanner.tokens.push({ type: 'text', text: kept, at })
  scanner.at = end
  if (open === -1) return false
  // The space after a trim marker belongs to the marker.
  const inside = open + (trims ? 4 : 2)
  if (text.startsWith('/*', inside)) {
    skipComment(scanner, inside)
    return false
  }
  scanner.tokens.push({ type: 'open', text: '{{', at: open })
  scanner.at = inside
  return true
}

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && SPACE.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}

function skipComment(scanner: TokenScanner, at: number): void {
  const { text } = scanner
  const end = text.indexOf('*/', at + 2)
  if (end === -1) throw new NoToken('unclosed comment', at)
  scanner.at = end + 2
  const close = CLOSES.exec(text.slice(scanner.at, scanner.at + 4))?.[0]
  if (close === undefined) throw new NoToken('a comment must end right before }}', scanner.at)
  skipClose(scanner, close)
}

function skipClose(scanner: TokenScanner, close: string): void {
  scanner.at += close.length
  if (!close.includes('-')) return
  while (SPACE.includes(scanner.text[scanner.at] ?? 'x')) scanner.at++
}

function readAction(scanner: TokenScanner): void {
  const { text, tokens } = scanner
  const opened = scanner.at
  let depth = 0
  for (;;) {
    const { at } = scanner
    const close = CLOSES.exec(text.slice(at, at + 4))?.[0]
    if (close !== undefined) {
      if (depth > 0) throw new NoToken('unclosed left paren', at)
      tokens.push({ type: 'close', text: '}}', at })
      skipClose(scanner, close)
      return
    }
    if (at >= text.length) throw new NoToken('unclosed action', opened)
    const token = nextToken(text, at)
    if (token.type === '(') depth++
    if (token.type === ')' && --depth < 0) throw new NoToken('unexpected right paren', at)
    tokens.push(token)
    scanner.at += token.text.length
  }
}

function nextToken(text: string, at: number): TemplateToken {
  const make = (type: TokenType, length: number): TemplateToken => ({
    type,
    text: text.slice(at, at + length),
    at,
  })
  const first = text[at] as string
  if (SPACE.includes(first)) return make('space', spaceLength(text, at))
  if (first === '=') return make('assign', 1)
  if (first === '|') return make('pipe', 1)
  if (first === '(' || first === ')') return make(first, 1)
  if (first === '"' || first === "'") return quoted(text, at, first)
  if (first === '`') {
    const end = text.indexOf('`', at + 1)
    if (end === -1) throw new NoToken('unterminated raw quoted string', at)
    return make('string', end + 1 - at)
  }
  if (first === ':') {
    if (text[at + 1] !== '=') throw new NoToken('expected :=', at)
    return make('declare', 2)
  }
  if (first === '$') return fieldOrVariable(text, at, 'variable')
  if (first === '.' && !/\d/.test(text[at + 1] ?? '')) {
    return at + 1 < text.length ? fieldOrVariable(text, at, 'field') : make('dot', 1)
  }
  if (/[-+.\d]/.test(first)) return make('number', numberLength(text, at))
  const word = wordAt(text, at)
  if (word !== '') return wordToken(text, at, word)
  if (/^[!-~]$/.test(first)) return make('other', 1)
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  throw new NoToken(`unrecognized character in action: ${codeName(character)}`, at)
}

/** The space before a marker that trims to the right is the marker's. */
function spaceLength(text: string, at: number): number {
  let end = at
  while (SPACE.includes(text[end] ?? 'x')) end++
  return end - at > 1 && text.slice(end, end + 3).startsWith('-}}') ? end - at - 1 : end - at
}

function quoted(text: string, at: number, mark: string): TemplateToken {
  const what = mark === '"' ? 'quoted string' : 'character constant'
  for (let end = at + 1; end < text.length; end++) {
    const character = text[end] as string
    if (character === '\n') break
    if (character === '\\') {
      end++
      if (text[end] === '\n') break
    } else if (character === mark) {
      const type = mark === '"' ? 'string' : 'character'
      return { type, text: text.slice(at, end + 1), at }
    }
  }
  throw new NoToken(`unterminated ${what}`, at)
}

function fieldOrVariable(text: string, at: number, type: 'field' | 'variable'): TemplateToken {
  const name = wordAt(text, at + 1)
  refuseRunOn(text, at + 1 + name.length)
  if (name === '' && type === 'field') return { type: 'dot', text: '.', at }
  return { type, text: text[at] + name, at }
}

function wordToken(text: string, at: number, word: string): TemplateToken {
  refuseRunOn(text, at + word.length)
  const isBoolean = word === 'true' || word === 'false'
  if (isBoolean) return { type: 'boolean', text: word, at }
  if (word === 'nil') return { type: 'nil', text: word, at }
  return { type: KEYWORDS.has(word) ? 'keyword' : 'identifier', text: word, at }
}

function wordAt(text: string, at: number): string {
  // A word is rarely long, and the rest of the template may be.
  for (let length = 64; ; length *= 4) {
    const word = WORD.exec(text.slice(at, at + length))?.[0] ?? ''
    if (word.length < length - 1 || at + length >= text.length) return word
  }
}

/** What may follow a word at once. */
function refuseRunOn(text: string, at: number): void {
  const next = text[at]
  if (next === undefined || SPACE.includes(next) || '.,|:)('.includes(next)) return
  if (text.startsWith('}}', at)) return
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  throw new NoToken(`bad character ${codeName(character)}`, at)
}

function codeName(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase()
  return `U+${code.padStart(4, '0')} '${character}'`
}

const NUMBER =
  /^[+-]?(?:0[xX][0-9a-fA-F_]*\.?[0-9a-fA-F_]*(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*\.?[0-7_]*|0[bB][01_]*\.?[01_]*|[0-9_]*\.?[0-9_]*(?:[eE][+-]?[0-9_]*)?)i?/

/** Reads more than numbers, as Go does: what is none is refused by the parser. */
function numberLength(text: string, at: number): number {
  const rest = text.slice(at, at + 2_000)
  const first = NUMBER.exec(rest)?.[0] ?? ''
  let length = first.length
  if (wordAt(rest, length) === '' && /^[+-]/.test(rest.slice(length))) {
    const second = NUMBER.exec(rest.slice(length))?.[0] ?? ''
    length += second.length
    if (!second.endsWith('i')) throw badNumber(rest.slice(0, length), at)
  }
  if (wordAt(rest, length) !== '') throw badNumber(rest.slice(0, length + 1), at)
  return length
}

function badNumber(text: string, at: number): NoToken {
  return new NoToken(`bad number syntax: ${text.slice(0, 100)}`, at)
}
