import { expect, test } from '@jest/globals'
import { createLookupCache } from './lookup-cache.ts'

function setUp(max = 2) {
  const clock = { ms: 0 }
  const config = { freshMs: 1_000, maxFound: max, maxMissing: max }
  const cache = createLookupCache<string>(config, () => clock.ms)
  return { cache, clock }
}

test('keeps what was found, and what nobody has, from the beginning of the look-up on', () => {
  const { cache, clock } = setUp()
  const keep = cache.begin()
  clock.ms = 400
  keep('a', 'A')
  keep('b', null)
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual(['A', null, undefined])
  clock.ms = 999
  expect([cache.peek('a'), cache.peek('b')]).toEqual(['A', null])
  clock.ms = 1_000
  expect([cache.peek('a'), cache.peek('b')]).toEqual([undefined, undefined])
  expect([cache.wasFound('a'), cache.wasFound('b')]).toEqual([true, false])
})

test('a later look-up replaces what was known, either way', () => {
  const { cache } = setUp()
  cache.begin()('a', 'A')
  cache.begin()('a', null)
  expect([cache.peek('a'), cache.wasFound('a')]).toEqual([null, false])
  cache.begin()('a', 'again')
  expect(cache.peek('a')).toBe('again')
})

test('keys that nobody has drive out none that somebody has, and the oldest of each kind go', () => {
  const { cache } = setUp()
  const keep = cache.begin()
  keep('a', 'A')
  for (const key of ['x', 'y', 'z']) keep(key, null)
  expect([cache.peek('a'), cache.peek('x'), cache.peek('y')]).toEqual(['A', undefined, null])
  for (const key of ['b', 'c']) keep(key, key)
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([undefined, 'b', 'c'])
})

test('an invalidation drops what matches, and the look-ups under way', () => {
  const { cache } = setUp()
  const keep = cache.begin()
  keep('a', 'A')
  keep('b', 'B')
  cache.invalidate((value) => value === 'A')
  keep('c', 'C')
  expect(['a', 'b', 'c'].map(cache.peek)).toEqual([undefined, 'B', undefined])
  cache.begin()('c', 'C')
  expect(cache.peek('c')).toBe('C')
})

test('what nobody had is forgotten alone', () => {
  const { cache } = setUp()
  const keep = cache.begin()
  keep('a', 'A')
  keep('b', null)
  cache.forgetMissing()
  expect([cache.peek('a'), cache.peek('b')]).toEqual(['A', undefined])
})
