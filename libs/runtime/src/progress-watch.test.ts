import { expect, test } from '@jest/globals'
import { createProgressWatch, LOOKS, type Progress } from './progress-watch.ts'

function watch() {
  const state = { progress: [] as Progress[], well: true, asked: 0, stuck: [] as string[] }
  const look = createProgressWatch({
    progress: () => state.progress,
    async storesAreWell() {
      state.asked += 1
      return state.well
    },
    onStuck: (reason) => state.stuck.push(reason),
  })
  const looks = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await look()
  }
  return { state, looks }
}

const waiting = { group: 'fanout', waiting: 7, done: 3 }

test('a reader that has work, does none of it and lacks nothing is stuck, and it is said once', async () => {
  const { state, looks } = watch()
  state.progress = [waiting]
  await looks(LOOKS)
  expect(state.stuck).toEqual([])
  await looks(1)
  expect(state.stuck).toEqual([
    'fanout has done none of the 7 messages that wait for it in 180 s, and all stores are well',
  ])
  await looks(2 * LOOKS)
  expect(state.stuck).toHaveLength(1)
})

test('one that does a message now and then is not', async () => {
  const { state, looks } = watch()
  for (let done = 0; done < 5; done += 1) {
    state.progress = [{ ...waiting, done }]
    await looks(LOOKS)
  }
  expect(state.stuck).toEqual([])
})

test('one that has nothing to do is not, and nothing is asked about it', async () => {
  const { state, looks } = watch()
  state.progress = [{ ...waiting, waiting: 0 }]
  await looks(3 * LOOKS)
  expect(state).toMatchObject({ stuck: [], asked: 0 })
})

test('one that waits for a store is not, and has its whole time again once that is back', async () => {
  const { state, looks } = watch()
  state.progress = [waiting]
  state.well = false
  await looks(3 * LOOKS)
  state.well = true
  await looks(LOOKS - 1)
  expect(state.stuck).toEqual([])
  await looks(1)
  expect(state.stuck).toHaveLength(1)
})

test('one that is paused in between begins anew', async () => {
  const { state, looks } = watch()
  state.progress = [waiting]
  await looks(LOOKS)
  state.progress = []
  await looks(1)
  state.progress = [waiting]
  await looks(LOOKS)
  expect(state.stuck).toEqual([])
})

test('one group that works does not excuse another, and the subscriptions of one count together', async () => {
  const { state, looks } = watch()
  for (let done = 0; done < 3 * LOOKS; done += 1) {
    state.progress = [
      { group: 'dispatcher', waiting: 9, done },
      { group: 'fanout', waiting: 2, done: 1 },
      { group: 'fanout', waiting: 1, done: 1 },
      { group: 'dispatcher', waiting: 1, done: 0 },
    ]
    await looks(1)
  }
  expect(state.stuck).toEqual([expect.stringMatching(/^fanout has done none of the 3 messages/)])
})
