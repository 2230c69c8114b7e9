import { expect, test } from '@jest/globals'
import { bodyText, keptHeaders } from './response-text.ts'

test('NUL and broken UTF-8 become U+FFFD', () => {
  expect(bodyText([Buffer.from('a\0b'), Buffer.from([0xff, 0x63])], false)).toBe('a\uFFFDb\uFFFDc')
})

test('a character in two chunks is whole, one split by the cut is left out', () => {
  const euro = Buffer.from('€')
  expect(bodyText([euro.subarray(0, 1), euro.subarray(1)], false)).toBe('€')
  expect(bodyText([Buffer.from('a'), euro.subarray(0, 2)], true)).toBe('a')
  expect(bodyText([Buffer.from('a'), euro.subarray(0, 2)], false)).toBe('a\uFFFD')
})

test('no body is an empty text', () => {
  expect(bodyText([], false)).toBe('')
})

test('headers are kept up to 4 KiB, a repeated one joined', () => {
  const kept = keptHeaders({ 'set-cookie': ['a=1', 'b=2'], long: 'x'.repeat(5000), after: 'y' })
  expect(kept['set-cookie']).toBe('a=1, b=2')
  expect(kept['after']).toBeUndefined()
  expect(JSON.stringify(kept).length).toBeLessThan(4200)
  expect(kept['long']).toMatch(/^x{4000,}$/)
})

test('a header called __proto__ changes nothing', () => {
  const headers = JSON.parse('{"__proto__": "polluted", "a": "b"}')
  expect(keptHeaders(headers)).toEqual({ a: 'b' })
})
