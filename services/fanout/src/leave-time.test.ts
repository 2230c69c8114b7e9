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
  const congested = (tenantId: string, lateMs?: number): void =>
    leaveTime.congested({ tenantId, ...(lateMs === undefined ? {} : { lateMs }) })
  return {
    ...leaveTime,
    congested,
    pauses,
    counted: () => counted,
    pass: (ms: number) => void (nowMs += ms),
  }
}

test('a flood that is alone does not pause', async () => {
  const stage = createStage()
  stage.congested('other')
  await stage.after('flood', 100)
  expect(stage.pauses).toEqual([])
})

test('it pauses for ten times a statement as soon as others go beside it', async () => {
  const stage = createStage()
  stage.congested('flood')
  await stage.after('flood', 20)
  await stage.after('flood', 10)
  await stage.after('flood', 60_000)
  expect(stage.pauses).toEqual([200, 100, 1_000])
  expect(stage.counted()).toBeCloseTo(1.3)
})

test('pauses become shorter step by step while others are not late, and never nothing', async () => {
  const stage = createStage()
  for (let n = 0; n < 30; n += 1) {
    stage.congested('flood', 0)
    await stage.after('flood', 10)
    stage.pass(250)
  }
  expect(stage.pauses.slice(0, 3)).toEqual([100, 85, 72.25])
  expect(stage.pauses.at(-1)).toBe(7)
})

test('pauses become longer at once, the later others are', async () => {
  const stage = createStage()
  for (let n = 0; n < 30; n += 1) stage.congested('flood', 0)
  const pauses: number[] = []
  for (const lateMs of [2, 8, 20, 4_000]) {
    stage.congested('flood', lateMs)
    await stage.after('flood', 10)
    pauses.push(stage.pauses.at(-1) ?? 0)
  }
  expect(pauses).toEqual([7, 20, 50, 100])
})

test('it goes on without pauses once nobody says any more that others are there', async () => {
  const stage = createStage()
  stage.congested('flood')
  stage.pass(499)
  await stage.after('flood', 10)
  stage.pass(1)
  await stage.after('flood', 10)
  expect(stage.pauses).toEqual([100])
})

test('whoever has others beside it again pauses longest again', async () => {
  const stage = createStage()
  for (let n = 0; n < 30; n += 1) stage.congested('flood', 0)
  stage.pass(500)
  stage.congested('flood', 0)
  await stage.after('flood', 10)
  expect(stage.pauses).toEqual([100])
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
  expect(stage.pauses).toEqual([100])
})
