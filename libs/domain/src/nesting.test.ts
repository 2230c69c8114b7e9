import { expect, test } from '@jest/globals'
import { isNestedTooDeep, isNestedTooDeepInSteps, isValueTooDeep, MAX_NESTING } from './nesting.ts'

const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('200 levels may be, 201 may not, whatever they are made of', () => {
  expect(MAX_NESTING).toBe(200)
  for (const nested of [arrays, objects]) {
    expect(isNestedTooDeep(nested(200))).toBe(false)
    expect(isNestedTooDeep(nested(201))).toBe(true)
    expect(isNestedTooDeep(nested(100_000))).toBe(true)
    expect(isNestedTooDeep(` {"before": [1, {}], "deep"\n:\t${nested(199)}}`)).toBe(false)
    expect(isNestedTooDeep(` {"before": [1, {}], "deep"\n:\t${nested(200)}}`)).toBe(true)
  }
  expect(isNestedTooDeep(`[${arrays(100)},${arrays(199)}]`)).toBe(false)
  expect(isNestedTooDeep(objects(100).replace('1', arrays(101)))).toBe(true)
})

test('a parsed value is as deep as its text', () => {
  for (const nested of [arrays, objects]) {
    expect(isValueTooDeep(JSON.parse(nested(200)))).toBe(false)
    for (const levels of [201, 5_000, 1_000_000])
      expect(isValueTooDeep(JSON.parse(nested(levels)))).toBe(true)
  }
  expect(isValueTooDeep({ a: 1, b: [null, 'x', true, JSON.parse(arrays(199))] })).toBe(true)
  expect(isValueTooDeep({ a: 1, b: [null, 'x', true, JSON.parse(arrays(198))] })).toBe(false)
})

test('many values beside each other are not deep', () => {
  expect(isNestedTooDeep(`[${Array(10_000).fill('{"a":[{}]}').join(',')}]`)).toBe(false)
})

test('what stands in strings and names does not count, however they escape their quotes', () => {
  const brackets = '[{'.repeat(300)
  for (const text of [brackets, `"${brackets}`, `\\${brackets}\\`, `\\"\\\\"${brackets}"`]) {
    expect(isNestedTooDeep(JSON.stringify(text))).toBe(false)
    expect(isNestedTooDeep(JSON.stringify({ [text]: [text, { text }] }))).toBe(false)
    expect(isNestedTooDeep(`{"${JSON.stringify(text).slice(1, -1)}":${arrays(200)}}`)).toBe(true)
  }
})

test('a large text is read in steps, wherever one ends', () => {
  const inSteps = (text: string): { steps: number; isDeep: boolean } => {
    const reading = isNestedTooDeepInSteps(text)
    for (let steps = 1; ; steps += 1) {
      const step = reading.next()
      if (step.done === true) return { steps, isDeep: step.value }
    }
  }
  const step = 128 * 1024
  // An escaped backslash, an escaped quote, brackets that are text, and the end of the string.
  const string = '"a\\\\\\"[[{\\""'
  for (let shift = 0; shift <= string.length + 2; shift += 1) {
    const pad = ' '.repeat(step - 2 - shift)
    const inString = `"${'x'.repeat(step)}\\"${'[\\"'.repeat(step)}"`
    for (const [levels, isDeep] of [
      [198, false],
      [200, true],
    ] as const) {
      const text = `[${pad}${string},${inString},${string},${arrays(levels)}]`
      expect(inSteps(text)).toEqual({ steps: Math.ceil(text.length / step), isDeep })
      expect(isNestedTooDeep(text)).toBe(isDeep)
    }
    JSON.parse(`[${pad}${string},${inString}]`)
  }
  for (const text of ['', '"', `"${'\\"'.repeat(step)}`, `"${'x'.repeat(3 * step)}`])
    expect(inSteps(text).isDeep).toBe(false)
})

test('what is no JSON ends, too', () => {
  for (const text of ['', '"', ']'.repeat(500), `"${'\\"'.repeat(500)}`, '"a'.repeat(501)])
    expect(isNestedTooDeep(text)).toBe(false)
})

test('it costs a number of steps that grows with the text alone', () => {
  const hostile = [
    (size: number) => `["${'\\'.repeat(size - (size % 2))}"]`,
    (size: number) => `["${'\\"'.repeat(size / 2)}"]`,
    (size: number) => `[${'"",'.repeat(size / 3)}1]`,
    (size: number) => '[]'.repeat(size / 2),
    (size: number) => `"${'\\'.repeat(size)}"`,
  ]
  for (const make of hostile) {
    const [small, large] = [make(200_000), make(2_000_000)]
    cpuOf(small)
    // The input is ten times as long; a quadratic algorithm would take a hundred times as long. A
    // millisecond is too short to measure.
    expect(cpuOf(large)).toBeLessThan(40 * Math.max(1, cpuOf(small)))
  }
})

/** Milliseconds, the best of several runs. */
function cpuOf(text: string): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    isNestedTooDeep(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...runs)
}
