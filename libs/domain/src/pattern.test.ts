import { expect, test } from '@jest/globals'
import { leastCpuMs } from '@posthorn/testing/processor-time'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { type CompiledPattern, compilePattern } from './pattern.ts'
import { sizeOfPattern } from './pattern-size.ts'
import { TooCostly } from './step-budget.ts'

type Ok = Extract<CompiledPattern, { outcome: 'ok' }>

function compiled(pattern: string): Ok {
  const made = compilePattern(pattern, { left: 1_000_000 })
  if (made.outcome === 'invalid') throw new Error(made.reason)
  return made
}

function reasonFor(pattern: string): string {
  const made = compilePattern(pattern, { left: 2_400 })
  return made.outcome === 'invalid' ? made.reason : ''
}

/** The result and the steps that it took; null: it would have taken more than allowed. */
function run({ test: find }: Ok, text: string, steps: number): [boolean | null, number] {
  const budget = { left: steps }
  try {
    return [find(text, budget), steps - budget.left]
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return [null, steps]
  }
}

/** Patterns of all kinds of parts, over the few characters of the texts. */
const { pattern: anyPattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('a', 'b', 'é', '😀', '\\n', '.', '^', '$', '\\b', '\\B', '\\A', '\\z', ''),
    fc.constantFrom(
      '[ab]',
      '[^a]',
      '\\w',
      '\\D',
      '\\pL',
      '\\PN',
      '[[:alpha:]b]',
      '[a-é]',
      '\\x{e9}',
    ),
    fc.constantFrom('(?i)É', '(?i)[a-k]', '(?s).', '(?m)^a$', '\\Qa.b\\E', '(?i:K)', 'a{2}{'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}|${right}`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{1,3}', '{0,2}', '{2,}'))
      .map(([part, times]) => `(?:${part})${times}`),
    tie('pattern').map((part) => `(${part})`),
  ),
}))
const anyText = fc
  .array(
    fc.constantFrom('a', 'b', 'A', 'K', '\u212a', 'é', 'É', '😀', '\ud83d', '\n', '1', '_', ' '),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))

test('finds what the library finds', () => {
  let found = 0
  fc.assert(
    fc.property(anyPattern, fc.array(anyText, { minLength: 4, maxLength: 4 }), (pattern, texts) => {
      const made = compilePattern(pattern, { left: 1_000_000 })
      if (made.outcome === 'invalid') return
      const theirs = RE2JS.compile(pattern)
      for (const text of texts) {
        const expected = theirs.test(text)
        expect([pattern, text, run(made, text, 100_000)[0]]).toEqual([pattern, text, expected])
        found += expected ? 1 : 0
      }
    }),
    { numRuns: 3_000 },
  )
  expect(found).toBeGreaterThan(500)
})

test('a pattern is never larger than was estimated from its text', () => {
  fc.assert(
    fc.property(anyPattern, (pattern) => {
      let size: number
      try {
        size = RE2JS.compile(pattern).programSize()
      } catch {
        return
      }
      expect(sizeOfPattern(pattern).instructions).toBeGreaterThanOrEqual(size)
    }),
    { numRuns: 3_000 },
  )
})

/** It takes 3 to 6 ms. */
const MOST_MS = 25

test.each([
  ['a{1000}'.repeat(100), /too large/],
  ['(?:\\b|^|$){1000}'.repeat(60), /too large/],
  ['a[ab]{900}[cd]|b[ab]{900}[cd]|c[ab]{900}[cd]|d[ab]{900}', /too large/],
  ['(ab?){1000}', /too large/],
  [`(?i)[${'\\pL'.repeat(300)}]`, /classes of thousands/],
  [`(?i)${'[\\x{42}-\\x{1e942}]'.repeat(20)}`, /classes of thousands/],
  ['x'.repeat(1_001), /at most 1000 characters/],
  [`(?i)${'[\\pL]'.repeat(30)}`, /too costly together/],
])('%s is refused before it is compiled', (pattern, message) => {
  const ms = leastCpuMs(MOST_MS, () => expect(reasonFor(pattern)).toMatch(message))
  expect(ms).toBeLessThan(MOST_MS)
})

/**
 * Each takes as many steps for a character as the program has instructions, or makes other engines
 * do so.
 */
const HOSTILE = [
  'a[ab]{480}[cd]',
  'a[ab]{900}[cd]',
  '(?:a?){250}a{250}c',
  '(?:a|b|ab|ba)*c',
  '(?:(?:\\b|^|$|a?)*){20}c',
  '(.*)(.*)(.*)(.*)c',
  '(a+)+$c',
  '[ab]*a[ab]{400}c',
]

test.each(HOSTILE)('%s takes no more than the steps it is given', (pattern) => {
  const made = compiled(pattern)
  const text = Array.from({ length: 65_000 }, (_, n) => 'ab'[((n * 7_919) >> 3) & 1]).join('')
  let spent = 0
  const ms = leastCpuMs(MOST_MS, () => {
    spent = run(made, text, 250_000)[1]
  })
  expect(spent).toBeLessThanOrEqual(250_000)
  expect(ms).toBeLessThan(MOST_MS)
})

test('steps grow with the text, never faster', () => {
  fc.assert(
    fc.property(anyPattern, anyText, (pattern, part) => {
      const made = compilePattern(pattern, { left: 1_000_000 })
      if (made.outcome === 'invalid') return
      const text = part.repeat(10)
      const [, steps] = run(made, text, Number.MAX_SAFE_INTEGER)
      // Beyond Latin-1 a class takes five steps instead of one.
      expect(steps).toBeLessThanOrEqual((text.length + 1) * (made.instructions * 6 + 2))
    }),
    { numRuns: 1_000 },
  )
})
