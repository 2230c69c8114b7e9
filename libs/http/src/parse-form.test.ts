import { expect, test } from '@jest/globals'
import { parseForm } from './parse-form.ts'

test('fields are texts by name', () => {
  expect(parseForm('SAMLResponse=PD94%2B&RelayState=a+b%20c&empty=&bare')).toEqual({
    SAMLResponse: 'PD94+',
    RelayState: 'a b c',
    empty: '',
    bare: '',
  })
  expect(parseForm('')).toEqual({})
})

test('a field called __proto__ is one', () => {
  const form = parseForm('constructor=x')
  expect(form).toEqual({ constructor: 'x' })
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  expect(Object.getPrototypeOf(parseForm('__proto__=x'))).toBe(Object.prototype)
})

test.each([
  ['a=1&a=2', 'twice'],
  ['a=%', 'percent-encoding'],
  ['a=%ff', 'percent-encoding'],
  [Array.from({ length: 21 }, (_, n) => `f${n}=`).join('&'), 'more than 20'],
  ['&'.repeat(30) + 'a=1', null],
])('%j is refused', (text, why) => {
  if (why === null) expect(parseForm(text)).toEqual({})
  else expect(() => parseForm(text)).toThrow(why)
})
