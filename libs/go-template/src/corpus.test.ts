/** 496 templates with what they render to, most of it recorded from real Go. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { parseData } from './parse-data.ts'
import { parseTemplate } from './parse-template.ts'
import { renderTemplate } from './render-template.ts'

type CorpusResult = { output: string } | { fails: 'parse' | 'exec' }

interface CorpusCase {
  id: string
  template: string
  data: string
  want: CorpusResult
}

const { cases } = JSON.parse(
  readFileSync(new URL('corpus.fixture.json', import.meta.url), 'utf8'),
) as { cases: readonly CorpusCase[] }

/** What would fail whenever it is reached is refused when it is parsed, which is not Go's way. */
const REFUSED_EARLIER = ['variable-189', 'template-407', 'template-418']

function run({ template: text, data }: CorpusCase): CorpusResult {
  const parsed = parseTemplate(text)
  if (parsed.outcome === 'invalid') return { fails: 'parse' }
  const rendered = renderTemplate(parsed.template, parseData(data))
  return rendered.outcome === 'ok' ? { output: rendered.text } : { fails: 'exec' }
}

test('all of them are there', () => expect(cases).toHaveLength(496))

describe.each(cases.map((one) => [one.id, one.template, one] as const))(
  '%s %j',
  (id, _text, one) => {
    const want = REFUSED_EARLIER.includes(id) ? { fails: 'parse' } : one.want
    test(`comes to ${JSON.stringify(want)}`, () => expect(run(one)).toEqual(want))
  },
)
