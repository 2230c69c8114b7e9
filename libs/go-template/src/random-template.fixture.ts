/** Random templates, most of which parse, over data of known shape: what real Go is asked about. */

export const FUZZ_DATA = `{"s":"héllo <b>&\\"'","e":"","u":"日本 😀","n":null,"t":true,"f":false,
"i":42,"z":0,"big":987,"neg":-7,"q":1.5,"r":0.25,"l":["x","y","<z>"],"none":[],
"ll":[["a","b"],["c"],[]],"li":[3,1,2],"lo":[{"k":"a","v":1.5},{"k":"b"},null],
"m":{"k":"v","a":{"b":"deep","c":[1.5,true,null]},"é":"ü","":"empty"},"o":{}}`

const STRINGS = ['.s', '.e', '.u', '.m.k', '.m.a.b', '"lit"', '`raw\\n`', '"\\u00e9\\x41"', '"%d"']
const NUMBERS = [
  '.i',
  '.z',
  '.big',
  '.neg',
  '.q',
  '.r',
  '1',
  '0',
  '-3',
  '2.5',
  '1e3',
  '0x1F',
  "'a'",
]
const BOOLEANS = ['.t', '.f', 'true', 'false']
const LISTS = ['.l', '.none', '.ll', '.li', '.lo', '.m.a.c']
const MAPS = ['.m', '.m.a', '.o', '.']
const MISSING = ['.n', '.missing', '.missing.deeper', '.m.nope', 'nil']
const TEXTS = ['text ', '\n', ' a }b{ ', '', ' \t', 'é', '{ {', '<b>&']
const VERBS = [
  'v',
  's',
  'd',
  'q',
  'x',
  'X',
  't',
  'f',
  'e',
  'g',
  'c',
  'U',
  'o',
  'b',
  'T',
  'z',
  'E',
  'O',
]
const FLAGS = [
  '',
  '',
  '',
  '',
  '5',
  '-6',
  '05',
  '+',
  ' ',
  '#',
  '.2',
  '8.3',
  '.0',
  '+08.1',
  '[1]',
  '*',
]

export interface TemplateMaker {
  random: () => number
  variables: string[]
  ranges: number
}

export function randomTemplate(random: () => number): string {
  const maker: TemplateMaker = { random, variables: [], ranges: 0 }
  const parts = [body(maker, 0)]
  if (random() < 0.1) {
    const own: TemplateMaker = { random, variables: [], ranges: 0 }
    parts.unshift(`{{define "d"}}${body(own, 1)}{{end}}`)
    parts.push(`{{template "d" ${value(maker, 1)}}}`)
  }
  const text = parts.join('')
  // A few are broken somewhere, for the parser.
  if (random() > 0.06) return text
  const at = Math.floor(random() * text.length)
  return (
    text.slice(0, at) +
    pick(maker, ['', '}', '{{', '(', ' ', '"', '|', '.', ',']) +
    text.slice(at + 1)
  )
}

function pick<T>({ random }: TemplateMaker, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

function body(maker: TemplateMaker, depth: number): string {
  const count = 1 + Math.floor(maker.random() * 3)
  return Array.from({ length: count }, () => node(maker, depth)).join('')
}

function node(maker: TemplateMaker, depth: number): string {
  const kind = maker.random()
  if (kind < 0.2) return pick(maker, TEXTS)
  if (kind < 0.65 || depth > 2) return action(maker, pipeline(maker, depth))
  if (kind < 0.75) return declaration(maker, depth)
  if (kind < 0.78 && maker.ranges > 0) return action(maker, pick(maker, ['break', 'continue']))
  if (kind < 0.8) return '{{/* a comment */}}'
  return block(maker, depth)
}

function action(maker: TemplateMaker, inside: string): string {
  const open = pick(maker, ['{{', '{{', '{{ ', '{{- '])
  return open + inside + pick(maker, ['}}', '}}', ' }}', ' -}}'])
}

function declaration(maker: TemplateMaker, depth: number): string {
  const assigns = maker.variables.length > 0 && maker.random() < 0.4
  const name = assigns ? pick(maker, maker.variables) : pick(maker, ['$a', '$b', '$c'])
  const text = action(maker, `${name} ${assigns ? '=' : ':='} ${pipeline(maker, depth)}`)
  if (!assigns) maker.variables.push(name)
  return text
}

function block(maker: TemplateMaker, depth: number): string {
  const inScope = maker.variables.length
  const type = pick(maker, ['if', 'with', 'range', 'range'] as const)
  const over = type === 'range' ? pick(maker, [...LISTS, ...MAPS, '3', '.missing', '.s']) : ''
  let head = type === 'range' && maker.random() < 0.9 ? over : pipeline(maker, depth)
  if (maker.random() < 0.3) {
    const names = type === 'range' && maker.random() < 0.6 ? ['$k', '$v'] : ['$x']
    head = `${names.join(', ')} := ${head}`
    maker.variables.push(...names)
  }
  if (type === 'range') maker.ranges++
  let text = action(maker, `${type} ${head}`) + body(maker, depth + 1)
  if (type === 'range') maker.ranges--
  if (type !== 'range' && maker.random() < 0.2) {
    text += action(maker, `else ${type} ${pipeline(maker, depth)}`) + body(maker, depth + 1)
  }
  if (maker.random() < 0.4) text += action(maker, 'else') + body(maker, depth + 1)
  maker.variables.length = inScope
  return text + action(maker, 'end')
}

function pipeline(maker: TemplateMaker, depth: number): string {
  let text = command(maker, depth)
  while (maker.random() < 0.2) {
    const next = ['print', 'len', 'html', 'js', 'urlquery', 'json', 'not', 'printf "%v"', 'eq 1.5']
    text += ` | ${pick(maker, [...next, `index ${pick(maker, LISTS)}`, 'and .t', 'or .f'])}`
  }
  return text
}

function command(maker: TemplateMaker, depth: number): string {
  const kind = maker.random()
  if (kind < 0.35) return value(maker, depth)
  if (kind < 0.6) return printfCall(maker, depth)
  if (kind < 0.75) {
    const name = pick(maker, ['eq', 'ne', 'lt', 'le', 'gt', 'ge'])
    const same = pick(maker, [STRINGS, NUMBERS, BOOLEANS, LISTS, MISSING])
    const second = maker.random() < 0.7 ? pick(maker, same) : value(maker, depth)
    const third = name === 'eq' && maker.random() < 0.2 ? ` ${value(maker, depth)}` : ''
    return `${name} ${pick(maker, same)} ${second}${third}`
  }
  if (kind < 0.83) {
    const from = pick(maker, [...LISTS, ...MAPS, ...STRINGS])
    const indexes = ['0', '1', '"k"', '"a"', '-1', '9', '.z', '1 2', '', '"a" "b"']
    return `${pick(maker, ['index', 'slice'])} ${from} ${pick(maker, indexes)}`
  }
  const name = pick(maker, [
    'len',
    'not',
    'html',
    'js',
    'urlquery',
    'json',
    'print',
    'println',
    'and',
    'or',
  ])
  const single = ['len', 'not', 'json'].includes(name)
  const count = single ? 1 : 1 + Math.floor(maker.random() * 3)
  return `${name} ${Array.from({ length: count }, () => value(maker, depth)).join(' ')}`
}

function printfCall(maker: TemplateMaker, depth: number): string {
  const count = 1 + Math.floor(maker.random() * 2)
  const verbs = Array.from({ length: count }, () => `%${pick(maker, FLAGS)}${pick(maker, VERBS)}`)
  const values = Array.from({ length: count }, () => value(maker, depth))
  if (maker.random() < 0.1) values.push(value(maker, depth))
  return `printf "${verbs.join('|')}" ${values.join(' ')}`
}

function value(maker: TemplateMaker, depth: number): string {
  const kind = maker.random()
  if (kind < 0.1 && maker.variables.length > 0) return pick(maker, maker.variables)
  if (kind < 0.14) return pick(maker, ['.', '$', '$.s', '$.m.a.b', '.k', '.v'])
  if (kind < 0.24 && depth < 3) {
    const inside = `(${pipeline(maker, depth + 2)})`
    return maker.random() < 0.2 ? `${inside}.k` : inside
  }
  return pick(maker, pick(maker, [STRINGS, NUMBERS, NUMBERS, BOOLEANS, LISTS, MAPS, MISSING]))
}
