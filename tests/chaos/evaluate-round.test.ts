import { expect, test } from '@jest/globals'
import type { Fault } from './faults/fault.ts'
import type { PhaseCounts, LoadReport } from './load/protocol.ts'
import { evaluateRound, type RoundObservations } from './evaluate-round.ts'

const fault = (accepting: Fault['accepting']) => ({ accepting }) as Fault
const counts = (more: Partial<PhaseCounts> = {}): PhaseCounts => ({
  accepted: 0,
  unavailable: 0,
  withoutRetryAfter: 0,
  unexpected: [],
  noAnswer: 0,
  ...more,
})

function observed(
  report: Partial<LoadReport> = {},
  more: Partial<RoundObservations> = {},
): RoundObservations {
  const phases = { before: counts(), fault: counts(), after: counts() }
  return {
    report: {
      accepted: [],
      phases,
      arrivals: 0,
      repeats: [],
      outOfOrder: [],
      ownStallMs: 0,
      arrivalGapMs: 0,
      acceptGapMs: 0,
      slowestAnswerMs: 0,
      faultAcceptGapMs: 0,
      p50: 0,
      p99: 0,
      ...report,
    },
    lost: [],
    faultAt: 100_000,
    faultEndAt: 110_000,
    lateAt: 112_000,
    storeProblems: [],
    watchProblems: [],
    memoryMb: {},
    isPostgresSilent: false,
    ...more,
  }
}
const during = (more: Partial<PhaseCounts>) => ({
  phases: { before: counts(), fault: counts(more), after: counts() },
})

test('a round without a problem holds', () => {
  expect(evaluateRound([fault('any')], observed(), true)).toEqual([])
})

test.each([
  ['a lost event', observed({}, { lost: ['id'] }), /1 lost: id/],
  ['disorder', observed({ outOfOrder: ['lane'] }), /1 out of order/],
  ['a store that disagrees', observed({}, { storeProblems: ['3 not ended'] }), /3 not ended/],
  [
    'a process that reports something false',
    observed({}, { watchProblems: ['a/live: 500'] }),
    /live/,
  ],
  ['a late recovery', observed({}, { lateAt: 141_000 }), /caught up only 31 s/],
  ['too much memory', observed({}, { memoryMb: { dispatcher: 401 } }), /dispatcher took 401 MB/],
  [
    'a repeat of an event that was done long before the fault',
    observed({ repeats: [{ target: 't', id: 'id', succeededAt: 90_000, at: 105_000 }] }),
    /1 repeated that were not in flight/,
  ],
  ['503 without Retry-After', observed(during({ withoutRetryAfter: 1 })), /without Retry-After/],
  ['an unexpected answer', observed(during({ unexpected: ['500 oh'] })), /500 oh/],
])('%s does not hold', (_, what, words) => {
  expect(evaluateRound([fault('any')], what, true).join()).toMatch(words)
})

test('another takes over in time; this is checked only when the machine has no other work', () => {
  const seen = observed({ acceptGapMs: 6_000 }, { takeoverMs: 5_000 })
  expect(evaluateRound([fault('any')], seen, true).join()).toMatch(/nothing accepted for 6000 ms/)
  expect(evaluateRound([fault('any')], seen, false)).toEqual([])
  expect(evaluateRound([fault('any')], { ...seen, takeoverMs: 6_000 }, true)).toEqual([])
})

test('a repeat of an event in flight at the fault holds', () => {
  const repeatOf = (succeededAt: number) =>
    observed({ repeats: [{ target: 't', id: 'id', succeededAt, at: 105_000 }] })
  expect(evaluateRound([fault('any')], repeatOf(99_000), true)).toEqual([])
  expect(evaluateRound([fault('any')], repeatOf(89_000), false)).toEqual([
    '1 repeated that were not in flight at the fault: t id at -11.0 s and 5.0 s of the fault',
  ])
})

test('without Postgres nothing may be accepted, and 503 must be the answer', () => {
  const of = (more: Partial<PhaseCounts>) =>
    evaluateRound([fault('no')], observed(during(more)), true).join()
  expect(of({ unavailable: 5 })).toBe('')
  expect(of({ unavailable: 5, accepted: 1 })).toMatch(/1 answered 201 while/)
  expect(of({ noAnswer: 5 })).toMatch(/none answered 503/)
})

test('without Redis or Kafka accepting goes on; this is checked only when the machine has no other work', () => {
  const of = (timed: boolean) =>
    evaluateRound(
      [fault('yes')],
      observed({ ...during({ unavailable: 2 }), faultAcceptGapMs: 6_000 }),
      timed,
    )
  expect(of(true)).toHaveLength(2)
  expect(of(false)).toEqual([])
})

test('while Postgres is silent every post is answered soon; while a service is frozen it need not be', () => {
  const of = (isPostgresSilent: boolean) =>
    evaluateRound(
      [fault('any')],
      observed({ ...during({ noAnswer: 1 }), slowestAnswerMs: 9_000 }, { isPostgresSilent }),
      true,
    )
  expect(of(true).join()).toMatch(/1 posts had no answer.*waited 9000 ms/)
  expect(of(false)).toEqual([])
})
