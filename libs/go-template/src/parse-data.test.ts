import { expect, test } from '@jest/globals'
import { parseData } from './parse-data.ts'
import { parseTemplate } from './parse-template.ts'
import { renderTemplate } from './render-template.ts'

test('numbers keep their spelling, however the names are written', () => {
  for (const name of ['nach', 'n\\u0061ch']) {
    const data = parseData(`{"confused":1,"${name}":12.50,"n":7}`)
    const parsed = parseTemplate('{{.nach}} {{.n}}')
    if (parsed.outcome !== 'ok') throw new Error(parsed.outcome)
    expect(renderTemplate(parsed.template, data)).toMatchObject({
      outcome: 'ok',
      text: '12.50 7',
    })
  }
})

test('what is no JSON is refused, however the names are written', () => {
  for (const text of ['{"a":}', '{"\\u0061":}']) expect(() => parseData(text)).toThrow(SyntaxError)
})
