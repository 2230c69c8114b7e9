import { expect, test } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnShare } from './turn-share.ts'

test('what arrives together is done over several turns, in order', async () => {
  let now = 0
  const share = createTurnShare(10, () => now)
  let turn = 0
  const doneIn: [number, number][] = []
  const work = async (number: number): Promise<void> => {
    await share()
    now += 4
    doneIn.push([number, turn])
  }
  const all = Promise.all(Array.from({ length: 9 }, (_, number) => work(number)))
  for (; doneIn.length < 9; turn += 1) await nextTurn()
  await all
  expect(doneIn.map(([number]) => number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const perTurn = Map.groupBy(doneIn, ([, at]) => at)
  // What arrives with others waits for its own callback: the first goes on at once, and the turn's
  // end still has a share of three.
  expect([...perTurn.values()].map((done) => done.length)).toEqual([1 + 3, 3, 2])
})

test('what arrives alone does not wait for another turn', async () => {
  const share = createTurnShare(10, () => 0)
  let hasTurned = false
  setImmediate(() => (hasTurned = true))
  await share()
  expect(hasTurned).toBe(false)
  await nextTurn()
})
