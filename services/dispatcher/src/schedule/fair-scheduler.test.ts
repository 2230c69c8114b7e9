import { beforeEach, describe, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { createFairScheduler, type FairScheduler, MAX_WAIT_MS } from './fair-scheduler.ts'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import { createWindows, windowLimits, type Windows } from './windows.ts'
import { newLeasedDelivery, type LeasedDelivery } from '../delivery.ts'

let windows: Windows
let lines: FairScheduler
let now: number
let utilization: number
let canStart: boolean
let begun: LeasedDelivery[]
let held: LeasedDelivery[]
let dropped: LeasedDelivery[]
beforeEach(() => {
  now = 0
  utilization = 0
  canStart = true
  begun = []
  held = []
  dropped = []
  windows = createWindows(windowLimits(2_048))
  lines = createFairScheduler({
    windows,
    takeTokens: async () => ({ granted: 0, retryAfterMs: 1_000, backlogElsewhere: false }),
    canStart: () => canStart,
    reconsider: (work) => work.target,
    begin: (work) => void begun.push(work),
    park: (work) => void held.push(work),
    drop: (work) => void dropped.push(work),
    onCapacity: () => {},
    onWaiting: () => {},
    utilization: () => utilization,
    now: () => now,
  })
})

/** A tenant and origin of its own, unless said. */
function way(
  targetId: string,
  originKey = `${targetId.replaceAll(' ', '-')} origin`,
): ResolvedTarget {
  return { targetId, originKey, rateLimitPerSec: 0 } as ResolvedTarget
}

interface Given {
  fetched?: boolean
  payload?: string
  /** `<tenant> <origin>` */
  origin?: string
}

function enqueue(
  targetId: string,
  count: number,
  { fetched = false, payload = '{}', origin }: Given = {},
): LeasedDelivery[] {
  return Array.from({ length: count }, (_, n) => {
    const work = newLeasedDelivery(
      { deliveryId: `${targetId} ${n}`, payload } as DueDelivery,
      1,
      null,
      0,
    )
    lines.enqueue(work, way(targetId, origin), fetched)
    return work
  })
}

const targets = (works: readonly LeasedDelivery[]): string[] =>
  works.map((work) => work.target!.targetId)

/** Ends the tries begun so far, quickly. */
function endAll(): void {
  for (const work of begun.splice(0)) lines.ended(work)
}

test('targets take turns, and each stops at its window', () => {
  enqueue('a', 20)
  enqueue('b', 2)
  enqueue('c', 1)
  lines.pump()
  expect(targets(begun).slice(0, 6)).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  expect(begun).toHaveLength(19)
  lines.ended(begun[0]!)
  expect(targets(begun.slice(19))).toEqual(['a'])
})

test('what came just now takes turns with the backlog', () => {
  const fetched = enqueue('a', 3, { fetched: true })
  const waiting = enqueue('a', 5)
  lines.pump()
  expect(begun).toEqual([
    fetched[0],
    waiting[0],
    fetched[1],
    waiting[1],
    fetched[2],
    ...waiting.slice(2),
  ])
})

test('a line that nothing stops starts in the order of its arrival as slots become free', () => {
  const works = enqueue('a', 40)
  lines.pump()
  const order = [...begun]
  while (begun.length > 0) {
    const ended = begun.shift() as LeasedDelivery
    const before = begun.length
    lines.ended(ended)
    order.push(...begun.slice(before))
  }
  expect(order).toEqual(works)
  expect([lines.waiting(), windows.inFlight()]).toEqual([0, 0])
})

describe('what can’t go', () => {
  test('waits for a second, is handed back then, and only then', () => {
    const works = enqueue('a', 18)
    lines.pump()
    now = MAX_WAIT_MS - 1
    const late = enqueue('a', 1)
    lines.tick()
    expect(held).toEqual([])
    now = MAX_WAIT_MS
    lines.tick()
    expect(held).toEqual(works.slice(16))
    now = 2 * MAX_WAIT_MS
    lines.tick()
    expect(held).toEqual([...works.slice(16), ...late])
  })

  test('is handed back at once when its line is full, by number or by size', () => {
    enqueue('a', 1_000)
    const [over] = enqueue('a', 1)
    expect(held).toEqual([over])
    const large = 'x'.repeat(256 * 1024)
    enqueue('b', 32, { payload: large })
    expect(held).toHaveLength(1)
    enqueue('b', 1, { payload: large })
    expect(held).toHaveLength(2)
  })

  test('is handed back at once when all lines together are full by size', () => {
    const large = 'x'.repeat(256 * 1024)
    for (let n = 0; n < 20; n += 1) enqueue(`full ${n}`, 32, { payload: large })
    // No line has more than is left of 96: 32, 32, 16, 8, ...; twelve more that go at once.
    expect([lines.waiting(), new Set(targets(held)).size]).toEqual([108, 18])
    const before = held.length
    // What goes at once needs none of it, and what has gone makes room.
    enqueue('one more', 1, { payload: large })
    expect(held.length).toBe(before)
    enqueue('one more', 1, { payload: large })
    expect(held.length).toBe(before + 1)
    lines.pump()
    while (begun.length > 0) endAll()
    enqueue('one more', 2, { payload: large })
    expect(held.length).toBe(before + 1)
  })

  test('is dropped where somebody else has it', () => {
    const [work] = enqueue('a', 1)
    work!.lost = true
    lines.pump()
    expect([begun, dropped]).toEqual([[], [work]])
  })

  test('waits while results can not be recorded', () => {
    canStart = false
    enqueue('a', 1)
    lines.pump()
    expect(begun).toEqual([])
    canStart = true
    lines.pump()
    expect(begun).toHaveLength(1)
  })

  test('goes once attempts of others at its origin, or of other tenants, have ended', () => {
    for (let n = 0; n < 70; n += 1) enqueue(`hangs ${n}`, 16)
    lines.pump()
    // Each of 70 tenants has as many as are left of three quarters of 1,024.
    expect(begun.length).toBe(758)
    expect(lines.waiting()).toBe(70 * 16 - 758)
    endAll()
    lines.tick()
    expect(begun.length).toBeGreaterThan(0)
    while (begun.length > 0) endAll()
    expect(lines.waiting()).toBe(0)
  })
})

describe('a flood of which half hangs', () => {
  const ORIGIN = 'tenant shared'

  /** Ends at once what does not hang, until nothing more begins; answers what began there. */
  function answerAll(): string[] {
    const answered: string[] = []
    for (;;) {
      const quick = begun.filter((work) => !work.target!.targetId.startsWith('hangs'))
      if (quick.length === 0) return answered
      answered.push(...targets(quick))
      begun = begun.filter((work) => !quick.includes(work))
      for (const work of quick) lines.ended(work)
    }
  }

  /** As `keep-leases.ts` does, which looks at their ages. */
  function age(): void {
    for (const { slot: flight } of begun) {
      if (flight === null || flight.slow || now - flight.startedAt <= 1_000) continue
      windows.sawSlow(flight, now)
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
      lines.pump()
      const answered = answerAll()
      late.push(50 * 20 + 5 + 2 - answered.length)
      now += 1_001
      age()
      lines.tick()
    }
    expect(late).toEqual(late.map(() => 0))
    expect(windows.inFlight()).toBeLessThanOrEqual(256)
    expect(held.every((work) => work.target!.targetId.startsWith('hangs'))).toBe(true)
  })

  test('with thousands of new targets: quick ones of their origin keep their slots', () => {
    enqueue('other', 1, { origin: ORIGIN })
    lines.pump()
    answerAll()
    for (let n = 0; n < 5_000; n += 1) enqueue(`hangs ${n}`, 2, { origin: ORIGIN })
    lines.pump()
    expect(windows.inFlight()).toBe(256)
    for (let second = 0; second < 5; second += 1) {
      enqueue('other', 50, { origin: ORIGIN })
      lines.pump()
      expect(answerAll().length).toBe(50)
      now += 1_001
      age()
      lines.tick()
      expect(windows.inFlight()).toBe(256)
    }
  })

  test('once what hangs has ended, what waits there goes', () => {
    for (let n = 0; n < 300; n += 1) enqueue(`hangs ${n}`, 2, { origin: ORIGIN })
    lines.pump()
    expect(begun.length).toBe(256)
    now = 999
    while (begun.length > 0) endAll()
    expect([lines.waiting(), windows.inFlight(), held.length]).toEqual([0, 0, 0])
  })
})

describe('what a backlog may fetch', () => {
  test('is what is free while the target is a suspect, and a window ahead once it answers', () => {
    const line = lines.queueOf('a', 'a origin')
    expect(lines.wanted(line)).toBe(16)
    enqueue('a', 10, { fetched: true })
    lines.pump()
    expect(lines.wanted(line)).toBe(6)
    lines.ended(begun[0]!)
    expect(lines.wanted(line)).toBe(7 + 16)
    enqueue('a', 20, { fetched: true })
    expect(lines.wanted(line)).toBe(0)
  })

  test('is nothing while the target hangs', () => {
    enqueue('a', 16)
    lines.pump()
    for (const work of begun) windows.sawSlow(work.slot!, 1_001)
    expect(lines.wanted(lines.queueOf('a', 'a origin'))).toBeLessThanOrEqual(0)
  })
})

test('only lines of targets that answer keep work on the bus, each by its share', () => {
  for (const target of ['quick', 'unknown']) enqueue(target, 500)
  lines.pump()
  lines.ended(begun[0]!)
  expect(lines.waitingSoon(1_000)).toBe(64)
})

test('drain gives out all that waits and starts nothing more', () => {
  enqueue('a', 20)
  enqueue('a', 3, { fetched: true })
  lines.pump()
  expect(lines.drain()).toHaveLength(7)
  endAll()
  expect([begun, lines.waiting()]).toEqual([[], 0])
})

test('idle targets are forgotten, busy ones are not', () => {
  enqueue('a', 1)
  enqueue('b', 1)
  lines.pump()
  const [a, b] = [lines.queueOf('a', 'a origin'), lines.queueOf('b', 'b origin')]
  lines.ended(begun[0]!)
  now = 60_001
  lines.forgetIdle()
  expect(lines.queueOf('b', 'b origin')).toBe(b)
  expect(lines.queueOf('a', 'a origin')).not.toBe(a)
})

describe('when this process itself is what is slow', () => {
  /** Tries of `a` and `b` end at a pace of 100 and 300 a quarter of a second. */
  function goOn(): void {
    enqueue('a', 100)
    enqueue('b', 300)
    lines.pump()
    while (begun.length > 0) endAll()
    now += 250
    lines.tick()
  }

  test('as much may wait as goes in a quarter of a second, over all lines', () => {
    utilization = 1
    goOn()
    expect(lines.roomAtPace()).toBe(400)
    canStart = false
    enqueue('b', 250)
    expect(lines.roomAtPace()).toBe(150)
  })

  test('a line that is slow counts with what goes there, however many wait', () => {
    utilization = 1
    goOn()
    canStart = false
    enqueue('a', 1_000)
    expect(lines.roomAtPace()).toBe(300)
  })

  test('and with time to spare there is no such limit', () => {
    goOn()
    expect(lines.roomAtPace()).toBe(Infinity)
  })
})

test('it has nothing to tick for when nothing waits and nothing has gone', () => {
  enqueue('a', 20)
  lines.pump()
  expect(lines.tick()).toBe(true)
  while (begun.length > 0) endAll()
  lines.tick()
  const rounds = Array.from({ length: 3 }, () => {
    now += 250
    return lines.tick()
  })
  expect(rounds).toEqual([true, false, false])
})

test('payloads that are not read yet count as large ones, and as what they are once they are read', () => {
  const unread = Array.from({ length: 64 }, (_, n) => {
    const work = newLeasedDelivery({ deliveryId: `${n}`, payload: null } as DueDelivery, 1, null, 0)
    lines.enqueue(work, way(`target ${n % 8}`), false)
    return work
  })
  // 6 MiB at each of these origins, of 256 KiB each, and 24 MiB at all that have not answered yet.
  lines.pump()
  expect(begun.length).toBe(64)
  for (let n = 0; n < 100; n += 1) {
    const work = newLeasedDelivery(
      { deliveryId: `more ${n}`, payload: null } as DueDelivery,
      1,
      null,
      0,
    )
    lines.enqueue(work, way(`another ${n % 10}`), false)
  }
  lines.pump()
  expect(begun.length).toBe(94)
  for (const work of unread) lines.payloadRead(work, 500)
  // Ten tenants share three quarters of the 24 MiB.
  expect(begun.length).toBe(unread.length + 66)
})
