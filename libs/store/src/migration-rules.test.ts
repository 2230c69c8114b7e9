import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { FIRST_RULED, faultsOf } from './migration-rules.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const TIMEOUT = "SET LOCAL lock_timeout = '2s';"

test('every migration can run while the version before is at work', async () => {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_/.test(name)).sort()
  expect(names[0]).toBe('0001_init')
  for (const name of names.filter((one) => one >= FIRST_RULED)) {
    const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8')
    expect({ name, faults: faultsOf(sql) }).toEqual({ name, faults: [] })
  }
})

describe('a migration', () => {
  test.each([
    'CREATE TABLE things (id uuid PRIMARY KEY, name text NOT NULL); CREATE INDEX ON things (name)',
    `${TIMEOUT} ALTER TABLE events ADD COLUMN note text`,
    `${TIMEOUT} ALTER TABLE events ADD COLUMN n integer NOT NULL DEFAULT 0`,
    `${TIMEOUT} ALTER TABLE events ADD COLUMN n integer DEFAULT 0 NOT NULL`,
    `${TIMEOUT} ALTER TABLE events ADD COLUMN m text NOT NULL GENERATED ALWAYS AS (a) STORED`,
    `${TIMEOUT} ALTER TABLE events ADD CONSTRAINT c CHECK (n > 0) NOT VALID`,
    `${TIMEOUT} ALTER TABLE events VALIDATE CONSTRAINT c`,
    `${TIMEOUT} CREATE INDEX events_n ON events (n)`,
    `-- DROP TABLE events\nCOMMENT ON TABLE events IS 'DROP TABLE; RENAME'`,
    'INSERT INTO things (id) VALUES (gen_random_uuid())',
  ])('may say: %s', (sql) => {
    expect(faultsOf(sql)).toEqual([])
  })

  test.each([
    ['DROP TABLE events', 'drop it one version after'],
    [`${TIMEOUT} ALTER TABLE events DROP COLUMN payload`, 'drop it one version after'],
    [`${TIMEOUT} ALTER TABLE events RENAME COLUMN payload TO body`, 'the old name'],
    [`${TIMEOUT} ALTER TABLE events RENAME TO things`, 'the old name'],
    [`${TIMEOUT} ALTER TABLE events ALTER COLUMN n TYPE bigint`, 'rewrites'],
    [`${TIMEOUT} ALTER TABLE events ALTER n SET DATA TYPE bigint`, 'rewrites'],
    [`${TIMEOUT} ALTER TABLE events ALTER COLUMN n SET NOT NULL`, 'may write null'],
    [`${TIMEOUT} ALTER TABLE events ADD COLUMN n integer NOT NULL`, 'give it a DEFAULT'],
    [`${TIMEOUT} ALTER TABLE events ADD n integer DEFAULT 0, ADD m integer NOT NULL`, 'a DEFAULT'],
    [`${TIMEOUT} ALTER TABLE events ADD CONSTRAINT c CHECK (n > 0)`, 'NOT VALID'],
    [`${TIMEOUT} LOCK TABLE events`, 'holds up'],
    ['TRUNCATE events', 'holds up'],
    ['ALTER TABLE events ADD COLUMN note text', 'lock_timeout'],
    ['CREATE INDEX events_n ON events (n)', 'lock_timeout'],
    [`ALTER TABLE events ADD COLUMN note text; ${TIMEOUT}`, 'lock_timeout'],
    ['CREATE TABLE a (id uuid); ALTER TABLE events ADD COLUMN note text', 'lock_timeout'],
  ])('must not say: %s', (sql, because) => {
    expect(faultsOf(sql)).toEqual([expect.stringContaining(because)])
  })
})
