/** What a chart makes of its series, without drawing it. */
import { expect, test } from '@jest/globals'
import { axisEnd, decadesAround, lineParts, spanOf, stacked } from './chart-model.ts'

const HOURS = { starts: [0, 10, 20], bucketMs: 10 }

test('series are stacked on those before them; a bucket without a value adds nothing', () => {
  expect(stacked([{ values: [1, 2] }, { values: [3, null] }, { values: [0, 1] }])).toEqual([
    [1, 2],
    [4, 2],
    [4, 3],
  ])
  expect(stacked([])).toEqual([])
})

test('a line to a bucket that goes on begins at the last one that is over', () => {
  expect(lineParts([1, 2, null, 4, 5], true)).toEqual({
    over: [1, 2, null, 4, null],
    ongoing: [null, null, null, 4, 5],
  })
  expect(lineParts([1, 2], false)).toEqual({ over: [1, 2], ongoing: [null, null] })
  expect(lineParts([1], true)).toEqual({ over: [null], ongoing: [1] })
  expect(lineParts([], true)).toEqual({ over: [], ongoing: [] })
})

test('a selection becomes the whole buckets that it touches', () => {
  expect(spanOf(HOURS, { from: 12, to: 14 })).toEqual({ from: 10, to: 20 })
  expect(spanOf(HOURS, { from: 9, to: 21 })).toEqual({ from: 0, to: 30 })
  expect(spanOf(HOURS, { from: 10, to: 20 })).toEqual({ from: 10, to: 20 })
  expect(spanOf(HOURS, { from: -20, to: -10 })).toBeNull()
})

test('a logarithmic axis has the whole decades around its values', () => {
  expect(decadesAround(18, 28_800)).toEqual([10, 100_000])
  expect(decadesAround(100, 100)).toEqual([100, 1_000])
  expect(decadesAround(0, 0)).toEqual([1, 10])
})

test('an axis ends at a round number at or above the largest value', () => {
  expect([0, 0.25, 1, 7, 20, 21, 26, 99, 501, 1_200].map(axisEnd)).toEqual([
    1, 0.25, 1, 8, 20, 25, 30, 100, 600, 1_500,
  ])
  expect(axisEnd(Number.NaN)).toBe(1)
})
