import { describe, expect, test } from '@jest/globals'
import { createLedger } from './ledger.ts'
import type { TargetKind, Target } from './protocol.ts'

const target = (kind: TargetKind): Target => ({
  name: `${kind}-0`,
  kind,
  id: 'e',
  url: '',
  lanes: 1,
})
const sent = (kind: TargetKind, n: number) => ({ target: target(kind), lane: 0, n })

function ledgerReport(...steps: (readonly [verb: 'arrives' | 'succeeds', n: number])[]) {
  const ledger = createLedger()
  for (const [at, [verb, n]] of steps.entries()) {
    if (verb === 'arrives') ledger.arrived(`id-${n}`, sent('fifo', n), at)
    else ledger.succeeded(`id-${n}`, at)
  }
  return ledger.report(steps.length, 0)
}

describe('order in a lane', () => {
  test('holds when each event has succeeded before the next arrives, also with retries and repeats', () => {
    const report = ledgerReport(
      ['arrives', 1],
      ['arrives', 1],
      ['succeeds', 1],
      ['arrives', 2],
      ['succeeds', 2],
      ['arrives', 1],
    )
    expect(report.outOfOrder).toEqual([])
    expect(report.repeats.map(({ id }) => id)).toEqual(['id-1'])
  })

  test('is broken when an event arrives before its predecessor has succeeded', () => {
    const early = ledgerReport(['arrives', 1], ['arrives', 2], ['succeeds', 1], ['succeeds', 2])
    expect(early.outOfOrder).toEqual(['fifo-0/0: 2 arrived before 1 was done'])
    const swapped = ledgerReport(['arrives', 2], ['succeeds', 2], ['arrives', 1], ['succeeds', 1])
    expect(swapped.outOfOrder).toHaveLength(1)
  })

  test('goes on after an event that never succeeded', () => {
    const report = ledgerReport(['arrives', 1], ['arrives', 2], ['succeeds', 2])
    expect(report.outOfOrder).toEqual([])
  })
})

test('an accepted event is outstanding until it succeeds or is dead, in whichever order this is reported', () => {
  const ledger = createLedger()
  for (const n of [1, 2, 3]) ledger.accepted(`id-${n}`, sent('steady', n), 1_000)
  ledger.arrived('id-1', sent('steady', 1), 1_001)
  ledger.succeeded('id-1', 1_001)
  ledger.arrived('id-4', sent('steady', 4), 1_002)
  ledger.succeeded('id-4', 1_002)
  ledger.accepted('id-4', sent('steady', 4), 1_003)
  ledger.dead(['id-2'])
  expect(ledger.status(0)).toMatchObject({ accepted: 4, outstanding: ['id-3'], lateAt: 0 })
  ledger.noteLate(2_900)
  expect(ledger.status(0).lateAt).toBe(0)
  ledger.noteLate(3_100)
  expect(ledger.status(0).lateAt).toBe(3_100)
})

test('answers count in the phase in which they came, with a grace period for those already under way', () => {
  const ledger = createLedger()
  ledger.answered(9_000)
  ledger.setPhase('fault', 10_000)
  for (const afterMs of [300, 4_000, 200]) ledger.answered(afterMs)
  ledger.accepted('id-1', sent('steady', 1), 10_500)
  ledger.refused(503, '1', '', 12_000)
  ledger.refused(503, null, '', 12_000)
  ledger.refused(500, null, 'oh', 12_000)
  ledger.setPhase('after', 13_000)
  ledger.accepted('id-2', sent('steady', 2), 13_001)
  ledger.answered(8_000)
  const { phases, slowestAnswerMs } = ledger.report(14_000, 0)
  expect(slowestAnswerMs).toBe(4_000)
  expect(phases.before.accepted).toBe(1)
  expect(phases.fault).toMatchObject({ accepted: 0, unavailable: 2, withoutRetryAfter: 1 })
  expect(phases.fault.unexpected).toEqual(['500 oh'])
  expect(phases.after.accepted).toBe(1)
})

test('a gap is the longest time between two marks, or between a mark and an end', () => {
  const ledger = createLedger()
  ledger.setSending(true, 0)
  ledger.accepted('id-1', sent('steady', 1), 100)
  ledger.arrived('id-1', sent('steady', 1), 150)
  ledger.accepted('id-2', sent('steady', 2), 900)
  ledger.setSending(false, 1_000)
  const report = ledger.report(9_000, 0)
  expect([report.acceptGapMs, report.arrivalGapMs]).toEqual([800, 850])
})
