import { describe, expect, test } from '@jest/globals'
import { cpuMs } from '@posthorn/testing/processor-time'
import fc from 'fast-check'
import { createAddressMatcher } from './address-matcher.ts'

const ADDRESS = 'ann@example.com'
const { matches } = createAddressMatcher(ADDRESS)

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
const percent = (text: string): string => text.replaceAll(/./gs, (c) => `%${hex(c, 2)}`)
const json = (text: string): string => text.replaceAll(/./gs, (c) => `\\u${hex(c, 4)}`)
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

describe('an address as a whole', () => {
  test.each([
    'ann@example.com',
    'ANN@Example.COM',
    '{"email":"ann@example.com"}',
    '"Ann <ann@example.com>"',
    'mailto:ann@example.com?subject=x',
    'https://shop.example/?email=ann@example.com&x=1',
    'a,ann@example.com;b',
    'Write to ann@example.com. Or call.',
    'Write to ann@example.com- or call.',
    "'ann@example.com'",
    'see ...ann@example.com',
    'ann%40example.com',
    'email=ann%40Example.com&n=1',
    'https%3A%2F%2Fx.example%2F%3Fe%3Dann%2540example.com',
    String.raw`{"e":"ann\u0040example.com"}`,
    String.raw`{"e":"\u0041nn@example.com"}`,
    String.raw`{"e":"{\"to\":\"ann\\u0040example.com\"}"}`,
    String.raw`{"text":"to:\nann@example.com\tnow"}`,
    String.raw`{"text":"\\nann@example.com"}`,
    '%E2%80%9Cann%40example.com%E2%80%9D',
    percent(ADDRESS),
    json(ADDRESS),
    json(percent(ADDRESS)),
    percent(json(ADDRESS)),
    quoted(quoted(json(ADDRESS))),
  ])('counts: %s', (text) => {
    expect(matches(text)).toBe(true)
  })

  test.each([
    'joann@example.com',
    'jo.ann@example.com',
    'jo-ann@example.com',
    'jo_ann@example.com',
    'jo+ann@example.com',
    "jo'ann@example.com",
    'ann+shop@example.com',
    'ann@example.com.au',
    'ann@example.community',
    'ann@example.com-shop.net',
    'ann@example.co',
    'ann@mail.example.com',
    'nn@example.com',
    'ann@example,com',
    'ann at example.com',
    'ann@',
    'éann@example.com',
    '%C3%A9ann%40example.com',
    'jo%2Eann%40example.com',
    'ann%40example.com%2Eau',
    'ann@example.com%2Eau',
    String.raw`jo\u002eann@example.com`,
    String.raw`ann@example.com\u002eau`,
    String.raw`j\u006fann@example.com`,
    percent('joann@example.com'),
    json('ann@example.com.au'),
    'ann\u0130@example.com',
    '',
  ])('does not count: %s', (text) => {
    expect(matches(text)).toBe(false)
  })

  test('letters that are lowered to ASCII ones are others', () => {
    const { matches: matchesKim } = createAddressMatcher('kim@example.com')
    expect(matchesKim('\u212aim@example.com')).toBe(false)
    expect(matchesKim('KIM@example.com')).toBe(true)
  })

  test.each(['50%off@example.com', 'a%41b@example.com', 'a/b@example.com'])(
    'also with signs that escapes are made of: %s',
    (address) => {
      const { matches: found } = createAddressMatcher(address)
      for (const text of [address, percent(address), json(address), quoted(address)])
        expect(found(`{"e":"${text}"}`)).toBe(true)
      expect(found(address.replaceAll('/', String.raw`\/`))).toBe(true)
      expect(found(`x${address}`)).toBe(false)
    },
  )
})

/** Spellings of one character. */
const spelling = fc.constantFrom<((c: string) => string)[]>(
  (c) => c,
  (c) => c.toUpperCase(),
  percent,
  (c) => percent(c).toUpperCase(),
  json,
  (c) => percent(percent(c)),
  (c) => json(percent(c)),
)

test('however each character is spelled, and wherever in a long text it stands', () => {
  const spellings = fc.array(spelling, { minLength: ADDRESS.length, maxLength: ADDRESS.length })
  fc.assert(
    fc.property(
      spellings,
      fc.integer({ min: 0, max: 80_000 }),
      fc.integer({ min: 0, max: 80_000 }),
      fc.constantFrom('jo.', 'x', ''),
      (each, before, after, prefix) => {
        const spelled = Array.from(ADDRESS, (c, index) => each[index]?.(c)).join('')
        const text = `${' '.repeat(before)}${prefix}${spelled}${' '.repeat(after)}`
        return matches(text) === (prefix === '')
      },
    ),
    { numRuns: 300 },
  )
})

test('where a long text is cut into slices, a part of a longer address is none', () => {
  // A slice begins at 24,576, and the one before it ends at 32,768.
  for (let at = 24_440; at < 24_640; at += 7) {
    for (const text of ['jo.ann@example.com', 'ann@example.com.au', percent('ann@example.com.au')])
      expect(matches(`${' '.repeat(at)}${text}${' '.repeat(80_000)}`)).toBe(false)
  }
  for (let at = 32_540; at < 32_840; at += 7) {
    const text = percent('ann@example.com.au')
    expect(matches(`${' '.repeat(at)}${text}${' '.repeat(80_000)}`)).toBe(false)
    expect(matches(`${' '.repeat(at)}${percent(ADDRESS)}${' '.repeat(80_000)}`)).toBe(true)
  }
})

describe('a text that is made to cost much', () => {
  const MIB = 1024 * 1024
  /** They take 5 ms at most. */
  const MOST_MS = 12
  const fill = (unit: string): string => unit.repeat(Math.ceil(MIB / unit.length))
  const long = `${'a'.repeat(64)}@${'a.'.repeat(94)}a`

  test.each([
    ['@', ADDRESS],
    ['ann@example.co', ADDRESS],
    ['%41', ADDRESS],
    ['%25', ADDRESS],
    ['%2525252540', ADDRESS],
    ['%c3%a9', ADDRESS],
    ['\\', ADDRESS],
    [String.raw`\u0061`, ADDRESS],
    [String.raw`\u005c\u005c`, ADDRESS],
    ['a', long],
    [`${'a'.repeat(64)}@`, long],
    ['a@a.', long],
    ['%40', '%40%40%40%40@example.com'],
  ])('%s, over and over', (unit, address) => {
    const matcher = createAddressMatcher(address)
    const text = fill(unit)
    const walk = matcher.steps(text)
    const usedMs: number[] = []
    let found: boolean | undefined
    while (found === undefined)
      usedMs.push(
        cpuMs(() => {
          found = walk.next().value
        }),
      )
    expect(found).toBe(false)
    // The middle one: a collection of garbage may fall into any of them.
    const middle = usedMs.toSorted((a, b) => a - b)[usedMs.length >> 1] ?? 0
    expect(middle).toBeLessThan(MOST_MS)
  })
})
