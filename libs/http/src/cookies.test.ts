import { expect, test } from '@jest/globals'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['service_session=abc', 'abc'],
  ['a=1; service_session=abc; b=2', 'abc'],
  ['a=1;service_session = abc ', 'abc'],
  ['service_session=first; service_session=second', 'first'],
  ['xservice_session=abc; service_sessionx=def', undefined],
  ['service_session', undefined],
  ['service_session=a=b', 'a=b'],
])('%p holds %p', (header, value) => {
  expect(readCookie(header, 'service_session')).toBe(value)
})

test('ten thousand cookies cost no more than a hundred', () => {
  expect(
    readCookie(`${'a=b;'.repeat(10_000)}service_session=abc`, 'service_session'),
  ).toBeUndefined()
})

test('a cookie is for the server alone', () => {
  expect(setCookie('service_session', 'abc', { maxAgeSeconds: 60, secure: true })).toBe(
    'service_session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  )
  expect(
    setCookie('a', 'b', { maxAgeSeconds: 1, secure: false, sameSite: 'None', path: '/x' }),
  ).toBe('a=b; Path=/x; Max-Age=1; HttpOnly; SameSite=None')
  expect(clearCookie('a', { secure: false })).toBe('a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
})
