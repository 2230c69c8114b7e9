/**
 * JSON whose white space, names and texts are longer than a step: whatever reads it in steps finds
 * what JSON.parse finds.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { atOnce } from './at-once.ts'
import { parseInSteps } from './json-in-steps.ts'
import { isNestedTooDeep, isNestedTooDeepInSteps } from './nesting.ts'
import { parseJsonInSteps } from './parse-json.ts'
import { memberSlice, memberSliceInSteps, memberSlices } from './raw-json.ts'

const KIB = 1024
/** Around the ends of steps: 128 Ki and 256 Ki characters. */
const LENGTHS = [127 * KIB, 128 * KIB - 1, 128 * KIB, 128 * KIB + 1, 256 * KIB, 256 * KIB + 1]
const length = fc.oneof(
  { weight: 12, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.constantFrom(...LENGTHS) },
)

/** As many whole units as fit into so many characters. */
function repeated(unit: string, characters: number): string {
  return unit.repeat(Math.floor(characters / unit.length))
}

const space = fc
  .tuple(fc.constantFrom(' ', '\n', '\t\r'), length)
  .map(([unit, count]) => repeated(unit, count))
const text = fc
  .tuple(fc.constantFrom('a', '\\"', '\\\\', '\\n', 'é', '}]'), length, fc.constantFrom('', '\\\\'))
  .map(([unit, count, end]) => `"${repeated(unit, count)}${end}"`)
// JSON.parse may read names with escapes wrongly.
const name = fc.oneof(
  fc.constantFrom('"a"', '"b"'),
  fc.tuple(fc.constantFrom('é', '}]'), length).map(([unit, count]) => `"${repeated(unit, count)}"`),
)

const { value, object } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', '-0.5e3', 'true', 'null', '[]', '{}'),
    text,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .array(fc.tuple(space, tie('value'), space), { maxLength: 4 })
    .map((items) => `[${items.map((parts) => parts.join('')).join()}]`),
  object: fc
    .array(fc.tuple(space, name, space, space, tie('value'), space), { maxLength: 4 })
    .map((members) => {
      const spelled = members.map(([a, key, b, c, one, d]) => `${a}${key}${b}:${c}${one}${d}`)
      return `{${spelled.join()}}`
    }),
}))

const RUNS = { numRuns: 150 }

test('it is parsed, and its nesting is counted', () => {
  fc.assert(
    fc.property(space, value, space, (before, one, after) => {
      const json = `${before}${one}${after}`
      const expected = JSON.stringify(JSON.parse(json))
      // Compared as text, for a difference in a long text is not worth being shown.
      expect(JSON.stringify(atOnce(parseInSteps(json))) === expected).toBe(true)
      expect(JSON.stringify(atOnce(parseJsonInSteps(json))) === expected).toBe(true)
      expect(atOnce(isNestedTooDeepInSteps(json))).toBe(isNestedTooDeep(json))
    }),
    RUNS,
  )
})

test('a member is found', () => {
  fc.assert(
    fc.property(space, object, space, (before, one, after) => {
      const json = `${before}${one}${after}`
      const slice = atOnce(memberSliceInSteps(json, 'a'))
      expect(slice).toEqual(memberSlice(json, 'a'))
      const { a } = JSON.parse(json) as { a?: unknown }
      const found = slice === null ? undefined : JSON.parse(json.slice(slice.start, slice.end))
      expect(JSON.stringify(found) === JSON.stringify(a)).toBe(true)
    }),
    RUNS,
  )
})

test('the members of a batch are found', () => {
  const batch = fc.array(fc.tuple(space, object, space), { maxLength: 4 })
  fc.assert(
    fc.property(space, space, batch, (before, after, items) => {
      const list = items.map((parts) => parts.join('')).join()
      const json = `{"e"${before}:${after}[${list}],"a":1}`
      const slices = atOnce(memberSlices(json, 'e', 'a'))
      const found = slices.map((one) => one && JSON.parse(json.slice(one.start, one.end)))
      const { e } = JSON.parse(json) as { e: { a?: unknown }[] }
      expect(JSON.stringify(found) === JSON.stringify(e.map(({ a }) => a ?? null))).toBe(true)
    }),
    RUNS,
  )
})
