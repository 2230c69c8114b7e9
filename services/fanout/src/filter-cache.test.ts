import { expect, test } from '@jest/globals'
import type { Condition } from '@posthorn/domain/filter'
import { createFilterCache } from './filter-cache.ts'

const LARGE: Condition[] = [{ field: '$.v', operator: 'regex', value: 'a[ab]{480}[cd]' }]
const SMALL: Condition[] = [{ field: '$.v', operator: 'eq', value: 1 }]

test('a filter is compiled once for each version of it', () => {
  const keep = createFilterCache()
  const first = keep('t', 'e 1', SMALL)
  expect(keep('t', 'e 1', SMALL)).toBe(first)
  expect(keep('t', 'e 2', LARGE)).not.toBe(first)
  const unusable = keep('t', 'bad', [{ field: '$[', operator: 'eq', value: 1 }])
  expect(unusable.outcome).toBe('invalid')
  expect(keep('t', 'bad', SMALL)).toBe(unusable)
})

test('a tenant with thousands of large filters evicts only its own', () => {
  const keep = createFilterCache(1024 * 1024)
  const mine = keep('small', 'e', SMALL)
  const first = keep('large', '0', LARGE)
  for (let n = 1; n < 30; n += 1) keep('large', String(n), LARGE)
  expect(keep('small', 'e', SMALL)).toBe(mine)
  expect(keep('large', '0', LARGE)).not.toBe(first)
})
