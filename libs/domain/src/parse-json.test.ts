import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { atOnce } from './at-once.ts'
import { UNREAD } from './json-in-steps.ts'
import { hasEscapedNames, MAX_BUILT, parseJson, parseJsonInSteps } from './parse-json.ts'

/** A name of which every character, or none but what must be, is written as an escape. */
function spelledName(name: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(name)
  const units = Array.from({ length: name.length }, (_, at) => name.charCodeAt(at))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}

/** After text with this name, V8 reads others wrongly that begin with the same characters. */
const NAMES = fc.constantFrom('\\', '\\u', '\\u0', '\\n', 'é', '\n', '"', 'abc', '中文', 'a\\')
const members = fc.array(fc.tuple(NAMES, fc.boolean()), { minLength: 1, maxLength: 4 })

test('names with escapes are read rightly, whatever was read before', () => {
  fc.assert(
    fc.property(members, fc.constantFrom('id', 'x'), (names, first) => {
      const expected = Object.fromEntries([[first, 0], ...names.map(([name], n) => [name, n])])
      const rest = names.map(([name, isEscaped], n) => `${spelledName(name, isEscaped)}:${n}`)
      const text = `{"${first}":0,${rest.join()}}`
      for (const parse of [parseJson, (one: string) => atOnce(parseJsonInSteps(one))])
        expect(Object.entries(parse(text) as object)).toEqual(Object.entries(expected))
    }),
    { numRuns: 2_000 },
  )
})

test('one text’s names do not become those of another', () => {
  // V8 remembers one name that followed: no other object may begin with this one.
  JSON.parse('{"confusing":1,"\\\\u":1}')
  const text = '{"confusing":1,"\\u4e2d\\u6587":2}'
  expect(parseJson(text)).toEqual({ confusing: 1, 中文: 2 })
  expect(atOnce(parseJsonInSteps(text))).toEqual({ confusing: 1, 中文: 2 })
})

describe('hasEscapedNames', () => {
  test.each([
    ['{"a":"b"}', false],
    ['{"a":"\\n"}', false],
    ['["\\n","\\"",{"a":"\\\\"}]', false],
    ['{"a":"\\":"}', false],
    ['{"\\n":1}', true],
    ['{"a":{"b\\u0041"  :1}}', true],
    ['{"a":"\\n","\\\\":1}', true],
    ['{"a":"\\', false],
    ['', false],
  ])('%s', (text, expected) => {
    expect(hasEscapedNames(text)).toBe(expected)
  })

  test('of any JSON, as a parser with names of its own sees it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const withoutTexts = text.replaceAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g, (_, inner, colon) =>
          colon !== undefined && String(inner).includes('\\') ? '!' : '',
        )
        expect(hasEscapedNames(text)).toBe(withoutTexts.includes('!'))
      }),
      { numRuns: 2_000 },
    )
  })
})

test('a large text of escapes is looked through in steps', () => {
  const text = `{"a":"${'\\"'.repeat(500_000)}","b":[${'"\\n",'.repeat(200_000)}1],"\\n":1}`
  const steps = [...parseJsonInSteps(text)]
  expect(steps.length).toBeGreaterThan(text.length / 300_000)
  expect(parseJson(text)).toMatchObject({ '\n': 1 })
})

describe('a large text', () => {
  const listOf = (item: string, count: number) => Array.from({ length: count }, () => item).join()
  /** How many strings, objects and arrays there are. */
  function countBuilt(value: unknown): number {
    if (typeof value === 'string') return 1
    if (typeof value !== 'object' || value === null || value === UNREAD) return 0
    return 1 + Object.values(value).reduce((sum: number, one) => sum + countBuilt(one), 0)
  }
  const parsedInSteps = (text: string) => atOnce(parseJsonInSteps(text)) as { all: unknown[] }

  test('is built whole where it has no more values than may be built', () => {
    const text = `{"all":[${listOf('["a"]', (MAX_BUILT - 2) / 2)}],"n":1}`
    expect(countBuilt(parsedInSteps(text))).toBe(MAX_BUILT)
    expect(parsedInSteps(text)).toEqual(JSON.parse(text))
  })

  test.each(['[]', '{}', '"ab"', '{"a":1}', '{"\\u0061":1}', '["a"]', '{"a":{"b":["c"]}}'])(
    'of a megabyte of %s no more is built than may be, and what follows is found',
    (item) => {
      const count = Math.floor(1_000_000 / item.length)
      const value = parsedInSteps(`{"all":[${listOf(item, count)}],"type":{"name":"z"}}`)
      expect(countBuilt(value)).toBeLessThanOrEqual(MAX_BUILT * 1.2)
      expect(value.all).toHaveLength(count)
      expect(value.all[0]).toEqual(JSON.parse(item))
      expect(value.all.at(-1)).toBe(UNREAD)
      expect(value).toMatchObject({ type: { name: 'z' } })
    },
  )

  test('of a megabyte of members no more is built either', () => {
    const members = Array.from({ length: 80_000 }, (_, n) => `"f${n}":["a"]`).join()
    const value = parsedInSteps(`{"all":{${members}},"type":"z"}`)
    expect(countBuilt(value)).toBeLessThanOrEqual(MAX_BUILT * 1.2)
  })
})
