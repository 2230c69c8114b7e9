import { expect, test } from '@jest/globals'
import { leastCpuMs } from '@posthorn/testing/processor-time'
import fc from 'fast-check'
import { parseInSteps } from './json-in-steps.ts'
import { isLongAsJson } from './json-length.ts'

test('a value is long when its JSON is', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...'abc {}[],:'.split('')) })
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, -1, 1e21, 0.5),
      ascii,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(ascii, tie('json'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(json, (value) => {
      const { length } = JSON.stringify(value)
      expect(isLongAsJson(value, length)).toBe(false)
      expect(isLongAsJson(value, length - 1)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('escapes alone do not make it long', () => {
  expect(isLongAsJson('\n\0"', 5)).toBe(false)
  expect(isLongAsJson('\n\0"', 4)).toBe(true)
})

test.each([
  ['lists', `[${'[],'.repeat(340_000)}1]`],
  ['members', `{${Array.from({ length: 90_000 }, (_, n) => `"${n}":0`).join()}}`],
  ['numbers', `[${'1,'.repeat(500_000)}1]`],
  ['a text', `["${'a'.repeat(1_000_000)}"]`],
])('a megabyte of %s costs no more than the characters that are counted', (_, text) => {
  const parsing = parseInSteps(text)
  let step = parsing.next()
  while (step.done !== true) step = parsing.next()
  const { value } = step
  expect(isLongAsJson(value, 64 * 1024)).toBe(true)
  expect(leastCpuMs(5, () => isLongAsJson(value, 64 * 1024))).toBeLessThan(5)
})
