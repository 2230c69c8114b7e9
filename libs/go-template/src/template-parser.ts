/** Walks over the tokens of a template; what is wrong with one is thrown, with where it stands. */
import type { TemplateNode } from './nodes.ts'
import type { TemplateToken, TokenType } from './read-tokens.ts'

/** Blocks and parentheses within each other. */
const MAX_NESTING = 100

export class NotATemplate extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

export interface TemplateParser {
  tokens: readonly TemplateToken[]
  next: number
  /** Those in scope, the innermost last. */
  variables: string[]
  ranges: number
  nesting: number
  defined: Map<string, readonly TemplateNode[]>
  /** What `template` and `block` name. */
  called: { name: string; at: number }[]
}

export function peek(parser: TemplateParser): TemplateToken {
  return parser.tokens[Math.min(parser.next, parser.tokens.length - 1)] as TemplateToken
}

export function take(parser: TemplateParser): TemplateToken {
  const token = peek(parser)
  parser.next++
  return token
}

/** The next one that is no space; spaces before it are skipped. */
export function peekWord(parser: TemplateParser): TemplateToken {
  while (peek(parser).type === 'space') parser.next++
  return peek(parser)
}

export function takeWord(parser: TemplateParser): TemplateToken {
  peekWord(parser)
  return take(parser)
}

export function expect(parser: TemplateParser, type: TokenType, where: string): TemplateToken {
  const token = takeWord(parser)
  if (token.type !== type) throw unexpected(token, where)
  return token
}

export function unexpected(token: TemplateToken, where: string): NotATemplate {
  if (token.type === 'error') return new NotATemplate(token.text, token.at)
  if (token.type === 'end') return new NotATemplate(`unexpected end in ${where}`, token.at)
  const shown = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text
  return new NotATemplate(`unexpected ${JSON.stringify(shown)} in ${where}`, token.at)
}

export function isKeyword(token: TemplateToken, word: string): boolean {
  return token.type === 'keyword' && token.text === word
}

export function enter(parser: TemplateParser): void {
  parser.nesting++
  if (parser.nesting <= MAX_NESTING) return
  throw new NotATemplate(`nested more than ${MAX_NESTING} deep`, peek(parser).at)
}
