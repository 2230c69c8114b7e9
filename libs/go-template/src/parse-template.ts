/**
 * Parses a template in Go's syntax. It refuses what Go's parser refuses, and two things more that
 * would fail whenever they are reached: a template by a name that nothing defines, and an
 * assignment to a variable that is not declared. An error names its line and column.
 */
import { FUNCTION_NAMES } from './functions.ts'
import type {
  ParsedTemplate,
  TemplateBranch,
  TemplateCommand,
  TemplateNode,
  TemplateOperand,
  TemplatePipeline,
} from './nodes.ts'
import { type NumberLiteral, parseCharacter, parseNumber } from './parse-number.ts'
import { positionOf } from './position.ts'
import { unquote } from './quoting.ts'
import { readTokens, type TemplateToken, type TokenType } from './read-tokens.ts'

export type TemplateParse =
  | { outcome: 'ok'; template: ParsedTemplate }
  | { outcome: 'invalid'; message: string; line: number; column: number }

export const MAX_TEMPLATE_BYTES = 16 * 1024
/** Blocks and parentheses within each other. */
const MAX_NESTING = 100

class NotATemplate extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

export function parseTemplate(text: string): TemplateParse {
  if (Buffer.byteLength(text) > MAX_TEMPLATE_BYTES) {
    const message = `a template has at most ${MAX_TEMPLATE_BYTES} bytes`
    return { outcome: 'invalid', message, line: 1, column: 1 }
  }
  try {
    return { outcome: 'ok', template: parse(text.toWellFormed()) }
  } catch (error) {
    if (!(error instanceof NotATemplate)) throw error
    return { outcome: 'invalid', message: error.message, ...positionOf(text, error.at) }
  }
}

interface TemplateParser {
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

function parse(text: string): ParsedTemplate {
  const parser: TemplateParser = {
    tokens: readTokens(text),
    next: 0,
    variables: ['$'],
    ranges: 0,
    nesting: 0,
    defined: new Map(),
    called: [],
  }
  const body: TemplateNode[] = []
  while (peekWord(parser).type !== 'end') {
    const definition = takeDefinition(parser)
    if (definition) continue
    const node = parseNode(parser)
    if (isEnd(node)) throw unexpected(node.token, 'the template')
    body.push(node)
  }
  for (const { name, at } of parser.called) {
    if (!parser.defined.has(name)) {
      throw new NotATemplate(`template ${JSON.stringify(name)} is not defined`, at)
    }
  }
  return { text, body, defined: parser.defined }
}

function peek(parser: TemplateParser): TemplateToken {
  return parser.tokens[Math.min(parser.next, parser.tokens.length - 1)] as TemplateToken
}

function take(parser: TemplateParser): TemplateToken {
  const token = peek(parser)
  parser.next++
  return token
}

/** The next one that is no space; spaces before it are skipped. */
function peekWord(parser: TemplateParser): TemplateToken {
  while (peek(parser).type === 'space') parser.next++
  return peek(parser)
}

function takeWord(parser: TemplateParser): TemplateToken {
  peekWord(parser)
  return take(parser)
}

function expect(parser: TemplateParser, type: TokenType, where: string): TemplateToken {
  const token = takeWord(parser)
  if (token.type !== type) throw unexpected(token, where)
  return token
}

function unexpected(token: TemplateToken, where: string): NotATemplate {
  if (token.type === 'error') return new NotATemplate(token.text, token.at)
  if (token.type === 'end') return new NotATemplate(`unexpected end in ${where}`, token.at)
  const shown = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text
  return new NotATemplate(`unexpected ${JSON.stringify(shown)} in ${where}`, token.at)
}

/** What ends a list of nodes instead of being in it. */
interface BlockEnd {
  type: 'end' | 'else'
  token: TemplateToken
}

function isEnd(node: TemplateNode | BlockEnd): node is BlockEnd {
  return node.type === 'end' || node.type === 'else'
}

/** `{{define "name"}}`, which stands at the top alone. */
function takeDefinition(parser: TemplateParser): boolean {
  const start = parser.next
  if (take(parser).type === 'open' && isKeyword(peekWord(parser), 'define')) {
    take(parser)
    const { name, at } = parseName(parser, 'define')
    expect(parser, 'close', 'define')
    define(parser, name, at, parseOwnBody(parser, 'define'))
    return true
  }
  parser.next = start
  return false
}

function isKeyword(token: TemplateToken, word: string): boolean {
  return token.type === 'keyword' && token.text === word
}

function parseName(parser: TemplateParser, where: string): { name: string; at: number } {
  const { text, at } = expect(parser, 'string', where)
  const name = unquote(text)
  if (name === null) throw new NotATemplate('invalid syntax in a string', at)
  return { name, at }
}

/** The body of a template that sees no variables of the one around it. */
function parseOwnBody(parser: TemplateParser, where: string): readonly TemplateNode[] {
  const { variables, ranges } = parser
  parser.variables = ['$']
  parser.ranges = 0
  const { nodes, end } = parseBody(parser)
  if (end.type !== 'end') throw unexpected(end.token, where)
  parser.variables = variables
  parser.ranges = ranges
  return nodes
}

/** An empty one gives way to another of its name. */
function define(
  parser: TemplateParser,
  name: string,
  at: number,
  nodes: readonly TemplateNode[],
): void {
  const present = parser.defined.get(name)
  if (present === undefined || isBlank(present)) parser.defined.set(name, nodes)
  else if (!isBlank(nodes)) {
    throw new NotATemplate(`template ${JSON.stringify(name)} is defined twice`, at)
  }
}

const BLANK = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/

function isBlank(nodes: readonly TemplateNode[]): boolean {
  return nodes.every((node) => node.type === 'text' && BLANK.test(node.text))
}

function parseBody(parser: TemplateParser): { nodes: TemplateNode[]; end: BlockEnd } {
  const nodes: TemplateNode[] = []
  enter(parser)
  for (;;) {
    if (peekWord(parser).type === 'end') throw unexpected(peek(parser), 'a block without {{end}}')
    const node = parseNode(parser)
    if (isEnd(node)) {
      parser.nesting--
      return { nodes, end: node }
    }
    nodes.push(node)
  }
}

function enter(parser: TemplateParser): void {
  parser.nesting++
  if (parser.nesting <= MAX_NESTING) return
  throw new NotATemplate(`nested more than ${MAX_NESTING} deep`, peek(parser).at)
}

function parseNode(parser: TemplateParser): TemplateNode | BlockEnd {
  const token = takeWord(parser)
  if (token.type === 'text') return { type: 'text', text: token.text }
  if (token.type !== 'open') throw unexpected(token, 'the template')
  const word = peekWord(parser)
  if (word.type === 'keyword' && word.text !== 'define') {
    take(parser)
    return parseControl(parser, word)
  }
  return { type: 'action', at: word.at, pipeline: parsePipeline(parser, 'an action', 'close') }
}

function parseControl(parser: TemplateParser, keyword: TemplateToken): TemplateNode | BlockEnd {
  const { text, at } = keyword
  switch (text) {
    case 'if':
    case 'with':
    case 'range':
      return { type: text, ...parseBranch(parser, text, at) }
    case 'end':
      expect(parser, 'close', 'end')
      return { type: 'end', token: keyword }
    case 'else':
      // `else if` and `else with` are left to whoever parses the branch.
      if (!['if', 'with'].some((word) => isKeyword(peekWord(parser), word))) {
        expect(parser, 'close', 'else')
      }
      return { type: 'else', token: keyword }
    case 'template':
      return parseCall(parser, at)
    case 'block':
      return parseBlock(parser, at)
    default:
      return parseLeap(parser, text as 'break' | 'continue', at)
  }
}

function parseLeap(parser: TemplateParser, type: 'break' | 'continue', at: number): TemplateNode {
  expect(parser, 'close', type)
  if (parser.ranges === 0) throw new NotATemplate(`{{${type}}} outside {{range}}`, at)
  return { type, at }
}

function parseBranch(
  parser: TemplateParser,
  type: 'if' | 'with' | 'range',
  at: number,
): TemplateBranch {
  const inScope = parser.variables.length
  const pipeline = parsePipeline(parser, type, 'close')
  if (type === 'range') parser.ranges++
  const { nodes: body, end } = parseBody(parser)
  if (type === 'range') parser.ranges--
  const otherwise = end.type === 'end' ? null : parseElse(parser, type)
  parser.variables.length = inScope
  return { at, pipeline, body, otherwise }
}

function parseElse(parser: TemplateParser, type: 'if' | 'with' | 'range'): TemplateNode[] {
  const next = peek(parser)
  if (type !== 'range' && isKeyword(next, type)) {
    take(parser)
    enter(parser)
    const node: TemplateNode = { type, ...parseBranch(parser, type, next.at) }
    parser.nesting--
    return [node]
  }
  const { nodes, end } = parseBody(parser)
  if (end.type !== 'end') throw unexpected(end.token, `the {{else}} of ${type}`)
  return nodes
}

function parseCall(parser: TemplateParser, at: number): TemplateNode {
  const { name, at: nameAt } = parseName(parser, 'template')
  parser.called.push({ name, at: nameAt })
  if (peekWord(parser).type === 'close') {
    take(parser)
    return { type: 'template', at, name, pipeline: null }
  }
  return { type: 'template', at, name, pipeline: parsePipeline(parser, 'template', 'close') }
}

function parseBlock(parser: TemplateParser, at: number): TemplateNode {
  const { name, at: nameAt } = parseName(parser, 'block')
  const pipeline = parsePipeline(parser, 'block', 'close')
  define(parser, name, nameAt, parseOwnBody(parser, 'block'))
  return { type: 'template', at, name, pipeline }
}

const OPERANDS: ReadonlySet<TokenType> = new Set<TokenType>([
  'boolean',
  'character',
  'number',
  'string',
  'nil',
  'dot',
  'field',
  'variable',
  'identifier',
  '(',
])

function parsePipeline(
  parser: TemplateParser,
  where: string,
  closing: 'close' | ')',
): TemplatePipeline {
  const { at } = peekWord(parser)
  const { variables, assigns } = parseVariables(parser, where)
  const commands: TemplateCommand[] = []
  for (;;) {
    const token = peekWord(parser)
    if (token.type === closing) break
    if (!OPERANDS.has(token.type)) throw unexpected(token, where)
    const command = parseCommand(parser)
    const calls = ['function', 'field', 'variable', 'chain', 'pipeline']
    if (commands.length > 0 && !calls.includes(command.first.type)) {
      throw new NotATemplate('what stands behind | must be a function', command.first.at)
    }
    commands.push(command)
  }
  const { at: end } = take(parser)
  if (commands.length === 0) throw new NotATemplate(`missing value for ${where}`, end)
  return { at, variables, assigns, commands }
}

/** `$a :=`, `$a =`, and, for `range`, `$a, $b :=`. */
function parseVariables(
  parser: TemplateParser,
  where: string,
): { variables: string[]; assigns: boolean } {
  const variables: string[] = []
  const found: TemplateToken[] = []
  for (;;) {
    const variable = peekWord(parser)
    if (variable.type !== 'variable') break
    const start = parser.next
    take(parser)
    const next = peekWord(parser)
    if (next.type === 'assign' || next.type === 'declare') {
      take(parser)
      found.push(variable)
      const assigns = next.type === 'assign'
      if (assigns) for (const one of found) requireDeclared(parser, one)
      variables.push(...found.map(({ text }) => text))
      parser.variables.push(...variables)
      return { variables, assigns }
    }
    if (next.type !== 'other' || next.text !== ',') {
      parser.next = start
      break
    }
    take(parser)
    found.push(variable)
    if (where !== 'range' || found.length > 1) {
      throw new NotATemplate(`too many variables in ${where}`, variable.at)
    }
    if (peekWord(parser).type !== 'variable') {
      throw new NotATemplate('range needs a variable behind the comma', peek(parser).at)
    }
  }
  if (found.length > 0) throw new NotATemplate('range needs := behind its variables', peek(parser).at)
  return { variables, assigns: false }
}

function requireDeclared(parser: TemplateParser, { text, at }: TemplateToken): void {
  if (!parser.variables.includes(text)) throw new NotATemplate(`undefined variable ${text}`, at)
}

/** Operands with spaces between them, up to a pipe or the pipeline's end. */
function parseCommand(parser: TemplateParser): TemplateCommand {
  const operands: TemplateOperand[] = []
  for (;;) {
    if (OPERANDS.has(peekWord(parser).type)) operands.push(parseOperand(parser))
    const token = peek(parser)
    if (token.type === 'space') continue
    if (token.type === 'pipe') take(parser)
    else if (token.type !== 'close' && token.type !== ')') throw unexpected(token, 'an operand')
    const [first, ...args] = operands
    if (first === undefined) throw new NotATemplate('empty command', token.at)
    return { first, args }
  }
}

function parseOperand(parser: TemplateParser): TemplateOperand {
  const term = parseTerm(parser)
  const names: string[] = []
  while (peek(parser).type === 'field') names.push(take(parser).text.slice(1))
  if (names.length === 0) return term
  switch (term.type) {
    case 'field':
      return { ...term, names: [...term.names, ...names] }
    case 'variable':
      return { ...term, names: [...term.names, ...names] }
    case 'function':
    case 'pipeline':
      return { type: 'chain', at: term.at, of: term, names }
    default:
      throw new NotATemplate('unexpected . behind a value', term.at)
  }
}

function parseTerm(parser: TemplateParser): TemplateOperand {
  const token = take(parser)
  const { text, at } = token
  switch (token.type) {
    case 'identifier':
      if (!FUNCTION_NAMES.has(text)) throw new NotATemplate(`function ${text} is not defined`, at)
      return { type: 'function', at, name: text }
    case 'dot':
    case 'nil':
      return { type: token.type, at }
    case 'variable':
      requireDeclared(parser, token)
      return { type: 'variable', at, name: text, names: [] }
    case 'field':
      return { type: 'field', at, names: [text.slice(1)] }
    case 'boolean':
      return { type: 'constant', at, value: text === 'true' }
    case 'character':
      return numberOperand(token, parseCharacter(text))
    case 'number':
      return numberOperand(token, parseNumber(text))
    case 'string': {
      const value = unquote(text)
      if (value === null) throw new NotATemplate('invalid syntax in a string', at)
      return { type: 'constant', at, value }
    }
    default: {
      enter(parser)
      const pipeline = parsePipeline(parser, 'parentheses', ')')
      parser.nesting--
      return { type: 'pipeline', at, pipeline }
    }
  }
}

function numberOperand({ text, at }: TemplateToken, number: NumberLiteral): TemplateOperand {
  if (number.outcome === 'invalid') throw new NotATemplate(number.message, at)
  if (number.outcome === 'overflow') return { type: 'overflow', at, text }
  return { type: 'constant', at, value: number.value }
}
