import { describe, expect, test } from '@jest/globals'
import type { Folded } from '@posthorn/store/rollups/fold-outbox'
import { createFoldSchedule, type FoldSchedule } from './fold-schedule.ts'

const ROWS = 1_000
const [ALICE, BOB] = ['a', 'b']

const folded = (more: Partial<Folded> = {}): Folded => ({
  rows: 0,
  written: 0,
  oldestMs: null,
  last: null,
  bytes: new Map(),
  ...more,
})

/** A fold that found as much as it may take. */
const full = (more: Partial<Folded> = {}): Folded =>
  folded({ rows: ROWS, written: ROWS, oldestMs: 900, last: { tenantId: ALICE, id: 7 }, ...more })

/** The pause after a fold of the sweep. */
function pause(of: Folded, tookMs: number, schedule = createFoldSchedule(ROWS)): true | number {
  return schedule.folded(schedule.next(0), of, tookMs, tookMs)
}

/** A sweep that has found something of that age. */
function sweeping(oldestMs: number, more: Partial<Folded> = {}): FoldSchedule {
  const schedule = createFoldSchedule(ROWS)
  pause(full({ oldestMs, ...more }), 100, schedule)
  return schedule
}

describe('after a sweep of one fold', () => {
  test('the pause grows with what it took, and rollups are never older than 5 s', () => {
    expect(pause(folded(), 1)).toBe(1_000)
    expect(pause(folded({ rows: 999, oldestMs: 900 }), 60)).toBe(2_340)
    expect(pause(folded({ rows: 999, oldestMs: 900 }), 1_000)).toBe(4_500)
  })

  test('the next begins anew', () => {
    const schedule = createFoldSchedule(ROWS)
    pause(folded({ rows: 999, last: { tenantId: BOB, id: 9 } }), 1, schedule)
    expect(schedule.next(2_000).part).toEqual({ after: null, minAgeMs: 0 })
  })
})

describe('while there is more', () => {
  test('it goes on behind the last row, with what was there when it began', () => {
    const schedule = sweeping(900)
    expect(schedule.next(400).part).toEqual({ after: { tenantId: ALICE, id: 7 }, minAgeMs: 400 })
  })

  test('three quarters of the time are left to others, and nothing where it is late', () => {
    const dense = { written: 400 }
    expect(pause(full({ ...dense, oldestMs: 2_900 }), 100)).toBe(300)
    expect(pause(full({ ...dense, oldestMs: 3_100 }), 100)).toBe(true)
  })

  test('what becomes cheaper by waiting waits longer', () => {
    expect(pause(full({ oldestMs: 3_100 }), 100)).toBe(1_900)
    expect(pause(full({ oldestMs: 119_000 }), 100)).toBe(1_900)
    expect(pause(full({ oldestMs: 121_000 }), 100)).toBe(300)
    expect(pause(full({ oldestMs: 241_000 }), 100)).toBe(true)
  })
})

describe('how much one takes', () => {
  /** A fold that finds more than it may take, at so many ms a row. */
  function fold(schedule: FoldSchedule, msPerRow: number): number {
    const next = schedule.next(0)
    const { limit } = next
    schedule.folded(next, full({ rows: limit, written: limit }), limit * msPerRow, 0)
    return limit
  }

  test('no more than takes 20 ms, whatever a row takes', () => {
    const schedule = createFoldSchedule(ROWS)
    const limits = Array.from({ length: 8 }, () => fold(schedule, 0.2))
    expect(limits).toEqual([1_000, 500, 250, 125, 100, 100, 100, 100])
    expect(Array.from({ length: 5 }, () => fold(schedule, 0.04))).toEqual([100, 200, 400, 500, 500])
  })

  test('20 rows at least, and 1,000 at most', () => {
    const schedule = createFoldSchedule(ROWS)
    for (let n = 0; n < 9; n += 1) fold(schedule, 10)
    expect(schedule.next(0).limit).toBe(20)
    for (let n = 0; n < 9; n += 1) fold(schedule, 0.001)
    expect(schedule.next(0).limit).toBe(1_000)
  })

  test('up to 1,000 rows where few rows of the rollups are written, however long it took', () => {
    const schedule = createFoldSchedule(ROWS)
    for (let n = 0; n < 9; n += 1) fold(schedule, 10)
    const slow = () => {
      const next = schedule.next(0)
      const rows = next.limit
      schedule.folded(next, full({ rows, written: 7 }), 100, 0)
      return rows
    }
    expect(Array.from({ length: 8 }, slow)).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000])
  })

  test('one that found little and was slow makes the next half as large', () => {
    const schedule = createFoldSchedule(ROWS)
    pause(folded({ rows: 1, written: 13 }), 5_000, schedule)
    expect(schedule.next(0).limit).toBe(500)
    pause(folded({ rows: 1, written: 13 }), 1, schedule)
    expect(schedule.next(0).limit).toBe(500)
  })
})

describe('whether anything may be older than 5 s', () => {
  test('it may not while sweeps are short', () => {
    const schedule = createFoldSchedule(ROWS)
    pause(folded({ rows: 999, oldestMs: 4_900 }), 100, schedule)
    expect(schedule.isBehind(100_000)).toBe(false)
  })

  test('it may once something older was found, until a sweep finds nothing of the kind', () => {
    const schedule = sweeping(5_100)
    expect(schedule.isBehind(100)).toBe(true)
    pause(folded({ rows: 1, oldestMs: 100, last: { tenantId: BOB, id: 1 } }), 1, schedule)
    expect(schedule.isBehind(200)).toBe(true)
    pause(folded({ rows: 1, oldestMs: 100, last: { tenantId: BOB, id: 2 } }), 1, schedule)
    expect(schedule.isBehind(300)).toBe(false)
  })

  test('it may while a sweep lasts longer', () => {
    const schedule = sweeping(900)
    expect(schedule.isBehind(4_900)).toBe(false)
    expect(schedule.isBehind(5_100)).toBe(true)
  })
})

describe('tenants with much', () => {
  const bytes = new Map([
    [ALICE, 64 * 1024],
    [BOB, 64 * 1024 - 1],
  ])

  test('are folded in between while a sweep is long, every few seconds', () => {
    const schedule = sweeping(6_000, { bytes })
    const fold = schedule.next(5_000)
    expect(fold.part).toEqual({ tenantIds: [ALICE], passesOver: true })
    expect(schedule.folded(fold, folded({ rows: 9, bytes }), 10, 5_010)).toBe(30)
    const swept = schedule.next(9_000)
    expect(swept.part).toMatchObject({ after: { tenantId: ALICE } })
    schedule.folded(swept, full({ oldestMs: 6_000 }), 10, 9_010)
    expect(schedule.next(9_400).part).toHaveProperty('after')
    expect(schedule.next(9_510).part).toEqual({ tenantIds: [ALICE], passesOver: true })
  })

  test('are folded again while there is more of them, in turns with the sweep', () => {
    const schedule = sweeping(6_000, { bytes })
    const dense = full({ written: 100, bytes, oldestMs: 6_000 })
    expect(schedule.folded(schedule.next(5_000), dense, 10, 5_010)).toBe(true)
    const swept = schedule.next(5_010)
    expect(swept.part).toMatchObject({ after: { tenantId: ALICE } })
    schedule.folded(swept, full({ oldestMs: 6_000 }), 10, 5_020)
    expect(schedule.next(5_020).part).toEqual({ tenantIds: [ALICE], passesOver: true })
  })

  test('are left to sweeps again when they have nothing, or when sweeps are short', () => {
    const idle = sweeping(6_000, { bytes })
    idle.folded(idle.next(5_000), folded(), 10, 5_010)
    expect(idle.next(20_000).part).toHaveProperty('after')
    const short = sweeping(4_000, { bytes })
    expect(short.next(4_000).part).toHaveProperty('after')
    expect(short.next(6_000).part).toHaveProperty('after')
  })
})
