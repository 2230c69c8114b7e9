import { describe, expect, test } from '@jest/globals'
import {
  bestOf,
  bestRun,
  compareInPairs,
  compareRuns,
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

describe('of pairs of runs', () => {
  test('what the machine did in one pair leaves the ratio', () => {
    const pairs = [100, 40, 90, 10, 100, 60].map((before) => [before * 0.97, before] as const)
    const { ratio, low, high, before } = compareInPairs(pairs)
    for (const one of [ratio, low, high]) expect(one).toBeCloseTo(0.97)
    expect(before).toBe(75)
  })

  // The ranks are those of the sign test for a median, as in any table of the binomial: for 9 pairs
  // the second and the eighth, of which the sure ones are 96 in 100.
  test.each([
    [5, 1, 5],
    [6, 1, 6],
    [9, 2, 8],
    [12, 3, 10],
    [20, 6, 15],
  ])('of %d the bounds are the ratios %d and %d', (count, low, high) => {
    const pairs = Array.from({ length: count }, (_, at) => [at + 1, 1] as const)
    expect(compareInPairs(pairs)).toMatchObject({ low, high, ratio: (count + 1) / 2 })
  })

  test('figures and costs of the same run are compared, and nothing with 0', () => {
    const run = (perSecond: number, sent: number, kept: number) => ({
      figures: { 'direct.perSecond': perSecond },
      costs: { sent, kept },
    })
    const ratios = compareRuns([run(50, 2, 0), run(30, 6, 4)], [run(100, 1, 4), run(60, 3, 4)])
    expect([...ratios].map(([name, { ratio }]) => [name, ratio])).toEqual([
      ['direct events, 480 bytes, 64 connections: delivered/s', 0.5],
      ['sent', 2],
      ['kept', 1],
    ])
    expect(compareRuns([run(50, 2, 0)], [])).toEqual(new Map())
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
