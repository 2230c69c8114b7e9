import { expect, test } from '@jest/globals'
import { createLeaveTime } from './leave-time.ts'

function createStage() {
  const pauses: number[] = []
  let [nowMs, counted] = [0, 0]
  const leaveTime = createLeaveTime({
    now: () => nowMs,
    pause: async (ms) => void pauses.push(ms),
    count: (seconds) => void (counted += seconds),
  })
  return { ...leaveTime, pauses, counted: () => counted, pass: (ms: number) => void (nowMs += ms) }
}

test('a flood that is alone does not pause', async () => {
  const stage = createStage()
  stage.congested('other')
  await stage.after('flood', 100)
  expect(stage.pauses).toEqual([])
})

test('beside others it pauses after each statement, for a part of what it took', async () => {
  const stage = createStage()
  stage.congested('flood')
  await stage.after('flood', 100)
  await stage.after('flood', 50)
  await stage.after('flood', 60_000)
  expect(stage.pauses).toEqual([70, 35, 1_000])
  expect(stage.counted()).toBeCloseTo(1.105)
})

test('it goes on without pauses once nobody says any more that others are there', async () => {
  const stage = createStage()
  stage.congested('flood')
  stage.pass(499)
  await stage.after('flood', 10)
  stage.pass(1)
  await stage.after('flood', 10)
  expect(stage.pauses).toEqual([7])
})

test('remembers a bounded number of tenants, and forgets those of before', async () => {
  const stage = createStage()
  for (let n = 0; n < 1_000; n += 1) stage.congested(`tenant ${n}`)
  stage.congested('one more')
  await stage.after('one more', 10)
  expect(stage.pauses).toEqual([])
  stage.pass(500)
  stage.congested('one more')
  await stage.after('one more', 10)
  expect(stage.pauses).toEqual([7])
})
