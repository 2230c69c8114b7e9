import { beforeEach, describe, expect, test } from '@jest/globals'
import type { LeasedDelivery, Sending } from '../delivery.ts'
import { MAX_IN_FLIGHT_BYTES } from '../in-flight-set.ts'
import { type FairScheduler, MAX_WAIT_MS } from './fair-scheduler.ts'
import {
  createTestScheduler,
  targetsOf,
  testDelivery,
  testTarget,
  type TestScheduler,
} from './fair-scheduler.fixture.ts'
import type { Windows } from './windows.ts'

let now: number
let rig: TestScheduler
let windows: Windows
let scheduler: FairScheduler
let begun: Sending[]
let parked: LeasedDelivery[]
let dropped: LeasedDelivery[]
let enqueue: TestScheduler['enqueue']
let endAll: TestScheduler['endAll']
beforeEach(() => {
  now = 0
  rig = createTestScheduler({ now: () => now })
  ;({ windows, scheduler, begun, parked, dropped, enqueue, endAll } = rig)
})

test('targets take turns, and each stops at its window', () => {
  enqueue('a', 20)
  enqueue('b', 2)
  enqueue('c', 1)
  scheduler.pump()
  expect(targetsOf(begun).slice(0, 6)).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  expect(begun).toHaveLength(19)
  rig.end(begun[0]!)
  expect(targetsOf(begun.slice(19))).toEqual(['a'])
})

test('what came just now takes turns with the backlog', () => {
  const fetched = enqueue('a', 3, { fetched: true })
  const waiting = enqueue('a', 5)
  scheduler.pump()
  expect(begun).toEqual([
    fetched[0],
    waiting[0],
    fetched[1],
    waiting[1],
    fetched[2],
    ...waiting.slice(2),
  ])
})

test('attempts that wait for their payloads leave bytes to one that brought its own', () => {
  const flood = Array.from({ length: 100 }, (_, n) => `tenant flood${n}`)
  const origin = 'tenant origin'
  for (const target of flood) enqueue(target, 1, { origin })
  enqueue('other', 1, { origin })
  scheduler.pump()
  endAll()
  for (const target of flood) enqueue(target, 2, { origin, payload: null })
  scheduler.pump()
  expect(begun).toHaveLength(48)
  const [other] = enqueue('other', 1, { origin })
  scheduler.pump()
  expect(begun.at(-1)).toBe(other)
  // Each that is read lets others read theirs.
  for (let read = 0; read < begun.length; read += 1) rig.payloadRead(begun[read]!, 480)
  expect(begun).toHaveLength(201)
})

test('a queue that nothing stops starts in the order of its arrival as slots become free', () => {
  const deliveries = enqueue('a', 40)
  scheduler.pump()
  const order = [...begun]
  while (begun.length > 0) {
    const ended = begun.shift() as Sending
    const before = begun.length
    rig.end(ended)
    order.push(...begun.slice(before))
  }
  expect(order).toEqual(deliveries)
  expect([scheduler.waiting(), windows.inFlight()]).toEqual([0, 0])
})

describe('what can’t go', () => {
  test('waits for a second, is parked then, and only then', () => {
    const deliveries = enqueue('a', 18)
    scheduler.pump()
    now = MAX_WAIT_MS - 1
    const late = enqueue('a', 1)
    scheduler.tick()
    expect(parked).toEqual([])
    now = MAX_WAIT_MS
    scheduler.tick()
    expect(parked).toEqual(deliveries.slice(16))
    now = 2 * MAX_WAIT_MS
    scheduler.tick()
    expect(parked).toEqual([...deliveries.slice(16), ...late])
  })

  test('is parked at once when its queue is full, by number or by size', () => {
    enqueue('a', 1_000)
    const [over] = enqueue('a', 1)
    expect(parked).toEqual([over])
    const large = 'x'.repeat(256 * 1024)
    enqueue('b', 32, { payload: large })
    expect(parked).toHaveLength(1)
    enqueue('b', 1, { payload: large })
    expect(parked).toHaveLength(2)
  })

  test('is parked at once when all queues together are full by size', () => {
    const large = 'x'.repeat(256 * 1024)
    for (let n = 0; n < 20; n += 1) enqueue(`full ${n}`, 32, { payload: large })
    // No queue has more than is left of 96: 32, 32, 16, 8, ...; twelve more that go at once.
    expect([
      scheduler.waiting(),
      new Set(parked.map(({ message }) => message.deliveryId.split(' ')[1])).size,
    ]).toEqual([108, 18])
    const before = parked.length
    // What goes at once needs none of it, and what has gone makes room.
    enqueue('one more', 1, { payload: large })
    expect(parked.length).toBe(before)
    enqueue('one more', 1, { payload: large })
    expect(parked.length).toBe(before + 1)
    scheduler.pump()
    while (begun.length > 0) endAll()
    enqueue('one more', 2, { payload: large })
    expect(parked.length).toBe(before + 1)
  })

  test('is dropped where somebody else has it', () => {
    const [delivery] = enqueue('a', 1)
    delivery!.lost = true
    scheduler.pump()
    expect([begun, dropped]).toEqual([[], [delivery]])
  })

  test('waits while results can not be recorded', () => {
    Object.assign(rig.isFull, { recorder: true, spare: true })
    enqueue('a', 1)
    scheduler.pump()
    expect(begun).toEqual([])
    Object.assign(rig.isFull, { recorder: false, spare: false })
    scheduler.pump()
    expect(begun).toHaveLength(1)
  })

  test('but not at targets that are sent little, while a flood’s results wait', () => {
    rig.isFull.recorder = true
    enqueue('flood', 9)
    enqueue('backlog', 1)
    scheduler.queueOf('backlog', '').feed = () => undefined
    enqueue('sparse', 2)
    scheduler.pump()
    expect(targetsOf(begun)).toEqual(['sparse', 'sparse'])
    expect([scheduler.capacity(), scheduler.spareCapacity()]).toEqual([0, 256])
    rig.isFull.spare = true
    enqueue('too late', 1)
    scheduler.pump()
    expect(begun).toHaveLength(2)
    expect(scheduler.spareCapacity()).toBe(0)
  })

  test('goes once attempts of others at its origin, or of other tenants, have ended', () => {
    for (let n = 0; n < 70; n += 1) enqueue(`hangs ${n}`, 16)
    scheduler.pump()
    // Each of 70 tenants has as many as are left of three quarters of 1,024.
    expect(begun.length).toBe(758)
    expect(scheduler.waiting()).toBe(70 * 16 - 758)
    endAll()
    scheduler.tick()
    expect(begun.length).toBeGreaterThan(0)
    while (begun.length > 0) endAll()
    expect(scheduler.waiting()).toBe(0)
  })
})

describe('what a backlog may fetch', () => {
  test('is what is free while the target is not known to be quick, and a window ahead once it answers', () => {
    const queue = scheduler.queueOf('a', 'a origin')
    expect(scheduler.wanted(queue)).toBe(16)
    enqueue('a', 10, { fetched: true })
    scheduler.pump()
    expect(scheduler.wanted(queue)).toBe(6)
    rig.end(begun[0]!)
    expect(scheduler.wanted(queue)).toBe(7 + 16)
    enqueue('a', 20, { fetched: true })
    expect(scheduler.wanted(queue)).toBe(0)
  })

  test('is nothing while the target hangs', () => {
    enqueue('a', 16)
    scheduler.pump()
    for (const { slot } of begun) windows.markSlow(slot, 1_001)
    expect(scheduler.wanted(scheduler.queueOf('a', 'a origin'))).toBeLessThanOrEqual(0)
  })
})

test('only queues of targets that respond keep deliveries on the bus, each by its share', () => {
  for (const target of ['quick', 'unknown']) enqueue(target, 500)
  scheduler.pump()
  rig.end(begun[0]!)
  expect(windows.free() - scheduler.capacity()).toBe(64)
})

test('drain gives out all that waits and starts nothing more', () => {
  enqueue('a', 20)
  enqueue('a', 3, { fetched: true })
  scheduler.pump()
  expect(scheduler.drain()).toHaveLength(7)
  endAll()
  expect([begun, scheduler.waiting()]).toEqual([[], 0])
})

test('idle targets are forgotten, busy ones are not', () => {
  enqueue('a', 1)
  enqueue('b', 1)
  scheduler.pump()
  const [a, b] = [scheduler.queueOf('a', 'a origin'), scheduler.queueOf('b', 'b origin')]
  rig.end(begun[0]!)
  now = 60_001
  scheduler.forgetIdle()
  expect(scheduler.queueOf('b', 'b origin')).toBe(b)
  expect(scheduler.queueOf('a', 'a origin')).not.toBe(a)
})

test('it has nothing to tick for when nothing waits and nothing has gone', () => {
  enqueue('a', 20)
  scheduler.pump()
  expect(scheduler.tick()).toBe(true)
  while (begun.length > 0) endAll()
  scheduler.tick()
  const rounds = Array.from({ length: 3 }, () => {
    now += 250
    return scheduler.tick()
  })
  expect(rounds).toEqual([true, false, false])
})

test('payloads that are not read yet count as large ones, and once read as what they are', () => {
  function enqueueUnread(deliveryId: string, targetId: string): void {
    scheduler.enqueue(testDelivery({ deliveryId, payload: null }), testTarget(targetId), false)
  }
  for (let n = 0; n < 64; n += 1) enqueueUnread(`${n}`, `target ${n % 8}`)
  // 12 MiB, of 256 KiB each.
  scheduler.pump()
  expect(begun.length).toBe(48)
  const unread = [...begun]
  for (let n = 0; n < 100; n += 1) enqueueUnread(`more ${n}`, `another ${n % 10}`)
  scheduler.pump()
  expect(begun.length).toBe(48)
  for (const sending of unread) rig.payloadRead(sending, 500)
  expect(begun.length).toBe(2 * 48)
})

test('there is capacity until one of the limits is reached', () => {
  rig = createTestScheduler({ slots: 1, now: () => now })
  rig.isFull.bytes = MAX_IN_FLIGHT_BYTES - 1
  const capacity = () => [rig.scheduler.hasCapacity(), rig.scheduler.capacity()]
  expect(capacity()).toEqual([true, 1])
  for (const reached of [{ recorder: true }, { parking: true }, { bytes: MAX_IN_FLIGHT_BYTES }]) {
    const before = { ...rig.isFull }
    Object.assign(rig.isFull, reached)
    expect(capacity()).toEqual([false, 0])
    Object.assign(rig.isFull, before)
  }
  rig.scheduler.enqueue(testDelivery({ deliveryId: 'a', payload: '{}' }), testTarget('a'), false)
  rig.scheduler.pump()
  expect(capacity()).toEqual([false, 0])
})
