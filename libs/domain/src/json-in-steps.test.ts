import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type ParseRules, parseInSteps, UNREAD } from './json-in-steps.ts'
import { MAX_NESTING } from './nesting.ts'

function parsed(text: string, rules: ParseRules = {}): { value: unknown; steps: number } {
  const parsing = parseInSteps(text, rules)
  for (let steps = 1; ; steps += 1) {
    const next = parsing.next()
    if (next.done === true) return { value: next.value, steps }
  }
}

function outcomeOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) }
  } catch (error) {
    return (error as Error).name
  }
}

function expectSame(text: string): void {
  const ours = outcomeOf((one) => parsed(one).value, text)
  const theirs = outcomeOf((one) => JSON.parse(one) as unknown, text)
  expect({ text, parsed: ours }).toEqual({ text, parsed: theirs })
  // The order of members counts, and so do own properties named like the prototype.
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
}

test('gives the value that JSON.parse gives', () => {
  const spaced = fc.tuple(fc.jsonValue(), fc.constantFrom(0, 1, '\t', '\r\n'))
  fc.assert(
    fc.property(spaced, ([value, space]) => {
      expectSame(JSON.stringify(value, null, space as string))
    }),
  )
  const names = '{"b":1,"a":2,"b":3,"2":4,"1":5,"__proto__":{"x":[]},"__proto__":6,"":7}'
  for (const text of [names, ' [ ] ', '{ }', '-0', '1e400', '"\\ud800\\u0041"', '"\u2028\u007f"'])
    expectSame(text)
})

test('refuses what JSON.parse refuses', () => {
  const almost = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '\\', '\n', '0'),
    )
    .map(([text, where, put]) => {
      const at = where % (text.length + 1)
      return text.slice(0, at) + put + text.slice(at + 1)
    })
  fc.assert(fc.property(almost, expectSame), { numRuns: 1_000 })
  const wrong = [
    '',
    ' ',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,]',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1,}',
    '{a:1}',
  ]
  const more = [
    '01',
    '+1',
    '1.',
    '.5',
    '1e',
    '-',
    'nul',
    'truex',
    '"\n"',
    '"\\x"',
    "'a'",
    '1 2',
    '"a',
  ]
  for (const text of [...wrong, ...more, '[1}', '{"a":1]', '\ufeff1', '\u00a01']) expectSame(text)
})

test('takes a step for each few texts that are long', () => {
  const text = `"${'\\"'.repeat(40_000)}"`
  expect(parsed(`[${Array.from({ length: 100 }, () => text).join()}]`).steps).toBeGreaterThan(24)
})

test('takes a step for each few thousand values, however they are nested', () => {
  const keys = `{${Array.from({ length: 40_000 }, (_, n) => `"k${n}":[]`).join(',')}}`
  expect(parsed(keys).steps).toBeGreaterThan(9)
  expect(Object.keys(parsed(keys).value as object)).toHaveLength(40_000)
  expect(parsed('['.repeat(20_000) + ']'.repeat(20_000)).steps).toBeGreaterThan(4)
  expect(parsed(`["${'x'.repeat(200_000)}"]`).steps).toBe(1)
})

const LONG = 300_000

test.each(['\\n', '\\u0041', '\\ud83d', '\\ud83d\\ude00', '\\\\', '\\"', 'xy\\u4141', 'é'])(
  'a long string of %s is read in steps, as a value and as a name',
  (unit) => {
    const inner = `a${unit.repeat((3 * LONG) / unit.length)}`
    for (const text of [`{"a":["${inner}",1]}`, `{"${inner}":{"b":2}}`]) {
      expect(parsed(text).steps).toBeGreaterThan(2)
      expect(parsed(text).value).toStrictEqual(JSON.parse(text))
    }
  },
)

test('a long string is refused where JSON.parse refuses it', () => {
  const long = '\\n'.repeat(LONG)
  for (const inner of [
    `${long}\\x`,
    `${long}\\u12`,
    `${long}\n`,
    `\t${long}`,
    `${long}\\uzzzz${long}`,
  ])
    expect(() => parsed(`["${inner}"]`)).toThrow(SyntaxError)
  for (const text of [`["${long}`, `["${long}\\"`, `{"${long}`, `{"${long}"`, `["${long}\\`])
    expect(() => parsed(text)).toThrow(SyntaxError)
})

const unreadB: ParseRules = {
  isUnread: (open) =>
    open.at(-1)?.kind === 'object' && (open.at(-1) as { name: string }).name === 'b',
}

test('an object that nobody reads is checked like any other and not built', () => {
  const { value } = parsed('{"a":{"b":{"x":[{},{"b":1}],"y":"z"},"c":2},"b":{},"d":[3]}', unreadB)
  expect(value).toEqual({ a: { b: UNREAD, c: 2 }, b: UNREAD, d: [3] })
  // Only objects: what else stands there is built.
  expect(parsed('{"b":[1,{"b":2}]}', unreadB).value).toEqual({ b: [1, { b: 2 }] })
  for (const wrong of [
    '{"b":{"x":}}',
    '{"b":{"x":01}}',
    '{"b":{"x" 1}}',
    '{"b":{"x":1',
    '{"b":{]}',
  ])
    expect(() => parsed(wrong, unreadB)).toThrow(SyntaxError)
})

test('whatever stands in an object that nobody reads, its text is refused where JSON.parse refuses it', () => {
  const almost = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', '0'))
    .map(([text, where, put]) => {
      const at = where % (text.length + 1)
      return `{"b":{"x":${text.slice(0, at)}${put}${text.slice(at)}},"c":1}`
    })
  const isRefused = (work: () => unknown): boolean => {
    try {
      work()
      return false
    } catch {
      return true
    }
  }
  fc.assert(
    fc.property(almost, (text) => {
      expect(isRefused(() => parsed(text, unreadB))).toBe(isRefused(() => JSON.parse(text)))
    }),
    { numRuns: 1_000 },
  )
})

test('too deep, too many values and too many members are told before they are built', () => {
  const told = (what: string) => (): never => {
    throw new Error(what)
  }
  const rules: ParseRules = {
    ...unreadB,
    onDeep: told('deep'),
    maxBuilt: 10_000,
    maxMembers: 2_000,
    onTooMany: told('many'),
  }
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  expect(parsed(nested(MAX_NESTING), rules).value).toBeTruthy()
  expect(() => parsed(nested(MAX_NESTING + 1), rules)).toThrow('deep')
  expect(() => parsed(`{"b":{"x":${nested(MAX_NESTING)}}}`, rules)).toThrow('deep')
  const zeros = (count: number): string => `[${Array.from({ length: count }, () => 0).join()}]`
  expect(parsed(zeros(9_999), rules).value).toHaveLength(9_999)
  expect(() => parsed(zeros(10_000), rules)).toThrow('many')
  expect(parsed(`{"b":{"x":${zeros(20_000)}}}`, rules).value).toEqual({ b: UNREAD })
  const fields = Array.from({ length: 9_000 }, (_, n) => `"f${n}":0`).join()
  expect(() => parsed(`{${fields}}`, rules)).toThrow('many')
  expect(parsed(`{"b":{${fields}}}`, rules).value).toEqual({ b: UNREAD })
})

test('beyond the cut nothing is built but what members and first elements lead to', () => {
  const rules: ParseRules = { cutAt: 10 }
  // The object and the list count too.
  const eight = '"a","b",[],{},1.5,1e10,"g","h"'
  const { value } = parsed(
    `{"all":[${eight},"i",[1],1,true,null,2.5],"z":["x","y",{"b":1}]}`,
    rules,
  )
  expect(value).toEqual({
    all: ['a', 'b', [], {}, 1.5, 1e10, 'g', 'h', UNREAD, UNREAD, 1, true, null, UNREAD],
    z: ['x', UNREAD, UNREAD],
  })
  const { all } = value as { all: unknown[] }
  expect(all[9]).toBe(UNREAD)
  expect(all[3]).not.toBe(UNREAD)
  // A fifth more of those that members lead to, and then none of them.
  const fields = Array.from({ length: 20 }, (_, n) => `"f${n}":{"b":"c"}`).join()
  const built = Object.values(parsed(`{${fields}}`, rules).value as object)
  expect(built.filter((one) => one !== UNREAD)).toEqual([
    ...Array.from({ length: 5 }, () => ({ b: 'c' })),
    { b: UNREAD },
  ])
})

test('beyond the cut a text is refused where JSON.parse refuses it', () => {
  for (const text of [
    '[1,"a",01]',
    '[["a"],["a" 1]]',
    '["a","\\x"]',
    '["a",{"b"}]',
    '["a",{"b":1]',
  ])
    expect(() => parsed(text, { cutAt: 1 })).toThrow(SyntaxError)
})
