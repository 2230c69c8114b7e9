/**
 * Parses a template in Go's syntax. It refuses what Go's parser refuses, and two things more that
 * would fail whenever they are reached: a template by a name that nothing defines, and an
 * assignment to a variable that is not declared. An error names its line and column.
 */
import { byteLength } from './go-strings.ts'
import type { ParsedTemplate, TemplateBranch, TemplateNode } from './nodes.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { positionOf } from './position.ts'
import { unquote } from './quoting.ts'
import { readTokens, type TemplateToken } from './read-tokens.ts'
import {
  enter,
  expect,
  isKeyword,
  NotATemplate,
  peek,
  peekWord,
  take,
  takeWord,
  type TemplateParser,
  unexpected,
} from './template-parser.ts'

export type TemplateParse =
  | { outcome: 'ok'; template: ParsedTemplate }
  | { outcome: 'invalid'; message: string; line: number; column: number }

export const MAX_TEMPLATE_BYTES = 16 * 1024

export function parseTemplate(text: string): TemplateParse {
  if (byteLength(text) > MAX_TEMPLATE_BYTES) {
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
