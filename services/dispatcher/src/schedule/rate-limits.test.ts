/** Lines under a rate limit. */
import { beforeEach, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { TokensGranted, TokensWanted } from '@posthorn/state/rate-bucket'
import { createFairScheduler, type FairScheduler } from './fair-scheduler.ts'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import { createWindows, windowLimits } from './windows.ts'
import { newLeasedDelivery, type LeasedDelivery } from '../delivery.ts'

let now: number
let lines: FairScheduler
let begun: LeasedDelivery[]
let held: LeasedDelivery[]
let asked: TokensWanted[]
let answer: TokensGranted
let fed: number
beforeEach(() => {
  now = 0
  begun = []
  held = []
  asked = []
  fed = 0
  answer = { granted: 0, retryAfterMs: 100, backlogElsewhere: false }
  lines = createFairScheduler({
    windows: createWindows(windowLimits(2_048)),
    async takeTokens(_key, wanted) {
      asked.push(wanted)
      return answer
    },
    canStart: () => true,
    reconsider: (work) => work.target,
    begin: (work) => void begun.push(work),
    park: (work) => void held.push(work),
    drop: () => {},
    onCapacity: () => {
      fed += 1
    },
    onWaiting: () => {},
    utilization: () => 0,
    now: () => now,
  })
})

const turn = (): Promise<void> => new Promise(setImmediate)

function enqueue(
  priorities: readonly number[],
  fetched = false,
  rateLimitPerSec = 10,
): LeasedDelivery[] {
  const way = { targetId: 'a', originKey: 'a', rateLimitPerSec } as ResolvedTarget
  const works = priorities.map((priority, seq) => {
    const message = { deliveryId: `${priority} ${seq}`, payload: '{}', priority, seq }
    const work = newLeasedDelivery(message as DueDelivery, 1, null, 0)
    lines.enqueue(work, way, fetched)
    return work
  })
  lines.pump()
  return works
}

const priorities = (works: readonly LeasedDelivery[]): number[] =>
  works.map(({ message }) => message.priority)

test('goes by tokens, asked for all that could go, the most urgent first', async () => {
  enqueue([10, 5, 1, 10])
  await turn()
  expect(begun).toEqual([])
  answer = { ...answer, granted: 2 }
  now = 100
  lines.tick()
  answer = { ...answer, granted: 0 }
  await turn()
  expect(priorities(begun)).toEqual([1, 5])
  expect(asked.map(({ wanted }) => wanted)).toEqual([4, 4, 2])
})

test('asks again when the next token comes, not before', async () => {
  enqueue([5])
  await turn()
  now = 99
  lines.tick()
  await turn()
  expect(asked).toHaveLength(1)
  answer = { ...answer, granted: 1 }
  now = 100
  lines.tick()
  await turn()
  expect(begun).toHaveLength(1)
})

test('does not save up tokens', async () => {
  answer = { ...answer, granted: 5 }
  enqueue([5, 5])
  await turn()
  expect(begun).toHaveLength(2)
  answer = { ...answer, granted: 0 }
  now = 100
  enqueue([5])
  await turn()
  expect(begun).toHaveLength(2)
})

test('what has waited too long takes all others with it to the backlog', async () => {
  enqueue([10])
  now = 600
  enqueue([1, 5])
  now = 1_000
  lines.tick()
  expect(priorities(held)).toEqual([1, 5, 10])
  expect(lines.waiting()).toBe(0)
})

test('joins a backlog that is served here, or elsewhere', async () => {
  enqueue([5])
  await turn()
  answer = { ...answer, backlogElsewhere: true }
  now = 100
  lines.tick()
  await turn()
  expect(held).toHaveLength(1)
  lines.queueOf('a', 'a').servesBacklog = true
  enqueue([5])
  expect(held).toHaveLength(2)
  enqueue([7, 7], true)
  answer = { granted: 1, retryAfterMs: 0, backlogElsewhere: false }
  now = 300
  lines.tick()
  await turn()
  expect(begun).toHaveLength(2)
  expect(asked.at(-1)).toEqual({ perSecond: 10, wanted: 1, priority: 7, backlog: 'held' })
  expect(fed).toBe(2)
})

test('what was fetched goes though its backlog has ended, and then says so', async () => {
  lines.queueOf('a', 'a').servesBacklog = true
  enqueue([5], true)
  await turn()
  lines.queueOf('a', 'a').servesBacklog = false
  for (now of [100, 200]) {
    answer = { granted: 1, retryAfterMs: 0, backlogElsewhere: false }
    lines.tick()
    await turn()
    enqueue([5])
    await turn()
  }
  expect(begun).toHaveLength(3)
  expect(asked.map(({ backlog }) => backlog)).toEqual(['held', 'held', 'ended', 'none'])
})

test('wants little ahead of its tokens, and all of its window without a limit', () => {
  const line = lines.queueOf('a', 'a')
  enqueue([5], true, 50)
  expect(lines.wanted(line)).toBe(9)
  enqueue([5, 5, 5, 5, 5], true, 50)
  expect(lines.wanted(line)).toBe(0)
  enqueue([5], true, 0)
  lines.pump()
  expect(lines.wanted(line)).toBe(16 - begun.length)
  expect(begun).toHaveLength(7)
})
