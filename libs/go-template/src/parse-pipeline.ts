/** What stands within an action: commands with their operands, and the variables they go to. */
import { FUNCTION_NAMES } from './functions.ts'
import type { TemplateCommand, TemplateOperand, TemplatePipeline } from './nodes.ts'
import { type NumberLiteral, parseCharacter, parseNumber } from './parse-number.ts'
import { unquote } from './quoting.ts'
import type { TemplateToken, TokenType } from './read-tokens.ts'
import {
  enter,
  NotATemplate,
  peek,
  peekWord,
  take,
  type TemplateParser,
  unexpected,
} from './template-parser.ts'

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

export function parsePipeline(
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
  if (found.length > 0)
    throw new NotATemplate('range needs := behind its variables', peek(parser).at)
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
  if (term.type === 'field' || term.type === 'variable') {
    return { ...term, names: [...term.names, ...names] }
  }
  if (term.type === 'function' || term.type === 'pipeline') {
    return { type: 'chain', at: term.at, of: term, names }
  }
  throw new NotATemplate('unexpected . behind a value', term.at)
}

function parseTerm(parser: TemplateParser): TemplateOperand {
  const token = take(parser)
  const { type, text, at } = token
  if (type === '(') {
    enter(parser)
    const pipeline = parsePipeline(parser, 'parentheses', ')')
    parser.nesting--
    return { type: 'pipeline', at, pipeline }
  }
  if (type === 'identifier') {
    if (!FUNCTION_NAMES.has(text)) throw new NotATemplate(`function ${text} is not defined`, at)
    return { type: 'function', at, name: text }
  }
  if (type === 'dot' || type === 'nil') return { type, at }
  if (type === 'variable') {
    requireDeclared(parser, token)
    return { type: 'variable', at, name: text, names: [] }
  }
  if (type === 'field') return { type: 'field', at, names: [text.slice(1)] }
  if (type === 'boolean') return { type: 'constant', at, value: text === 'true' }
  if (type === 'character') return numberOperand(token, parseCharacter(text))
  if (type === 'number') return numberOperand(token, parseNumber(text))
  const value = unquote(text)
  if (value === null) throw new NotATemplate('invalid syntax in a string', at)
  return { type: 'constant', at, value }
}

function numberOperand({ text, at }: TemplateToken, number: NumberLiteral): TemplateOperand {
  if (number.outcome === 'invalid') throw new NotATemplate(number.message, at)
  if (number.outcome === 'overflow') return { type: 'overflow', at, text }
  return { type: 'constant', at, value: number.value }
}
