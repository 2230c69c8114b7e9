import { expect, test } from '@jest/globals'
import { createAttemptAges } from './attempt-ages.ts'

test('tells each attempt once as lasting and once as slow, and none that has ended', () => {
  const ages = createAttemptAges<number>((startedAt) => startedAt)
  const places = [0, 100, 200].map((startedAt) => ages.started(startedAt))
  expect(ages.tick(299)).toEqual({ lasting: [], slow: [] })
  expect(ages.tick(400)).toEqual({ lasting: [0, 100], slow: [] })
  expect(ages.tick(400)).toEqual({ lasting: [], slow: [] })
  for (const place of [places[2], places[0]]) ages.ended(place!)
  expect(ages.tick(1_100)).toEqual({ lasting: [], slow: [] })
  expect(ages.tick(1_101)).toEqual({ lasting: [], slow: [100] })
  expect(ages.tick(9_000)).toEqual({ lasting: [], slow: [] })
})

test('a look that comes late tells both at once', () => {
  const ages = createAttemptAges<number>((startedAt) => startedAt)
  ages.started(0)
  expect(ages.tick(5_000)).toEqual({ lasting: [0], slow: [0] })
})
