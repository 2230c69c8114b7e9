import { describe, expect, test } from '@jest/globals'
import {
  bestOf,
  bestRun,
  derive,
  isRegression,
  reachesAim,
  secondsUntilBack,
} from './evaluate-runs.ts'

describe('of several runs', () => {
  test('the best of each figure counts, whichever way is better', () => {
    const runs = [
      { spoiled: false, figures: { 'direct.perSecond': 3_000, 'latency.at200.p99': 9 } },
      { spoiled: false, figures: { 'direct.perSecond': 2_000, 'latency.at200.p99': 7 } },
    ]
    expect(bestOf(runs)).toEqual({ 'direct.perSecond': 3_000, 'latency.at200.p99': 7 })
  })

  test('spoiled ones count only when there are no others', () => {
    const good = { spoiled: false, figures: { 'direct.perSecond': 2_000 } }
    const spoiled = { spoiled: true, figures: { 'direct.perSecond': 3_000 } }
    expect(bestOf([good, spoiled])).toEqual({ 'direct.perSecond': 2_000 })
    expect(bestOf([spoiled])).toEqual({ 'direct.perSecond': 3_000 })
    expect(bestOf([])).toEqual({})
  })

  test('the costs are those of the run with the best first figure', () => {
    const run = (perSecond: number, spoiled = false) => ({
      figures: { 'direct.cpuPer1000': 1 / perSecond, 'direct.perSecond': perSecond },
      spoiled,
    })
    const [slow, fast, spoiled] = [run(2_000), run(3_000), run(4_000, true)]
    expect(bestRun([slow, fast, spoiled])).toBe(fast)
    expect(bestRun([spoiled])).toBe(spoiled)
    expect(bestRun([])).toBeUndefined()
  })
})

describe('a regression', () => {
  test.each([
    ['direct.perSecond', 840, 1_000, true],
    ['direct.perSecond', 860, 1_000, false],
    ['direct.perSecond', 2_000, 1_000, false],
    ['latency.at1000.p99', 120, 100, true],
    ['latency.at1000.p99', 110, 100, false],
    ['latency.at1000.p99', 20, 100, false],
  ] as const)('%s is %d and was %d: %s', (name, now, before, expected) => {
    expect(isRegression(name, now, before)).toBe(expected)
  })

  test('is more than the variation from run to run', () => {
    expect(isRegression('latency.at200.p50', 2.9, 2)).toBe(false)
    expect(isRegression('latency.at200.p50', 3.1, 2)).toBe(true)
  })
})

test('an aim is reached from the side that is better', () => {
  expect(reachesAim('direct.perSecond', 'standalone', 4_000)).toBe(true)
  expect(reachesAim('direct.perSecond', 'standalone', 3_999)).toBe(false)
  expect(reachesAim('idle.cpu', 'cluster', 4)).toBe(true)
  expect(reachesAim('idle.cpu', 'cluster', 4.1)).toBe(false)
  expect(reachesAim('slow.scale', 'standalone', 0)).toBe(true) // it has no aim
})

test('ratios follow from figures of two rows, when both are there', () => {
  expect(derive({ 'slow.perSecondOf1': 1_000, 'slow.perSecondOf4': 3_000 })['slow.scale']).toBe(3)
  expect(derive({ 'direct.perSecond': 2_000, 'filled.perSecond': 1_900 })['filled.share']).toBe(95)
  expect(derive({ 'direct.perSecond': 2_000 })).toEqual({ 'direct.perSecond': 2_000 })
})

describe('the time until the latency is back', () => {
  const buckets = (p90s: number[]) => p90s.map((p90, at) => ({ at: at * 250, count: 10, p90 }))
  const calm = [3, 3, 4, 3]

  test('ends when four buckets in a row are near the former latency', () => {
    const series = buckets([...calm, 900, 800, 300, 5, 200, 4, 5, 3, 4])
    // The pause is from 1,000 to 1,500 ms. One bucket at 1,750 is luck; from 2,250 on it stays low.
    expect(secondsUntilBack(series, 1_000, 1_500)).toBe(0.75)
  })

  test('is zero when the latency never rose', () => {
    expect(secondsUntilBack(buckets([...calm, 3, 3, 3, 3, 3, 3]), 1_000, 1_500)).toBe(0)
  })

  test('is infinite when the latency stays high, or when there is none from before', () => {
    expect(secondsUntilBack(buckets([...calm, 900, 900, 90, 90, 90, 90]), 1_000, 1_500)).toBe(
      Number.POSITIVE_INFINITY,
    )
    expect(secondsUntilBack(buckets([900, 3, 3, 3, 3]), 100, 200)).toBe(Number.POSITIVE_INFINITY)
    expect(secondsUntilBack([], 0, 0)).toBe(Number.POSITIVE_INFINITY)
  })
})
