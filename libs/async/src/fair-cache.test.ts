import { expect, test } from '@jest/globals'
import { createFairCache } from './fair-cache.ts'

test('a tenant with very many pushes out its own, the longest unused first', () => {
  const cache = createFairCache<number>(100)
  for (const tenant of ['a', 'b', 'c']) cache.set(tenant, 'x', 1, 10)
  for (let n = 0; n < 500; n += 1) {
    cache.set('greedy', `k${n}`, n, 10)
    cache.get('greedy', 'k0')
  }
  for (const tenant of ['a', 'b', 'c']) expect(cache.get(tenant, 'x')).toBe(1)
  expect(cache.get('greedy', 'k499')).toBe(499)
  expect(cache.get('greedy', 'k0')).toBe(0)
  expect(cache.get('greedy', 'k490')).toBe(undefined)
})

test('many tenants that take the same have the same', () => {
  const cache = createFairCache<number>(100)
  for (let n = 0; n < 10; n += 1) cache.set('first', `k${n}`, n, 10)
  for (let n = 0; n < 5; n += 1) cache.set('second', `k${n}`, n, 10)
  const kept = (tenant: string): number =>
    Array.from({ length: 10 }, (_, n) => cache.get(tenant, `k${n}`)).filter((n) => n !== undefined)
      .length
  expect([kept('first'), kept('second')]).toEqual([5, 5])
})

test('what is set again is counted once, and what is larger than all is not kept', () => {
  const cache = createFairCache<number>(100)
  cache.set('a', 'small', 0, 10)
  for (let n = 0; n < 50; n += 1) cache.set('b', 'x', n, 60)
  expect(cache.get('b', 'x')).toBe(49)
  expect(cache.get('a', 'small')).toBe(0)
  cache.set('b', 'y', 1, 1_000)
  expect(cache.get('b', 'y')).toBe(undefined)
  expect(cache.get('a', 'small')).toBe(0)
})
