import { beforeEach, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { OwnedBacklog, TakenDeliveries } from '@posthorn/store/pipeline/backlogs'
import { createBacklogs, type Backlogs } from './serve-backlogs.ts'
import { newTargetQueue, type TargetQueue } from '../schedule/target-queue.ts'
import { createMutex } from '@posthorn/async/mutex'
import type { TargetLoad } from '../schedule/loads.ts'

/** Parked deliveries by target, and what was asked of them in order. */
let parked: Record<string, number>
let asked: string[]
/** Backlogs in each statement that took. */
let statements: number[]
let owned: Record<string, boolean>
let wanted: number
let status: 'active' | 'paused' | 'polled'
let known: 'active' | 'paused' | 'polled'
let now: number
let failing: boolean
let queues: Map<string, TargetQueue>
let backlogs: Backlogs
beforeEach(() => {
  parked = {}
  asked = []
  statements = []
  owned = {}
  wanted = 10
  status = 'active'
  known = 'active'
  now = 0
  failing = false
  queues = new Map()
  backlogs = createBacklogs({
    statements: {
      takeBacklog: async ({ targetId }) => backlogOf(targetId),
      async takeParkedOfMany(takes) {
        statements.push(takes.length)
        return takes.map(({ backlog: { targetId }, limit }) => take(targetId, limit))
      },
      async finishBacklog({ targetId }) {
        asked.push(`finish ${targetId}`)
        return true
      },
      async postponeBacklog({ targetId }, afterMs) {
        asked.push(`postpone ${targetId} ${afterMs}`)
      },
      async showParked({ targetId }, limit) {
        const { owned: isOwned, unparked, parks } = take(targetId, limit)
        return { owned: isOwned, shown: unparked, parks }
      },
    },
    bus: {
      announce(_topic, [message]) {
        asked.push(`announce ${(message as { endpointId: string }).endpointId}`)
        return 1
      },
    },
    configuration: {
      knownStatus: () => known,
      async readStatus() {
        asked.push('read')
        return status
      },
      invalidate: () => void asked.push('invalidate'),
    },
    scheduler: { queueOf, wanted: () => wanted, hasCapacity: () => true },
    admit: { fetched: async (deliveries) => deliveries.length },
    circuits: { requestPermit: () => null, release: () => {} },
    parking: { park: () => {} },
    mutex: createMutex(),
    now: () => now,
    log: { info: () => {}, warn: () => {} },
  })
})

function queueOf(targetId: string): TargetQueue {
  const queue = queues.get(targetId) ?? newTargetQueue(targetId, {} as TargetLoad, 0)
  queues.set(targetId, queue)
  return queue
}

/** Whether the queue of the target feeds from its backlog. */
function isServed(targetId: string): boolean {
  return queueOf(targetId).feed !== null
}

function backlogOf(targetId: string): OwnedBacklog {
  return { tenantId: 't', targetId, endpointId: targetId, epoch: 1, token: 1 }
}

function take(targetId: string, limit: number): TakenDeliveries {
  asked.push(`take ${targetId} ${limit}`)
  if (failing) throw new Error('away')
  const count = Math.min(limit, parked[targetId] ?? 0)
  parked[targetId] = (parked[targetId] ?? 0) - count
  return {
    deliveries: Array<DueDelivery>(count),
    owned: owned[targetId] ?? true,
    unparked: count,
    parks: 1,
  }
}

async function settled(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('is fetched while there is capacity, and finished when nothing is left', async () => {
  parked = { a: 25 }
  backlogs.serve([backlogOf('a')])
  await settled()
  expect(asked).toEqual(['read', 'take a 10', 'take a 10', 'take a 10', 'take a 10', 'finish a'])
  expect([backlogs.size(), isServed('a')]).toEqual([0, false])
})

test('waits for a slot without asking', async () => {
  parked = { a: 25 }
  wanted = 0
  backlogs.serve([backlogOf('a')])
  await settled()
  backlogs.tick()
  await settled()
  expect(asked).toEqual(['read'])
  expect(isServed('a')).toBe(true)
  wanted = 25
  queueOf('a').feed?.()
  await settled()
  expect(asked.slice(1)).toEqual(['take a 25', 'take a 25', 'finish a'])
})

test('is let go of when its endpoint is paused in Postgres, whatever the cache says', async () => {
  status = 'paused'
  backlogs.serve([backlogOf('a')])
  await settled()
  expect(asked).toEqual(['read', 'invalidate', 'postpone a 30000'])
  expect(backlogs.size()).toBe(0)
})

test('goes when the cache says paused and Postgres does not: the resume woke it', async () => {
  known = 'paused'
  backlogs.serve([backlogOf('a')])
  await settled()
  expect(asked).toEqual(['read', 'invalidate', 'take a 10', 'finish a'])
})

test('is shown to polls once its endpoint is in poll mode, whatever capacity there is', async () => {
  parked = { a: 1_500 }
  status = 'polled'
  known = 'polled'
  wanted = 0
  backlogs.serve([backlogOf('a')])
  await settled()
  const shown = ['take a 1000', 'announce a']
  expect(asked).toEqual(['read', ...shown, ...shown, 'take a 1000', 'finish a'])
  expect([backlogs.size(), isServed('a')]).toEqual([0, false])
})

test('is dropped when somebody else owns it', async () => {
  owned = { a: false }
  backlogs.serve([backlogOf('a')])
  await settled()
  expect(asked).toEqual(['read', 'take a 10'])
  expect(backlogs.size()).toBe(0)
})

test('many take turns, and all are finished', async () => {
  const targets = Array.from({ length: 9 }, (_, n) => `t${n}`)
  parked = Object.fromEntries(targets.map((target) => [target, 35]))
  backlogs.serve(targets.map(backlogOf))
  await settled()
  expect(backlogs.size()).toBe(0)
  const takes = asked.filter((one) => one.startsWith('take')).map((one) => one.split(' ')[1])
  expect(new Set(takes.slice(0, 12)).size).toBe(9)
})

test('many are taken from in few statements', async () => {
  const targets = Array.from({ length: 50 }, (_, n) => `t${n}`)
  parked = Object.fromEntries(targets.map((target) => [target, 35]))
  backlogs.serve(targets.map(backlogOf))
  await settled()
  expect(backlogs.size()).toBe(0)
  // 250 takes: five of each, of which the last finds nothing.
  expect(asked.filter((one) => one.startsWith('take')).length).toBe(250)
  expect(statements.length).toBeLessThanOrEqual(30)
})

test('after an error it is left alone for a moment', async () => {
  failing = true
  backlogs.serve([backlogOf('a')])
  await settled()
  backlogs.tick()
  await settled()
  expect(asked).toEqual(['read', 'take a 10'])
  failing = false
  now = 500
  backlogs.tick()
  await settled()
  expect(asked.slice(2)).toEqual(['take a 10', 'finish a'])
})

test('a renewal that failed under an old epoch does not drop the new one', () => {
  wanted = 0
  const old = backlogOf('a')
  backlogs.serve([old])
  backlogs.serve([{ ...old, epoch: 2, token: 2 }])
  backlogs.lost(old)
  expect([...backlogs.served()].map(({ epoch }) => epoch)).toEqual([2])
  expect(backlogs.stop()).toHaveLength(1)
  expect(backlogs.size()).toBe(0)
})
