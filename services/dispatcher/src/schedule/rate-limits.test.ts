/** Queues under a rate limit. */
import { beforeEach, expect, test } from '@jest/globals'
import type { TokensGranted, TokensWanted } from '@posthorn/state/rate-bucket'
import { throttledKey } from '@posthorn/state/recent-counts'
import type { RecentCount } from '@posthorn/state/state-store'
import type { LeasedDelivery, Sending } from '../delivery.ts'
import type { FairScheduler } from './fair-scheduler.ts'
import { createTestScheduler, testDelivery, testTarget } from './fair-scheduler.fixture.ts'
import type { TargetQueue } from './target-queue.ts'

let now: number
let scheduler: FairScheduler
let begun: Sending[]
let parked: LeasedDelivery[]
let asked: TokensWanted[]
let answer: TokensGranted
let fed: number
beforeEach(() => {
  now = 0
  asked = []
  fed = 0
  answer = { granted: 0, retryAfterMs: 100, backlogElsewhere: false }
  ;({ scheduler, begun, parked } = createTestScheduler({
    now: () => now,
    async takeTokens(_key, wanted) {
      asked.push(wanted)
      return answer
    },
  }))
})

/** The backlog of the target is served here. */
function feedsFrom(queue: TargetQueue): void {
  queue.feed = () => void (fed += 1)
}

const turn = (): Promise<void> => new Promise(setImmediate)

function enqueue(priorities: readonly number[], fetched = false, rateLimitPerSec = 10): void {
  priorities.forEach((priority, seq) => {
    const message = { deliveryId: `${priority} ${seq}`, payload: '{}', priority, seq }
    scheduler.enqueue(testDelivery(message), testTarget('a', 'a', rateLimitPerSec), fetched)
  })
  scheduler.pump()
}

const priorities = (deliveries: readonly LeasedDelivery[]): number[] =>
  deliveries.map(({ message }) => message.priority)

test('goes by tokens, asked for all that could go, the most urgent first', async () => {
  enqueue([10, 5, 1, 10])
  await turn()
  expect(begun).toEqual([])
  answer = { ...answer, granted: 2 }
  now = 100
  scheduler.tick()
  answer = { ...answer, granted: 0 }
  await turn()
  expect(priorities(begun)).toEqual([1, 5])
  expect(asked.map(({ wanted }) => wanted)).toEqual([4, 4, 2])
})

test('counts once what waited for a token and then went, or was parked', async () => {
  const counted: RecentCount[] = []
  let tokens = 2
  const made = createTestScheduler({
    now: () => now,
    takeTokens: async () => ({ ...answer, granted: tokens-- > 0 ? 1 : 0 }),
    countRecent: async (counts) => void counted.push(...counts),
  })
  ;({ scheduler, begun, parked } = made)
  enqueue([5, 5, 5, 5, 5])
  await turn()
  expect(begun).toHaveLength(2)
  now = 200
  tokens = 1
  scheduler.tick()
  await turn()
  expect(begun).toHaveLength(3)
  now = 2_000
  scheduler.tick()
  expect(parked).toHaveLength(2)
  now = 3_500
  scheduler.tick()
  expect(counted.reduce((sum, { times }) => sum + times, 0)).toBe(3)
  expect(new Set(counted.map(({ key }) => key))).toEqual(new Set([throttledKey('a')]))
})

test('asks again when the next token comes, not before', async () => {
  enqueue([5])
  await turn()
  now = 99
  scheduler.tick()
  await turn()
  expect(asked).toHaveLength(1)
  answer = { ...answer, granted: 1 }
  now = 100
  scheduler.tick()
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
  scheduler.tick()
  expect(priorities(parked)).toEqual([1, 5, 10])
  expect(scheduler.waiting()).toBe(0)
})

test('joins a backlog that is served here, or elsewhere', async () => {
  enqueue([5])
  await turn()
  answer = { ...answer, backlogElsewhere: true }
  now = 100
  scheduler.tick()
  await turn()
  expect(parked).toHaveLength(1)
  feedsFrom(scheduler.queueOf('a', 'a'))
  enqueue([5])
  expect(parked).toHaveLength(2)
  enqueue([7, 7], true)
  answer = { granted: 1, retryAfterMs: 0, backlogElsewhere: false }
  now = 300
  scheduler.tick()
  await turn()
  expect(begun).toHaveLength(2)
  expect(asked.at(-1)).toEqual({ perSecond: 10, wanted: 1, priority: 7, backlog: 'owned' })
  expect(fed).toBe(2)
})

test('what was fetched goes though its backlog has ended, and then says so', async () => {
  feedsFrom(scheduler.queueOf('a', 'a'))
  enqueue([5], true)
  await turn()
  scheduler.queueOf('a', 'a').feed = null
  for (now of [100, 200]) {
    answer = { granted: 1, retryAfterMs: 0, backlogElsewhere: false }
    scheduler.tick()
    await turn()
    enqueue([5])
    await turn()
  }
  expect(begun).toHaveLength(3)
  expect(asked.map(({ backlog }) => backlog)).toEqual(['owned', 'owned', 'ended', 'none'])
})

test('wants little ahead of its tokens, and all of its window without a limit', () => {
  const queue = scheduler.queueOf('a', 'a')
  enqueue([5], true, 50)
  expect(scheduler.wanted(queue)).toBe(9)
  enqueue([5, 5, 5, 5, 5], true, 50)
  expect(scheduler.wanted(queue)).toBe(0)
  enqueue([5], true, 0)
  scheduler.pump()
  expect(scheduler.wanted(queue)).toBe(16 - begun.length)
  expect(begun).toHaveLength(7)
})
