import { expect, test } from '@jest/globals'
import type { EngineScript } from './engine.ts'
import { createWarmScripts } from './warm-scripts.ts'

const MIB = 1024 * 1024

function script(grownBytes = 0): EngineScript {
  return { call: () => ({ outcome: 'returned', text: 'null' }), grownBytes: () => grownBytes }
}

test('the one that was used longest ago goes first', () => {
  const warm = createWarmScripts()
  const first = script()
  warm.keep('0', first)
  for (let n = 1; n < 200; n += 1) warm.keep(String(n), script())
  warm.keep('0', first)
  warm.keep('200', script())
  expect(warm.size()).toBe(200)
  expect(warm.get('0')).toBe(first)
  expect(warm.get('1')).toBeUndefined()
})

test('what they have grown by is bounded over all of them', () => {
  const warm = createWarmScripts()
  for (const key of ['a', 'b', 'c', 'd']) warm.keep(key, script(16 * MIB))
  expect(warm.size()).toBe(4)
  warm.keep('small', script(1))
  expect(warm.get('a')).toBeUndefined()
  expect(warm.size()).toBe(4)
  warm.forget('b')
  warm.keep('e', script(16 * MIB - 1))
  expect(warm.size()).toBe(4)
})

test('one is loaded afresh after a thousand calls', () => {
  const warm = createWarmScripts()
  const one = script()
  for (let calls = 1; calls < 1_000; calls += 1) warm.keep('a', one)
  expect(warm.get('a')).toBe(one)
  warm.keep('a', one)
  expect(warm.get('a')).toBeUndefined()
  for (let calls = 1; calls < 1_000; calls += 1) warm.keep('b', one)
  warm.keep('b', script())
  warm.keep('b', script())
  expect(warm.get('b')).toBeDefined()
})
