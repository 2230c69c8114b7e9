import { expect, test } from '@jest/globals'
import type { PlannedLock } from '@posthorn/store/plan-migrations'
import { planText } from './plan-text.ts'

const INDEX: PlannedLock = {
  statement: 'CREATE INDEX events_n ON events (n)',
  relation: 'events',
  mode: 'SHARE',
  work: 'scan',
  table: { name: 'events', rows: 5_000_000, bytes: 2.5e9 },
}

function lockOf(more: Partial<PlannedLock>): string {
  const pending = [{ name: '0099_next', locks: [{ ...INDEX, ...more }], faults: [] }]
  return planText({ pending, unknown: [], changed: [] })
}

test('a lock is told with its table, who waits, and for about how long', () => {
  expect(lockOf({})).toBe(`1 migration would run, each in a transaction of its own.

0099_next
  CREATE INDEX events_n ON events (n)
    SHARE on events (about 5,000,000 rows, 2 GB): writes wait, while all rows are read, for about 25 seconds

The version before can go on during and after this.
`)
})

const events = (bytes: number, rows = 1_000): PlannedLock['table'] => ({
  name: 'events',
  rows,
  bytes,
})

test.each<[Partial<PlannedLock>, string]>([
  [{ table: events(90e6) }, 'while all rows are read, for less than a second'],
  [{ table: events(30e9) }, 'while all rows are read, for about 5 minutes'],
  [{ work: 'rewrite', table: events(2.5e9) }, 'written anew, for about 100 seconds'],
  [{ work: 'brief', mode: 'ACCESS EXCLUSIVE' }, 'wait, for a moment, whatever the size\n'],
  [{ work: 'rows' }, 'while rows are written\n'],
  [{ table: null }, 'SHARE on events (new): writes wait, while all rows are read\n'],
  [{ table: events(8_192, 0) }, 'events (few rows, 8 kB)'],
  [{ table: events(2.5e9, 0) }, 'events (rows not counted, 2 GB)'],
  [{ mode: null }, 'locks unknown: read the migration'],
])('%j is told as: %s', (lock, told) => {
  expect(lockOf(lock)).toContain(told)
})

test('what the version before cannot bear is told, and what runs here without being known', () => {
  const pending = [{ name: '0099_next', locks: [], faults: ['DROP TABLE due: still used'] }]
  const text = planText({ pending, unknown: ['0100_later'], changed: ['0001_init'] })
  expect(text).toContain('THE VERSION BEFORE CANNOT GO ON: DROP TABLE due: still used')
  expect(text).toContain('Stop the version before first')
  expect(text).toContain('REFUSED: 0001_init has changed since it ran on this database.')
  expect(text).toContain('0100_later ran here and is not of this version')
})
