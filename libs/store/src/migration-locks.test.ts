import { expect, test } from '@jest/globals'
import { locksOf } from './migration-locks.ts'
import { statementsOf } from './sql-statements.ts'

test.each([
  ['ALTER TABLE events ADD COLUMN note text', 'ACCESS EXCLUSIVE', 'brief'],
  ['ALTER TABLE events ADD COLUMN n integer NOT NULL DEFAULT 0', 'ACCESS EXCLUSIVE', 'brief'],
  [
    'ALTER TABLE events ADD COLUMN id2 uuid DEFAULT gen_random_uuid()',
    'ACCESS EXCLUSIVE',
    'rewrite',
  ],
  ['ALTER TABLE events ADD COLUMN n int CHECK (n > 0)', 'ACCESS EXCLUSIVE', 'scan'],
  ['ALTER TABLE events ADD CONSTRAINT c CHECK (n > 0) NOT VALID', 'ACCESS EXCLUSIVE', 'brief'],
  ['ALTER TABLE events VALIDATE CONSTRAINT c', 'SHARE UPDATE EXCLUSIVE', 'scan'],
  ['ALTER TABLE events SET (fillfactor = 50)', 'SHARE UPDATE EXCLUSIVE', 'brief'],
  ['ALTER TABLE events SET (fillfactor = 50), ADD COLUMN n int', 'ACCESS EXCLUSIVE', 'brief'],
  ['ALTER TABLE events ALTER COLUMN n SET NOT NULL', 'ACCESS EXCLUSIVE', 'scan'],
  ['ALTER TABLE events ALTER COLUMN n TYPE bigint', 'ACCESS EXCLUSIVE', 'rewrite'],
  ['CREATE UNIQUE INDEX events_n ON events (n)', 'SHARE', 'scan'],
  ['DELETE FROM events WHERE n = 0', 'ROW EXCLUSIVE', 'rows'],
])('%s', (sql, mode, work) => {
  expect(locksOf(sql)).toEqual([{ statement: sql.slice(0, 70), relation: 'events', mode, work }])
})

test('a table of its own is locked by nobody else; the one it refers to is', () => {
  const sql = 'CREATE TABLE a (b uuid REFERENCES events (id)); CREATE INDEX ON a (b)'
  expect(locksOf(sql).map(({ relation, mode }) => [relation, mode])).toEqual([
    ['events', 'SHARE ROW EXCLUSIVE'],
  ])
})

test('what cannot be read is unknown', () => {
  expect(locksOf(`DO $$ BEGIN PERFORM 1; END $$`)).toMatchObject([{ relation: null, mode: null }])
})

test('semicolons in strings, names, comments and bodies end no statement', () => {
  const sql = `SELECT ';' AS "a;b"; -- one; two\n DO $x$ BEGIN; END $x$; /* ; */ SELECT 1 - 2 / 3`
  expect(statementsOf(sql)).toEqual([
    `SELECT ';' AS "a;b"`,
    'DO $x$ BEGIN; END $x$',
    'SELECT 1 - 2 / 3',
  ])
})
