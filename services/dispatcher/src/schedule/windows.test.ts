import { describe, expect, test } from '@jest/globals'
import { standingOf, type TargetLoad } from './loads.ts'
import { createWindows, type Slot, windowLimits, type Windows } from './windows.ts'

/**
 * Three quarters of what is unproven is for slow targets: 30 of an origin's 40, 75 of 100 in all.
 */
const LIMITS = {
  slots: 200,
  unprovenSlots: 100,
  originSlow: 40,
  originQuick: 100,
  bytes: 20_000,
  unprovenBytes: 10_000,
  originSlowBytes: 4_000,
  originQuickBytes: 10_000,
}
const HANGS_MS = 1_001

/** Starts as many attempts as may start. */
function fill(windows: Windows, target: TargetLoad, now = 0, bytes = 1): Slot[] {
  const slots: Slot[] = []
  while (windows.mayStart(target) === 'go') slots.push(windows.takeSlot(target, now, bytes))
  return slots
}

function end(windows: Windows, slots: readonly Slot[], now: number): void {
  for (const slot of slots) windows.releaseSlot(slot, now)
}

/** One quick attempt. */
function prove(windows: Windows, target: TargetLoad): void {
  windows.releaseSlot(windows.takeSlot(target, 0, 1), 1)
}

/** Targets with the window of one that has answered 48 times. */
function quickTargets(
  windows: Windows,
  count: number,
  originOf: (at: number) => string,
): TargetLoad[] {
  return Array.from({ length: count }, (_, at) => {
    const target = windows.add(originOf(at))
    for (let round = 0; round < 48; round += 1) prove(windows, target)
    return target
  })
}

function hang(windows: Windows, slots: readonly Slot[]): void {
  for (const slot of slots) windows.markSlow(slot, slot.startedAt + HANGS_MS)
}

test.each([16, 100, 2_048])('of %i slots what hangs gets at most half', (slots) => {
  const windows = createWindows(windowLimits(slots))
  const targets = Array.from({ length: slots }, (_, at) => windows.add(`tenant-${at} origin`))
  expect(targets.flatMap((target) => fill(windows, target)).length).toBe(slots / 2)
})

describe('a target', () => {
  test('begins with 16, doubles while attempts end quickly, and halves once when they hang', () => {
    const windows = createWindows({ ...LIMITS, originSlow: 1_000, originQuick: 1_000 })
    const target = windows.add('t a')
    const first = fill(windows, target)
    expect([first.length, windows.mayStart(target)]).toEqual([16, 'window'])
    end(windows, first, 10)
    const second = fill(windows, target, 10)
    expect(second.length).toBe(32)
    for (const slot of second) windows.markSlow(slot, 10 + HANGS_MS)
    expect(target.window.size).toBe(16)
    expect(windows.mayStart(target)).toBe('window')
    end(windows, second, 5_000)
    expect(target.window.size).toBe(16)
    expect([target.inFlight, target.slow, windows.inFlight()]).toEqual([0, 0, 0])
  })

  test('is new until it has answered, and slow from an attempt that is until one has ended quickly', () => {
    const windows = createWindows(LIMITS)
    const target = windows.add('t a')
    expect(standingOf(target)).toBe('new')
    prove(windows, target)
    expect(standingOf(target)).toBe('quick')
    const [one, two] = [0, 0].map(() => windows.takeSlot(target, 100, 1)) as [Slot, Slot]
    windows.markSlow(one, 100 + HANGS_MS)
    windows.releaseSlot(windows.takeSlot(target, 1_200, 1), 1_201)
    expect(standingOf(target)).toBe('slow')
    windows.releaseSlot(one, 2_000)
    expect(standingOf(target)).toBe('slow')
    windows.releaseSlot(two, 2_000)
    prove(windows, target)
    expect([standingOf(target), windows.inFlight()]).toEqual(['quick', 0])
  })

  test('of a quick origin leaves as many slots as it has itself to the others there', () => {
    const windows = createWindows(LIMITS)
    const [first, second, third] = quickTargets(windows, 3, () => 't origin') as [
      TargetLoad,
      TargetLoad,
      TargetLoad,
    ]
    expect(fill(windows, first).length).toBe(50)
    expect(windows.mayStart(first)).toBe('origin')
    expect(fill(windows, second).length).toBe(25)
    expect(windows.mayStart(third)).toBe('go')
  })
})

describe('an origin', () => {
  test('that has not answered yet gets no more than what may hang there', () => {
    const windows = createWindows(LIMITS)
    const targets = Array.from({ length: 7 }, () => windows.add('t origin'))
    const started = targets.map((target) => fill(windows, target).length)
    // Three quarters for whoever comes, then for the first few attempts of each, and at last for
    // the very first.
    expect(started).toEqual([16, 14, 4, 4, 1, 1, 0])
    expect(windows.mayStart(targets[5]!)).toBe('origin')
    expect(windows.mayStart(windows.add('t another'))).toBe('go')
  })

  test('that hangs as a whole never gets more, with thousands of targets and for as long as it hangs', () => {
    const windows = createWindows(windowLimits(2_048))
    let most = 0
    const slots: Slot[] = []
    for (let second = 0; second < 10; second += 1) {
      for (let n = 0; n < 1_000; n += 1) {
        slots.push(...fill(windows, windows.add('t origin'), second * 1_000))
      }
      most = Math.max(most, windows.inFlight())
      hang(
        windows,
        slots.filter((slot) => !slot.slow),
      )
    }
    expect(most).toBe(256)
  })

  test('whose slow targets have used up their share stops neither quick nor new ones there', () => {
    const windows = createWindows(LIMITS)
    const [quick] = quickTargets(windows, 1, () => 't origin') as [TargetLoad]
    const slow = [1, 2, 3].map(() => windows.add('t origin'))
    hang(
      windows,
      slow.flatMap((target) => fill(windows, target).slice(0, 15)),
    )
    expect(slow.map((target) => windows.mayStart(target))).not.toContain('go')
    expect(fill(windows, windows.add('t origin')).length).toBe(4)
    expect(windows.mayStart(quick)).toBe('go')
    expect(fill(windows, quick).length).toBeGreaterThan(25)
  })

  test('whose targets hang, again after each timeout, still trusts new ones with a few', () => {
    const windows = createWindows(LIMITS)
    const hanging = Array.from({ length: 40 }, () => windows.add('t origin'))
    const first = hanging.map((target) => windows.takeSlot(target, 0, 1))
    for (let at = 0; at <= 90_000; at += 30_000) {
      const slots = at === 0 ? first : hanging.flatMap((target) => fill(windows, target, at))
      hang(windows, slots)
      if (at > 0) {
        // Their own part, and a single attempt of some to tell whether they have recovered.
        expect(slots.length).toBe(35)
        const fresh = fill(windows, windows.add('t origin'), at)
        expect(fresh.length).toBe(3)
        end(windows, fresh, at + 1)
      }
      end(windows, slots, at + 30_000)
    }
  })

  test('at which others hang tries a target that was slow once, and trusts it when it is quick', () => {
    const windows = createWindows(LIMITS)
    const was = windows.add('t origin')
    const slots = fill(windows, was)
    hang(windows, slots)
    end(windows, slots, 2_000)
    hang(
      windows,
      [1, 2].flatMap(() => fill(windows, windows.add('t origin'), 2_000)),
    )
    const [only, ...more] = fill(windows, was, 3_000)
    expect([only === undefined, more]).toEqual([false, []])
    end(windows, [only as Slot], 3_001)
    expect(standingOf(was)).toBe('quick')
    expect(fill(windows, was, 3_002).length).toBeGreaterThan(1)
  })

  test('at which many new ones hang leaves others their first attempt', () => {
    const windows = createWindows(LIMITS)
    const slow = [1, 2, 3].map(() => windows.add('t origin'))
    hang(
      windows,
      slow.flatMap((target) => fill(windows, target).slice(0, 15)),
    )
    // They start in turns, as queues do.
    const fresh = Array.from({ length: 5 }, () => windows.add('t origin'))
    for (let round = 0; round < 4; round += 1) {
      for (const target of fresh)
        if (windows.mayStart(target) === 'go') windows.takeSlot(target, 0, 1)
    }
    expect(fresh.map(({ inFlight }) => inFlight)).toEqual([1, 1, 1, 1, 1])
    expect(windows.mayStart(windows.add('t origin'))).toBe('go')
  })

  test('at which many hang that were quick stops slow targets, and trusts new ones with a few', () => {
    const windows = createWindows(LIMITS)
    const targets = quickTargets(windows, 4, () => 't origin')
    hang(
      windows,
      targets.flatMap((target) => fill(windows, target)),
    )
    expect(windows.inFlight()).toBeGreaterThan(80)
    expect(targets.map((target) => windows.mayStart(target))).not.toContain('go')
    expect(fill(windows, windows.add('t origin')).length).toBe(3)
  })

  test('that a target has left still counts what is in slot there', () => {
    const windows = createWindows(LIMITS)
    const target = windows.add('t old')
    const slots = fill(windows, target)
    windows.move(target, 't new')
    expect(target.origin).toMatchObject({ key: 't new', inFlight: 0 })
    expect(slots[0]!.origin).toMatchObject({ key: 't old', inFlight: 16 })
    expect(target.origin.tenant).toMatchObject({ inFlight: 16, unproven: 16 })
    end(windows, slots, 10)
    expect(windows.inFlight()).toBe(0)
    expect(windows.add('t old').origin).not.toBe(slots[0]!.origin)
  })
})

describe('a tenant', () => {
  /** As many new targets, each of an origin of its own, as get a slot. */
  function flood(windows: Windows, tenant: string): number {
    let started = 0
    for (let n = 0; n < 10_000; n += 1) {
      const slots = fill(windows, windows.add(`${tenant} origin-${n}`))
      hang(windows, slots)
      started += slots.length
    }
    return started
  }

  test('with 10,000 hanging endpoints at 10,000 origins leaves half of what may hang to others', () => {
    const windows = createWindows(windowLimits(2_048))
    expect(flood(windows, 'a')).toBe(512)
    expect(windows.mayStart(windows.add('a another'))).toBe('tenant')
    expect(fill(windows, windows.add('b origin')).length).toBe(16)
  })

  test.each([2, 10, 100])('of %i that flood at once leaves slots to whoever comes', (tenants) => {
    const windows = createWindows(windowLimits(2_048))
    let left = Array.from({ length: tenants }, (_, n) => n)
    for (let round = 0; left.length > 0; round += 1) {
      left = left.filter((n) => {
        const target = windows.add(`tenant-${n} origin-${round}`)
        if (windows.mayStart(target) !== 'go') return false
        hang(windows, [windows.takeSlot(target, 0, 1)])
        return true
      })
    }
    expect(windows.unprovenInFlight()).toBeLessThanOrEqual(1_024)
    expect(windows.mayStart(windows.add('late origin'))).toBe('go')
  })

  test('whose quick targets all hang at once leaves half of all slots to others, new ones too', () => {
    const windows = createWindows(windowLimits(2_048))
    const quick = quickTargets(windows, 200, (at) => `a origin-${at}`)
    const others = quickTargets(windows, 1, () => 'b origin')
    const slots = quick.flatMap((target) => fill(windows, target))
    hang(windows, slots)
    expect(slots.length).toBeGreaterThan(900)
    expect(slots.length).toBeLessThanOrEqual(1_024)
    expect(quick.map((target) => windows.mayStart(target))).not.toContain('go')
    expect(windows.mayStart(others[0]!)).toBe('go')
    expect(fill(windows, windows.add('b another')).length).toBe(16)
  })

  test('gets its share back as another one’s attempts end', () => {
    const windows = createWindows(LIMITS)
    const [a, b] = [1, 2].map(() =>
      quickTargets(windows, 10, (at) => `t${at % 2} origin-${at}`).flatMap((t) => fill(windows, t)),
    ) as [Slot[], Slot[]]
    const waits = windows.add('t1 late')
    expect(windows.inFlight()).toBeGreaterThan(130)
    end(windows, [...a, ...b], 1)
    expect([windows.mayStart(waits), windows.inFlight()]).toEqual(['go', 0])
  })
})

describe('the slots', () => {
  test('are half for targets that answer, however many hang', () => {
    const windows = createWindows(LIMITS)
    const quick = windows.add('q quick')
    prove(windows, quick)
    let hanging = 0
    for (let n = 0; n < 50; n += 1) hanging += fill(windows, windows.add(`t${n} hangs`)).length
    expect(hanging).toBe(100)
    expect(windows.unprovenInFlight()).toBe(100)
    expect(windows.mayStart(windows.add('late new'))).toBe('tenant')
    expect(windows.mayStart(quick)).toBe('go')
  })

  test('are never more than there are', () => {
    const windows = createWindows({ ...LIMITS, unprovenSlots: 1_000 })
    let started = 0
    for (let n = 0; n < 300; n += 1) started += fill(windows, windows.add(`t${n} o`)).length
    expect(started).toBe(200)
    expect(windows.mayStart(windows.add('late o'))).toBe('slots')
  })
})

describe('payloads in slot', () => {
  /** One that answers, with a window of 32. */
  function quick(windows: Windows, origin: string): TargetLoad {
    const target = windows.add(origin)
    end(windows, fill(windows, target), 1)
    return target
  }

  test('an origin that has not answered yet has few large ones, and the others go on', () => {
    const windows = createWindows(LIMITS)
    const hangs = windows.add('t hangs')
    expect(fill(windows, hangs, 0, 1_000).length).toBe(4)
    expect(windows.mayStart(hangs)).toBe('origin')
    expect(windows.mayStart(windows.add('u another'))).toBe('go')
  })

  test('what is unproven leaves half of the bytes to those that answer', () => {
    const windows = createWindows(LIMITS)
    const answers = quick(windows, 'q answers')
    const started = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (tenant) => fill(windows, windows.add(`${tenant} o`), 1, 1_000).length,
    )
    // A tenant has as much as is left of 10: four of its origin, then three, two, one.
    expect(started).toEqual([4, 3, 2, 1, 0, 0])
    expect(windows.mayStart(windows.add('g o'))).toBe('tenant')
    expect(windows.mayStart(answers)).toBe('go')
    expect(fill(windows, answers, 1, 1_000).length).toBe(5)
    expect(windows.mayStart(answers)).toBe('tenant')
  })

  test('one that is read counts what it has, and nothing when it has ended', () => {
    const windows = createWindows(LIMITS)
    const target = windows.add('t a')
    const slots = fill(windows, target, 0, 2_000)
    expect(slots.length).toBe(2)
    for (const slot of slots) windows.setBytes(slot, 10)
    expect([windows.mayStart(target), windows.bytesInFlight()]).toEqual(['go', 20])
    end(windows, slots, 1)
    expect([windows.bytesInFlight(), target.origin.bytes]).toEqual([0, 0])
  })
})
