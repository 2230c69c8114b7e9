import { expect, test } from '@jest/globals'
import { endpointLimit, planForEndpoints } from './plans.ts'

test.each([
  ['free', 10],
  ['starter', 50],
  ['growth', 500],
  ['scale', 5_000],
  ['self_hosted', 10_000],
  ['one that this version does not know', 10_000],
])('%s allows %d endpoints', (plan, limit) => {
  expect(endpointLimit(plan, 10_000)).toBe(limit)
})

test('the installation’s number holds for every plan', () => {
  expect(endpointLimit('scale', 20)).toBe(20)
  expect(endpointLimit('free', 20)).toBe(10)
})

test.each([
  [1, 'free'],
  [10, 'free'],
  [11, 'starter'],
  [5_001, 'self_hosted'],
  [10_001, null],
])('%d endpoints need the plan %s', (count, plan) => {
  expect(planForEndpoints(count, 10_000)).toBe(plan)
})
