/** What Go does that neither the corpus nor random templates would show to be done otherwise. */
import { expect, test } from '@jest/globals'
import { parseTemplate } from './parse-template.ts'
import { renderTemplate } from './render-template.ts'

test.each([
  // Variables of an iteration end with it, or the next would set the wrong ones.
  ['{{range $k, $v := .l}}{{$a := $v}}{{$k}}{{$v}}{{$a}};{{end}}', '0xx;1yy;'],
  ['{{range $v := .l}}{{$a := 1}}{{$b := 2}}{{$v}}{{end}}', 'xy'],
  // The order of UTF-8's bytes, which is not that of JavaScript's characters.
  ['{{.m}}', 'map[｡:1 😀:2]'],
  ['{{range $k, $_ := .m}}{{$k}}{{end}}', '｡😀'],
  ['{{json .m}}', '{"｡":1,"😀":2}'],
  [
    '{{0.0001}} {{0.00001}} {{100000.0}} {{1000000.0}} {{123456789.0}}',
    '0.0001 1e-05 100000 1e+06 1.23456789e+08',
  ],
  [
    '{{printf "%.0f %.0f %.1f %.3g %.20f" 0.5 1.5 0.25 1234567.0 0.1}}',
    '0 2 0.2 1.23e+06 0.10000000000000000555',
  ],
  ['{{range -3}}x{{else}}none{{end}}', 'none'],
  // Half a character is none, in each action by itself.
  ['{{json (slice "é" 0 1)}} {{slice "é" 0 1}}', '"\\ufffd" \ufffd'],
])('%s', (text, wanted) => {
  const parsed = parseTemplate(text)
  if (parsed.outcome === 'invalid') throw new Error(parsed.message)
  const data = { l: ['x', 'y'], m: { '😀': 2, '｡': 1 } }
  expect(renderTemplate(parsed.template, data)).toEqual({ outcome: 'ok', text: wanted })
})
