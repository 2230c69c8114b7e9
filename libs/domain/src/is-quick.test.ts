import { expect, test } from '@jest/globals'
import { isQuick } from './is-quick.ts'

test('what is quick has few texts, objects and arrays', () => {
  expect(isQuick(`["${'x'.repeat(1_000_000)}"]`)).toBe(true)
  expect(isQuick(`[${'1,'.repeat(500_000)}1]`)).toBe(true)
  expect(isQuick(`{"a":"${'\\"[{'.repeat(200_000)}"}`)).toBe(true)
  expect(isQuick(`[${'{},'.repeat(20_000)}1]`)).toBe(false)
  expect(isQuick(`[${'"",'.repeat(20_001)}1]`)).toBe(false)
  expect(isQuick(`[${'1,'.repeat(100_000)}"`)).toBe(true)
})

test('whether a text is quick is found in steps, wherever one ends', () => {
  const step = 128 * 1024
  const string = '"\\\\\\"[{\\""'
  for (let shift = 0; shift <= string.length + 2; shift += 1) {
    const pad = ' '.repeat(step - 2 - shift)
    const text = (objects: number): string =>
      `[${pad}${string},"${'{\\"'.repeat(step)}",${'{},'.repeat(objects)}1]`
    JSON.parse(text(1))
    expect(isQuick(text(19_997))).toBe(true)
    expect(isQuick(text(19_998))).toBe(false)
  }
})
