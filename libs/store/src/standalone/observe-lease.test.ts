import { expect, test } from '@jest/globals'
import type { LeaseRow } from './lease-row.ts'
import { LEASE_TIMES, type LeaseObservation, observeLease } from './observe-lease.ts'

const OWNED: LeaseRow = { epoch: 3, owner: 'a', renewals: 7, isSessionEnded: false }
const EVERY_MS = 250

/** Looks at rows, one each 250 ms. @returns the first reason and when it was given, in ms */
function look(rows: readonly (LeaseRow | null)[], everyMs = EVERY_MS) {
  let observation: LeaseObservation | undefined
  for (const [at, row] of rows.entries()) {
    if (row === null) {
      observation = undefined
      continue
    }
    const seen = observeLease(observation, row, at * everyMs, LEASE_TIMES)
    if (seen.takeover !== null) return { takeover: seen.takeover, afterMs: at * everyMs }
    observation = seen.observation
  }
  return null
}

function times<Row>(count: number, row: (at: number) => Row): Row[] {
  return Array.from({ length: count }, (_, at) => row(at))
}

test('what was released is taken at the first look', () => {
  expect(look([{ ...OWNED, owner: null }])).toEqual({ takeover: 'released', afterMs: 0 })
})

test('a lease that is renewed is never taken, even from a session that cannot be seen', () => {
  expect(look(times(1_000, (at) => ({ ...OWNED, renewals: at, isSessionEnded: true })))).toBeNull()
})

test('an owner whose session has ended has 2 s, one that stands still has 15', () => {
  const ended = { ...OWNED, isSessionEnded: true }
  expect(look(times(100, () => ended))).toEqual({ takeover: 'session-ended', afterMs: 2_000 })
  expect(look(times(100, () => OWNED))).toEqual({ takeover: 'silent', afterMs: 15_000 })
})

test('time in which Postgres did not answer does not count, nor time in which nobody looked', () => {
  const rows = times(59, () => OWNED)
  expect(look([...rows, null, ...rows])).toBeNull()
  expect(
    look(
      times(59, () => OWNED),
      LEASE_TIMES.maxGapMs + 1,
    ),
  ).toBeNull()
})

test('an owner that renews from another session keeps the lease', () => {
  const ended = times(7, () => ({ ...OWNED, isSessionEnded: true }))
  expect(look([...ended, ...times(50, () => ({ ...OWNED, renewals: 8 }))])).toBeNull()
})

test('time begins anew with another owner', () => {
  const other = { ...OWNED, epoch: 4, isSessionEnded: true }
  const rows = [...times(7, () => ({ ...OWNED, isSessionEnded: true })), ...times(7, () => other)]
  expect(look(rows)).toBeNull()
})
