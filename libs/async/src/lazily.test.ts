import { expect, test } from '@jest/globals'
import { lazily } from './lazily.ts'

test('makes the value with the first call, once', () => {
  let makings = 0
  const value = lazily(() => {
    makings += 1
    return undefined
  })
  expect(makings).toBe(0)
  expect([value(), value(), makings]).toEqual([undefined, undefined, 1])
})

test('tries again after a making that threw', () => {
  let makings = 0
  const value = lazily(() => {
    makings += 1
    if (makings === 1) throw new Error('not yet')
    return makings
  })
  expect(value).toThrow('not yet')
  expect([value(), value()]).toEqual([2, 2])
})
