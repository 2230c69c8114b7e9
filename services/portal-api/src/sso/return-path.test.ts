import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { returnPath } from './return-path.ts'

test.each([
  ['/', '/'],
  ['/endpoints', '/endpoints'],
  ['/endpoints?status=paused#top', '/endpoints?status=paused#top'],
  ['/a/../b', '/b'],
  ['/search?q=https://elsewhere.example/', '/search?q=https://elsewhere.example/'],
])('%j leads to %j', (text, path) => {
  expect(returnPath(text)).toBe(path)
})

test.each([
  undefined,
  '',
  'endpoints',
  '//evil.example',
  '///evil.example',
  'https://evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%09/evil.example\r\nSet-Cookie: a=b',
  `/${'a'.repeat(2_000)}`,
])('%j leads to nobody else', (text) => {
  expect(returnPath(text)).toBe('/')
})

test('whatever is given, a browser stays with us', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    '%2f',
    '%5c',
    '\t',
    'evil.example',
    '?',
    '#',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }), (pieces) => {
      const url = new URL(returnPath(pieces.join('')), 'https://own.example/login')
      expect(url.origin).toBe('https://own.example')
    }),
    { numRuns: 2_000 },
  )
})
