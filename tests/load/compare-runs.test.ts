import { describe, expect, test } from '@jest/globals'
import { compareInPairs, compareRuns } from './compare-runs.ts'

describe('of pairs of runs', () => {
  test('what the machine did in one pair leaves the ratio', () => {
    const pairs = [100, 40, 90, 10, 100, 60].map((before) => [before * 0.97, before] as const)
    const { ratio, low, high, before } = compareInPairs(pairs)
    for (const one of [ratio, low, high]) expect(one).toBeCloseTo(0.97)
    expect(before).toBe(75)
  })

  // The ranks are those of the sign test for a median, as tables of the binomial distribution have
  // them: between the second and the eighth of nine it is with a chance of 96 %.
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
