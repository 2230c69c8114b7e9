import { expect, test } from '@jest/globals'
import { countGuessIn, type GuessPolicy } from './guesses.ts'

const MINUTE = 60_000
const POLICY: GuessPolicy = { max: 3, windowMs: 15 * MINUTE, lockMs: 15 * MINUTE }

/** @returns for each guess, in minutes, whether it was let through */
function guessAt(minutes: readonly number[], policy = POLICY): boolean[] {
  let times: readonly number[] = []
  return minutes.map((minute) => {
    const counted = countGuessIn(times, policy, minute * MINUTE)
    times = counted.times
    return counted.answer.allowed
  })
}

test('locks after the most there may be, until the lock has ended', () => {
  expect(guessAt([0, 1, 2, 3, 16.99, 17])).toEqual([true, true, true, false, false, true])
})

test('a lock lasts from the last guess that was let through, however many come meanwhile', () => {
  const many = Array.from({ length: 100 }, (_, n) => 2 + n / 10)
  expect(guessAt([0, 1, ...many, 17.001]).filter(Boolean)).toHaveLength(4)
})

test('guesses that are spread over a longer time do not lock', () => {
  expect(guessAt([0, 7, 14.9, 15, 22, 29.9])).toEqual([true, true, true, false, false, true])
  expect(guessAt([0, 8, 16, 24, 32, 40]).every(Boolean)).toBe(true)
})

test('no window of 15 minutes has more than the most, wherever it begins', () => {
  // Two guesses just before and two just after a round quarter of an hour.
  expect(guessAt([14.8, 14.9, 15.1, 15.2])).toEqual([true, true, true, false])
})

test('after a lock that is shorter than the window each further guess locks again', () => {
  const short = { ...POLICY, lockMs: MINUTE }
  expect(guessAt([0, 0, 0, 0.5, 1, 1.5, 2], short)).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    true,
  ])
})

test('says how many there were, and when to come again', () => {
  const first = countGuessIn([], POLICY, 1_000)
  expect(first.answer).toEqual({ allowed: true, count: 1, retryAfterMs: 0 })
  const second = countGuessIn(first.times, POLICY, 2_000)
  const third = countGuessIn(second.times, POLICY, 3_000)
  expect(third.answer.count).toBe(3)
  const { answer } = countGuessIn(third.times, POLICY, 4_000)
  expect(answer).toEqual({ allowed: false, count: 3, retryAfterMs: 15 * MINUTE - 1_000 })
})
