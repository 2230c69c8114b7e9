import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { matchesAny, matchesType } from './match-type.ts'

test.each([
  ['*', 'payment.paid', true],
  ['*', 'a', true],
  ['payment.*', 'payment.paid', true],
  ['payment.*', 'payment.card.paid', true],
  ['payment.*', 'payment.', true],
  ['payment.*', 'payment', false],
  ['payment.*', 'payments.paid', false],
  ['payment.paid', 'payment.paid', true],
  ['payment.paid', 'payment.paid.late', false],
  ['*.paid', 'payment.paid', true],
  ['*.paid', 'payment.paid.late', false],
  ['pay*paid', 'payment.paid', true],
  ['pay*paid', 'paypaid', true],
  ['pay*paid', 'paypai', false],
  ['aba*aba', 'aba', false],
  ['aba*aba', 'ababa', false],
  ['aba*aba', 'abaaba', true],
  ['*a*b*', 'xxaxxbxx', true],
  ['*a*b*', 'xxbxxaxx', false],
  ['a**b', 'ab', true],
  ['***', 'x', true],
  ['*ab*ab', 'ab', false],
  ['*ab*ab', 'abab', true],
  ['a.c', 'abc', false],
  ['Payment.*', 'payment.paid', false],
])('%s takes %s: %s', (pattern, type, expected) => {
  expect(matchesType(pattern, type)).toBe(expected)
})

test.each([
  ['*', false],
  ['*.event.dead', false],
  ['s*', false],
  ['service*', false],
  ['service.*', true],
  ['service.event.*', true],
  ['service.event.dead', true],
  ['service.endpoint.*', false],
])('operational events go only to patterns that name them: %s', (pattern, expected) => {
  expect(matchesType(pattern, 'service.event.dead')).toBe(expected)
})

test('agrees with a regular expression', () => {
  const text = (letters: string): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom(...letters.split('')), { maxLength: 12 })
      .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text('ab.*'), text('ab.'), (pattern, type) => {
      const regex = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
      expect(matchesType(pattern, type)).toBe(regex.test(type))
    }),
    { numRuns: 3_000 },
  )
})

test('any of several is enough, and none is none', () => {
  expect(matchesAny(['x', 'a.*'], 'a.b')).toBe(true)
  expect(matchesAny(['x', 'y'], 'a.b')).toBe(false)
  expect(matchesAny([], 'a.b')).toBe(false)
})

test('many stars take no exponential time', () => {
  const pattern = `${'a*'.repeat(100)}b`
  expect(matchesType(pattern, 'a'.repeat(250))).toBe(false)
})
