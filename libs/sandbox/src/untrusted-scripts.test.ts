import { expect, test } from '@jest/globals'
import { createUntrustedScripts } from './untrusted-scripts.ts'

test('a script that is slow is careful for a minute, and no other', () => {
  const untrusted = createUntrustedScripts()
  untrusted.slow('k', 1_000)
  expect(untrusted.has('t', 'k', 60_999)).toBe(true)
  expect(untrusted.has('t', 'k', 61_000)).toBe(false)
  expect(untrusted.has('t', 'other', 1_000)).toBe(false)
})

test('three scripts that were stopped make all of their tenant careful, one again and again does not', () => {
  const untrusted = createUntrustedScripts()
  for (let n = 0; n < 10; n += 1) untrusted.stopped('t', 'a', n)
  expect(untrusted.has('t', 'good', 10)).toBe(false)
  untrusted.stopped('t', 'b', 20)
  untrusted.stopped('t', 'c', 30)
  expect(untrusted.has('t', 'good', 40)).toBe(true)
  expect(untrusted.has('u', 'good', 40)).toBe(false)
  expect(untrusted.has('t', 'good', 60_030)).toBe(false)
  untrusted.stopped('t', 'd', 60_040)
  expect(untrusted.has('t', 'good', 60_041)).toBe(false)
})

test('one that stopped a thread is enough, also while it was tried out', () => {
  const untrusted = createUntrustedScripts()
  untrusted.stuck('t', null, 0)
  untrusted.stuck('u', 'k', 0)
  expect(untrusted.has('t', 'good', 1)).toBe(true)
  expect(untrusted.has('u', 'k', 1)).toBe(true)
})

test('remembers no more than it can keep', () => {
  const untrusted = createUntrustedScripts()
  for (let n = 0; n <= 10_000; n += 1) untrusted.slow(`k${n}`, 0)
  expect(untrusted.has('t', 'k0', 1)).toBe(false)
  expect(untrusted.has('t', 'k10000', 1)).toBe(true)
})
