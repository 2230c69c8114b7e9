import { describe, expect, test } from '@jest/globals'
import { createWindows, type Flight, type Target, windowLimits, type Windows } from './windows.ts'

const LIMITS = {
  slots: 200,
  suspectSlots: 100,
  originSlow: 40,
  originQuick: 100,
  bytes: 20_000,
  suspectBytes: 10_000,
  originSlowBytes: 4_000,
  originQuickBytes: 10_000,
}
const HANGS_MS = 1_001

/** Starts as many tries as may start. */
function fill(windows: Windows, target: Target, now = 0, bytes = 1): Flight[] {
  const flights: Flight[] = []
  while (windows.mayStart(target) === 'go') flights.push(windows.start(target, now, bytes))
  return flights
}

function end(windows: Windows, flights: readonly Flight[], now: number): void {
  for (const flight of flights) windows.end(flight, now)
}

/** One quick try: from now on it is no suspect. */
function prove(windows: Windows, target: Target): void {
  windows.end(windows.start(target, 0, 1), 1)
}

test.each([16, 100, 2_048])('of %i slots what hangs gets at most half', (slots) => {
  const windows = createWindows(windowLimits(slots))
  const targets = Array.from({ length: slots }, (_, at) => windows.add(`origin-${at}`))
  expect(targets.flatMap((target) => fill(windows, target))).toHaveLength(slots / 2)
})

describe('a target', () => {
  test('begins with 16, doubles while tries end quickly, and halves once when they hang', () => {
    const windows = createWindows({ ...LIMITS, originSlow: 1_000, originQuick: 1_000 })
    const target = windows.add('a')
    const first = fill(windows, target)
    expect([first.length, windows.mayStart(target)]).toEqual([16, 'window'])
    end(windows, first, 10)
    const second = fill(windows, target, 10)
    expect(second).toHaveLength(32)
    for (const flight of second) windows.sawSlow(flight, 10 + HANGS_MS)
    expect(target.window.size).toBe(16)
    expect(windows.mayStart(target)).toBe('window')
    end(windows, second, 5_000)
    expect(target.window.size).toBe(16)
    expect([target.inFlight, target.slow, windows.inFlight()]).toEqual([0, 0, 0])
  })
})

describe('an origin', () => {
  test('that has not answered yet gets no more than what may hang there', () => {
    const windows = createWindows(LIMITS)
    const targets = [1, 2, 3, 4].map(() => windows.add('origin'))
    const started = targets.map((target) => fill(windows, target).length)
    expect(started).toEqual([16, 16, 8, 0])
    expect(windows.mayStart(targets[3]!)).toBe('origin')
    expect(windows.mayStart(windows.add('another'))).toBe('go')
  })

  test('is stopped by its slow tries, also when others of its URLs are quick', () => {
    const windows = createWindows(LIMITS)
    const [hangs, quick] = [windows.add('origin'), windows.add('origin')]
    prove(windows, quick)
    const slow = [
      ...fill(windows, hangs),
      ...fill(windows, windows.add('origin')),
      ...fill(windows, windows.add('origin')),
    ]
    for (const flight of slow) windows.sawSlow(flight, HANGS_MS)
    prove(windows, quick)
    expect(slow.length).toBeGreaterThanOrEqual(40)
    expect(windows.mayStart(quick)).toBe('origin')
    end(windows, slow.slice(0, slow.length - 39), 5_000)
    prove(windows, quick)
    expect(windows.mayStart(quick)).toBe('go')
  })

  test('that a target has left still counts what is in flight there', () => {
    const windows = createWindows(LIMITS)
    const target = windows.add('old')
    const flights = fill(windows, target)
    windows.move(target, 'new')
    expect(target.origin).toMatchObject({ key: 'new', inFlight: 0 })
    expect(flights[0]!.origin).toMatchObject({ key: 'old', inFlight: 16 })
    end(windows, flights, 10)
    expect(windows.inFlight()).toBe(0)
    expect(windows.add('old').origin).not.toBe(flights[0]!.origin)
  })
})

describe('the slots', () => {
  test('are half for targets that answer, however many hang', () => {
    const windows = createWindows(LIMITS)
    const quick = windows.add('quick')
    prove(windows, quick)
    let hanging = 0
    for (let n = 0; n < 50; n += 1) hanging += fill(windows, windows.add(`hangs ${n}`)).length
    expect(hanging).toBe(100)
    expect(windows.suspectsInFlight()).toBe(100)
    expect(windows.mayStart(windows.add('new'))).toBe('suspects')
    expect(windows.mayStart(quick)).toBe('go')
  })

  test('are never more than there are', () => {
    const windows = createWindows({ ...LIMITS, suspectSlots: 1_000 })
    let started = 0
    for (let n = 0; n < 50; n += 1) started += fill(windows, windows.add(`target ${n}`)).length
    expect(started).toBe(200)
    expect(windows.mayStart(windows.add('one more'))).toBe('slots')
  })

  test('count a target’s tries among the suspects’ from when one is slow until one is quick', () => {
    const windows = createWindows(LIMITS)
    const target = windows.add('a')
    prove(windows, target)
    const [one, two, three] = [0, 0, 0].map(() => windows.start(target, 100, 1))
    expect(windows.suspectsInFlight()).toBe(0)
    windows.sawSlow(one!, 100 + HANGS_MS)
    expect(windows.suspectsInFlight()).toBe(3)
    windows.end(one!, 2_000)
    expect(windows.suspectsInFlight()).toBe(2)
    windows.end(two!, 2_000)
    const next = windows.start(target, 2_000, 1)
    windows.end(next, 2_010)
    expect([target.suspect, windows.suspectsInFlight()]).toEqual([false, 0])
    windows.end(three!, 2_020)
    expect([target.suspect, windows.inFlight(), windows.suspectsInFlight()]).toEqual([true, 0, 0])
  })
})

describe('payloads in flight', () => {
  /** One that answers, with a window of 32. */
  function quick(windows: Windows, origin: string): Target {
    const target = windows.add(origin)
    end(windows, fill(windows, target), 1)
    return target
  }

  test('an origin that has not answered yet has few large ones, and the others go on', () => {
    const windows = createWindows(LIMITS)
    const hangs = windows.add('hangs')
    expect(fill(windows, hangs, 0, 1_000)).toHaveLength(4)
    expect(windows.mayStart(hangs)).toBe('origin')
    expect(windows.mayStart(windows.add('another'))).toBe('go')
  })

  test('suspects leave half of the bytes to those that answer', () => {
    const windows = createWindows(LIMITS)
    const answers = quick(windows, 'answers')
    const started = ['a', 'b', 'c', 'd'].map((origin) => {
      const target = windows.add(origin)
      return fill(windows, target, 1, 1_000).length
    })
    expect(started).toEqual([4, 4, 2, 0])
    expect(windows.mayStart(windows.add('e'))).toBe('suspects')
    expect(fill(windows, answers, 1, 1_000)).toHaveLength(10)
    expect(windows.bytesInFlight()).toBe(20_000)
    expect(windows.mayStart(answers)).toBe('slots')
  })

  test('one that is read counts what it has, and nothing when it has ended', () => {
    const windows = createWindows(LIMITS)
    const target = windows.add('a')
    const flights = fill(windows, target, 0, 2_000)
    expect(flights).toHaveLength(2)
    for (const flight of flights) windows.carries(flight, 10)
    expect([windows.mayStart(target), windows.bytesInFlight()]).toEqual(['go', 20])
    end(windows, flights, 1)
    expect([windows.bytesInFlight(), target.bytes, target.origin.bytes]).toEqual([0, 0, 0])
  })
})
