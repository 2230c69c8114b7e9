/** The scheduler where half of what there is hangs, and where this process itself is too slow. */
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { LeasedDelivery, Sending } from '../delivery.ts'
import type { FairScheduler } from './fair-scheduler.ts'
import { createTestScheduler, targetsOf, type TestScheduler } from './fair-scheduler.fixture.ts'
import type { Windows } from './windows.ts'

let now: number
let utilization: number
let rig: TestScheduler
let windows: Windows
let scheduler: FairScheduler
let begun: Sending[]
let parked: LeasedDelivery[]
let enqueue: TestScheduler['enqueue']
let endAll: TestScheduler['endAll']
beforeEach(() => {
  now = 0
  utilization = 0
  rig = createTestScheduler({ now: () => now, utilization: () => utilization })
  ;({ windows, scheduler, begun, parked, enqueue, endAll } = rig)
})

describe('a flood of which half hangs', () => {
  const ORIGIN = 'tenant shared'

  /** Ends at once what does not hang, until nothing more begins; answers what began there. */
  function answerAll(): string[] {
    const answered: string[] = []
    for (;;) {
      const all = begun.splice(0)
      const quick = all.filter(({ target }) => !target.targetId.startsWith('hangs'))
      begun.push(...all.filter((sending) => !quick.includes(sending)))
      if (quick.length === 0) return answered
      answered.push(...targetsOf(quick))
      for (const sending of quick) rig.end(sending)
    }
  }

  /** As the ticker does that looks at the ages of attempts. */
  function age(): void {
    for (const { slot } of begun) {
      if (!slot.slow && now - slot.startedAt > 1_000) windows.markSlow(slot, now)
    }
  }

  test.each([
    ['the origin of all', ORIGIN],
    ['another one', 'tenant another'],
  ])('at %s: the healthy ones go on, and so does another URL', (_, hangsAt) => {
    const late: number[] = []
    for (let second = 0; second < 30; second += 1) {
      for (let n = 0; n < 50; n += 1) {
        enqueue(`hangs ${n}`, 20, { origin: hangsAt })
        enqueue(`healthy ${n}`, 20, { origin: ORIGIN })
      }
      enqueue('other', 5, { origin: ORIGIN })
      // Never seen before.
      enqueue(`new ${second}`, 2, { origin: ORIGIN })
      scheduler.pump()
      const answered = answerAll()
      late.push(50 * 20 + 5 + 2 - answered.length)
      now += 1_001
      age()
      scheduler.tick()
    }
    expect(late).toEqual(late.map(() => 0))
    expect(windows.inFlight()).toBeLessThanOrEqual(256)
    expect(parked.every(({ message }) => message.deliveryId.startsWith('hangs'))).toBe(true)
  })

  test('with thousands of new targets: quick ones of their origin keep their slots', () => {
    enqueue('other', 1, { origin: ORIGIN })
    scheduler.pump()
    answerAll()
    for (let n = 0; n < 5_000; n += 1) enqueue(`hangs ${n}`, 2, { origin: ORIGIN })
    scheduler.pump()
    expect(windows.inFlight()).toBe(256)
    for (let second = 0; second < 5; second += 1) {
      enqueue('other', 50, { origin: ORIGIN })
      scheduler.pump()
      expect(answerAll().length).toBe(50)
      now += 1_001
      age()
      scheduler.tick()
      expect(windows.inFlight()).toBe(256)
    }
  })

  test('once what hangs has ended, what waits there goes', () => {
    for (let n = 0; n < 300; n += 1) enqueue(`hangs ${n}`, 2, { origin: ORIGIN })
    scheduler.pump()
    expect(begun.length).toBe(256)
    now = 999
    while (begun.length > 0) endAll()
    expect([scheduler.waiting(), windows.inFlight(), parked.length]).toEqual([0, 0, 0])
  })
})

describe('when this process itself is what is slow', () => {
  /** Attempts of `a` and `b` end, 100 and 300 in a quarter of a second. */
  function goOn(): void {
    enqueue('a', 100)
    enqueue('b', 300)
    scheduler.pump()
    while (begun.length > 0) endAll()
    now += 250
    scheduler.tick()
  }

  test('as much may wait as goes in a quarter of a second, over all queues', () => {
    utilization = 1
    goOn()
    expect(scheduler.capacity()).toBe(400)
    enqueue('b', 250)
    expect(scheduler.capacity()).toBe(150)
  })

  test('a queue that is slow counts with what goes there, however many wait', () => {
    utilization = 1
    goOn()
    enqueue('a', 1_000)
    expect(scheduler.capacity()).toBe(300)
  })

  test('and with time to spare there is no such limit', () => {
    goOn()
    expect(scheduler.capacity()).toBe(windows.free())
  })
})
