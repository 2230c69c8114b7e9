/**
 * A hostile template or payload ends after a bounded number of steps, with a failure that says why,
 * and never reaches what JavaScript's objects have of their own. What bounds the time is the number
 * of steps; the bounds in milliseconds are wide, and only tell minutes from no time.
 */
import { describe, expect, test } from '@jest/globals'
import { parseData } from './parse-data.ts'
import { MAX_TEMPLATE_BYTES, parseTemplate } from './parse-template.ts'
import { type RenderOutcome, renderTemplate } from './render-template.ts'
import { MAX_OUTPUT_BYTES } from './rendering.ts'

function render(text: string, data: unknown = {}): RenderOutcome {
  const parsed = parseTemplate(text)
  if (parsed.outcome === 'invalid') throw new Error(parsed.message)
  return renderTemplate(parsed.template, data)
}

function position(text: string): string {
  const parsed = parseTemplate(text)
  if (parsed.outcome === 'ok') return 'ok'
  return `${parsed.line}:${parsed.column} ${parsed.message}`
}

const TEN = '{{range 10}}'
const BIG = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]))
const DEEP: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))

describe('what would take for ever fails', () => {
  test.each([
    ['a loop', '{{range 1000000000}}{{end}}', {}, /10000 steps/],
    ['loops in each other', TEN.repeat(9) + '{{end}}'.repeat(9), {}, /10000 steps/],
    ['a loop of loops', '{{range 100}}{{range 1000}}x{{end}}{{end}}', {}, /10000 steps/],
    ['self-recursion', '{{define "a"}}{{template "a"}}{{end}}{{template "a"}}', {}, /100 deep/],
    [
      'a tree of calls',
      `{{define "a"}}${'{{template "b"}}'.repeat(50)}{{end}}{{define "b"}}${'{{template "c"}}'.repeat(50)}{{end}}{{define "c"}}${'{{print 1}}'.repeat(50)}{{end}}{{template "a"}}`,
      {},
      /10000 steps/,
    ],
    ['a wide verb', '{{printf "%1000000d" 1}}', {}, /at most 1000/],
    ['a wide verb of the data', '{{printf "%*d" .w 1}}', { w: 900_000 }, /at most 1000/],
    ['an exact fraction', '{{printf "%.100000f" 0.1}}', {}, /at most 1000/],
    ['wide verbs in a loop', '{{range 1000}}{{printf "%1000d" 1}}{{end}}', {}, /65536 bytes/],
    ['many wide verbs', `{{printf "${'%1000[1]d'.repeat(200)}" 1}}`, {}, /too long a text/],
    [
      'a text that doubles',
      '{{$s := "0123456789"}}{{range 60}}{{$s = print $s $s}}{{end}}',
      {},
      /too long a text/,
    ],
    [
      'a large text again and again',
      '{{range 5000}}{{len $.s}}{{end}}',
      { s: 'é'.repeat(400_000) },
      /steps/,
    ],
    [
      'sorting again and again',
      '{{range 5000}}{{range $k, $v := $.o}}{{break}}{{end}}{{end}}',
      { o: BIG },
      /steps/,
    ],
    ['a large object', '{{.}}', BIG, /steps/],
    ['a large object as JSON', '{{json .}}', BIG, /steps/],
    ['a deep list', '{{.l}}', { l: DEEP }, /100 deep/],
    ['a deep list as JSON', '{{json .l}}', { l: DEEP }, /100 deep/],
    ['a large output', '{{.s}}', { s: 'x'.repeat(MAX_OUTPUT_BYTES + 1) }, /long|larger/],
  ] as const)('%s', (_name, text, data, message) => {
    const before = process.memoryUsage().heapUsed
    const startedAt = performance.now()
    const rendered = render(text, data)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024)
    expect(rendered.outcome).toBe('failed')
    expect(rendered).toMatchObject({ message: expect.stringMatching(message) })
  })

  const TOO_MANY = { outcome: 'failed', message: 'it takes more than 10000 steps' }
  const LARGE = 'x'.repeat(130_000)

  test.each([
    ['js', '{{range 10}}{{$x := js $.s}}{{end}}', 'é'],
    ['html', '{{range 10}}{{$x := html $.s}}{{end}}', "'"],
    ['urlquery', '{{range 10}}{{$x := urlquery $.s}}{{end}}', 'é'],
    ['a quoted text', '{{range 10}}{{$x := printf "%q" $.s}}{{end}}', '\x01'],
    ['bytes with spaces', '{{range 10}}{{$x := printf "% x" $.s}}{{end}}', 'x'],
    ['an escape of JSON', '{{range 10}}{{$x := json $.s}}{{end}}', '<'],
    ['a text with half characters', '{{$s := slice .s 1}}{{range 10}}{{$x := len $s}}{{end}}', 'é'],
    ['cutting one', '{{range 10}}{{$x := slice $.s 1}}{{end}}', 'é'],
  ])('%s costs by the character', (_name, text, character) => {
    expect(render(text, { s: character.repeat(10) })).toEqual({ outcome: 'ok', text: '' })
    expect(render(text, { s: character.repeat(10_000) })).toEqual(TOO_MANY)
  })

  test.each([
    ['large texts compared', `{{$t := .t}}{{eq .s ${'$t '.repeat(20)}}}`],
    ['the exact digits of tiny numbers', '{{range 400}}{{$x := printf "%.9f" 1e-300}}{{end}}'],
    [
      'variables looked up through each other',
      `${Array.from({ length: 500 }, (_, at) => `{{$v${at} := 1}}`).join('')}{{range 500}}{{if $}}{{end}}{{end}}`,
    ],
  ])('%s cost steps', (_name, text) => {
    expect(render(text, { s: `${LARGE}s`, t: `${LARGE}t` })).toEqual(TOO_MANY)
  })

  test('whether an object is empty is looked up once', () => {
    const text = '{{range 2400}}{{if $.o}}{{end}}{{end}}'
    const startedAt = performance.now()
    expect(render(text, { o: BIG })).toEqual({ outcome: 'ok', text: '' })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('blocks and parentheses as deep as a template can have', () => {
    const ifs = '{{if true}}'.repeat(99) + '{{end}}'.repeat(99)
    expect(render(ifs)).toEqual({ outcome: 'ok', text: '' })
    expect(position('{{if true}}'.repeat(101) + '{{end}}'.repeat(101))).toMatch(/^1:\d+ nested/)
    expect(position(`{{${'('.repeat(8_000)}`)).toMatch(/^1:\d+ nested more than 100 deep/)
    const calls = `{{define "a"}}${'{{if true}}'.repeat(98)}{{template "a"}}${'{{end}}'.repeat(98)}{{end}}{{template "a"}}`
    expect(render(calls)).toMatchObject({ outcome: 'failed', message: /nested too deeply/ })
  })

  test('a template has a largest size', () => {
    expect(position('x'.repeat(MAX_TEMPLATE_BYTES))).toBe('ok')
    expect(position(`${'x'.repeat(MAX_TEMPLATE_BYTES)}é`)).toMatch(/^1:1 .*at most 16384 bytes/)
  })
})

describe('what is wrong is told with its line and column', () => {
  test.each([
    ['{{nosuch .x}}', '1:3 function nosuch is not defined'],
    ['line\n  {{.x | upper}}', '2:10 function upper is not defined'],
    ['é😀 {{template "nope"}}', '1:15 template "nope" is not defined'],
    ['{{if .a}}\n\nx', '3:2 unexpected end in a block without {{end}}'],
    ['a\n{{.x', '2:3 unclosed action'],
    ['{{$x = 1}}', '1:3 undefined variable $x'],
    ['{{.x}', "1:5 bad character U+007D '}'"],
    ['{{end}}', '1:3 unexpected "end" in the template'],
  ])('%j', (text, wanted) => expect(position(text)).toBe(wanted))

  test('when it is rendered, too', () => {
    expect(render('a\n {{.x.y}}', { x: 'text' })).toEqual({
      outcome: 'failed',
      message: 'line 2, column 4: a text has no field "y"',
    })
  })
})

describe('data is its own properties alone', () => {
  test.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ])('{{.%s}} is nothing', (name) => {
    const nothing = { outcome: 'ok', text: '<no value>' }
    expect(render(`{{.${name}}}`, {})).toEqual(nothing)
    expect(render(`{{.${name}.${name}}}`, {})).toEqual(nothing)
    expect(render(`{{index . "${name}"}}`, {})).toEqual(nothing)
    expect(render(`{{range .l}}{{.${name}}}{{end}}`, { l: [{}] })).toEqual(nothing)
  })

  test.each([
    '{{.l.length}}',
    '{{.s.length}}',
    '{{.n.toFixed}}',
    '{{.l.constructor}}',
    '{{(len .l).kind}}',
  ])('%s fails', (text) => {
    expect(render(text, { l: [1], s: 'x', n: 1 })).toMatchObject({ outcome: 'failed' })
  })

  test('a key named so is data', () => {
    const data = parseData('{"__proto__": {"a": 1}, "constructor": "mine"}')
    expect(render('{{.__proto__.a}} {{.constructor}} {{json .}}', data)).toEqual({
      outcome: 'ok',
      text: '1 mine {"__proto__":{"a":1},"constructor":"mine"}',
    })
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  test('functions are those of the list', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'eval', 'require']) {
      expect(position(`{{${name} .x}}`)).toMatch(/is not defined$/)
    }
  })
})

test('only what actions print is escaped', () => {
  const parsed = parseTemplate(
    '<a> {{.x}} {{"<b>"}} {{range .l}}<{{.}}>{{end}}{{if eq .x "<i>"}}!{{end}}',
  )
  if (parsed.outcome === 'invalid') throw new Error(parsed.message)
  const escape = (text: string) => text.replaceAll('<', '&lt;')
  expect(renderTemplate(parsed.template, { x: '<i>', l: ['<'] }, { escape })).toEqual({
    outcome: 'ok',
    text: '<a> &lt;i> &lt;b> <&lt;>!',
  })
})

test('numbers that JavaScript computed print as its JSON does', () => {
  expect(render('{{.a}} {{.b}} {{gt .a 90}} {{.c}}', { a: 95, b: 12.5, c: Number.NaN })).toEqual({
    outcome: 'ok',
    text: '95 12.5 true <no value>',
  })
})
