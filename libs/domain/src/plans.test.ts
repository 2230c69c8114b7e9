import { expect, test } from '@jest/globals'
import {
  effectiveRate,
  endpointLimit,
  FEATURES,
  hasFeature,
  leastPlanWith,
  PLAN_NAMES,
  planForEndpoints,
  planNamed,
  PLANS,
} from './plans.ts'

test('the rate of an endpoint is at most its plan’s, also without one of its own', () => {
  expect([0, 49, 50, 51].map((asked) => effectiveRate(asked, 'free'))).toEqual([50, 49, 50, 50])
  expect([0, 51].map((asked) => effectiveRate(asked, 'self_hosted'))).toEqual([0, 51])
})

test('each plan has what the one before it has, and more', () => {
  for (const [at, name] of PLAN_NAMES.slice(1).entries()) {
    const before = PLAN_NAMES[at] as (typeof PLAN_NAMES)[number]
    for (const feature of FEATURES) {
      if (hasFeature(before, feature))
        expect([name, hasFeature(name, feature)]).toEqual([name, true])
    }
  }
  expect(PLANS.self_hosted.features).toEqual(FEATURES)
  expect(PLANS.free.features).toEqual([])
})

test('the least plan that has a feature', () => {
  expect(leastPlanWith('inbound')).toBe('starter')
  expect(leastPlanWith('sso')).toBe('growth')
  expect(leastPlanWith('saml')).toBe('scale')
  expect(leastPlanWith('gdpr')).toBe('scale')
})

test('a plan that nobody knows here is the default one', () => {
  expect(planNamed('scale', 'free')).toBe('scale')
  expect(planNamed('galactic', 'free')).toBe('free')
  expect(planNamed(null, 'self_hosted')).toBe('self_hosted')
})

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
