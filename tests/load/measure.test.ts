import { expect, test } from '@jest/globals'
import { startsOf } from './measure.ts'

const checkouts = ['this', 'other']

test('half of the runs are made after a start in the other order', () => {
  const started = startsOf({ runs: 7, checkouts }, { keepsData: false })
  expect(started).toEqual([
    { runs: 4, checkouts: ['this', 'other'] },
    { runs: 3, checkouts: ['other', 'this'] },
  ])
})

test('one run, and what keeps its data, have one start', () => {
  expect(startsOf({ runs: 1, checkouts }, { keepsData: false })).toEqual([{ runs: 1, checkouts }])
  expect(startsOf({ runs: 3, checkouts }, { keepsData: true })).toEqual([{ runs: 3, checkouts }])
})
