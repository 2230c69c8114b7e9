import { expect, test } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnShare } from './turn-share.ts'

/** Work that takes 4 ms, the last of it after it waited for promises. */
function startWork() {
  const clock = { now: 0, turn: 0 }
  const doneIn: number[][] = []
  const share = createTurnShare(10, () => clock.now)
  const give = (number: number): void => {
    share(async () => {
      await Promise.resolve()
      await Promise.resolve()
      clock.now += 4
      ;(doneIn[clock.turn] ??= []).push(number)
    })
  }
  const letPass = async (count: number): Promise<void> => {
    for (; clock.turn < count; clock.turn += 1) await nextTurn()
  }
  return { give, doneIn, letPass }
}

test('what one packet brings is done over several turns, in order', async () => {
  const { give, doneIn, letPass } = startWork()
  for (let number = 0; number < 9; number += 1) give(number)
  await letPass(4)
  // The rest waits for the promises of the first, and the turn's end has a share of three.
  expect(doneIn.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(Math.max(...doneIn.filter(Boolean).map((done) => done.length))).toBe(1 + 3)
})

test('what many connections bring in a turn is done in it until its share is over', async () => {
  const { give, doneIn, letPass } = startWork()
  for (let number = 0; number < 5; number += 1) {
    // Each connection is read in a callback of its own, after which promises go on.
    give(number)
    await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)))
  }
  expect(doneIn).toEqual([[0, 1, 2]])
  // Whoever comes in a later turn comes after those who wait.
  give(5)
  await letPass(3)
  expect(doneIn.flat()).toEqual([0, 1, 2, 3, 4, 5])
})

test('what arrives alone does not wait at all', async () => {
  const share = createTurnShare(10, () => 0)
  let isDone = false
  share(() => (isDone = true))
  expect(isDone).toBe(true)
  await nextTurn()
})
