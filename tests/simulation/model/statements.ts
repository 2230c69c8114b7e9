/**
 * The pipeline's statements by their names, each as a function on the model. The real code of
 * `libs/store` runs above them: it decides which statements it sends, in which order and
 * transaction, and what it makes of the answers.
 */
import { ACCEPTING } from './accepting.ts'
import { CONFIGURATION } from './configuration.ts'
import type { Transaction } from './database.ts'
import { DELIVERING } from './delivering.ts'
import { PARKING } from './parking.ts'
import { LANES } from './lanes.ts'
import { OPERATIONAL } from './operational.ts'
import { REPLAYING } from './replaying.ts'
import { RETAINING } from './retaining.ts'

/** @returns the rows; their number is the `rowCount` */
export type Statement = (db: Transaction, values: readonly unknown[]) => unknown[]

const STATEMENTS: Record<string, Statement> = {
  ...ACCEPTING,
  ...CONFIGURATION,
  ...DELIVERING,
  ...PARKING,
  ...LANES,
  ...OPERATIONAL,
  ...REPLAYING,
  ...RETAINING,
}

/** Statements that have no name of their own, by what they begin with. */
const NAMELESS: readonly [RegExp, string][] = [
  [
    /^UPDATE due SET due_at = now\(\), leased = false\s+WHERE tenant_id = \$1 AND \(/,
    'wake-target',
  ],
  [/^WITH lost AS/, 'repair-backlogs'],
  [/^WITH nameless AS/, 'find-stuck-lanes'],
  [/^INSERT INTO due .*\s+SELECT d\.tenant_id, d\.id, \d, now\(\), false/, 'resume-lanes'],
  [/^WITH expired AS \(\s+\(SELECT/, 'expire-parked'],
  [/^SELECT l\.tenant_id AS "tenantId", l\.endpoint_id/, 'find-expired-lanes'],
  [/^UPDATE deliveries SET edition/, 'next-edition'],
  [/^UPDATE events SET/, 'edit-event'],
  [/^WITH parked_there AS/, 'follow-mode'],
  [/^DELETE FROM leases/, 'resign-leadership'],
  [/^SELECT c\.relname AS name FROM pg_inherits/, 'partitions'],
  [/^SELECT pg_try_advisory_lock\(\d+\)/, 'lock-retention'],
  [/^SELECT pg_advisory_unlock\(\d+\)/, 'unlock-retention'],
  [/^SELECT pg_try_advisory_lock\(\$1/, 'lock-day'],
  [/^SELECT pg_advisory_unlock\(\$1/, 'unlock-day'],
  [/^SELECT t\.id AS "tenantId", coalesce\(/, 'retention-windows'],
  [/^SELECT c\.relname AS name, i\.inhrelid IS NOT NULL/, 'retention-partitions'],
  [/^(?:SET|RESET) /, 'setting'],
  [/^WITH looked AS MATERIALIZED[^]+? FROM ((?:events|deliveries)_\d+) x\s/, 'look-into-partition'],
  [/^CREATE OR REPLACE TRIGGER closed BEFORE INSERT ON (\w+)/, 'close-partition'],
  [/^DROP TRIGGER IF EXISTS closed ON (\w+)/, 'open-partition'],
  [/^ALTER TABLE \w+ DETACH PARTITION (\w+)/, 'take-out-partition'],
  [/^ALTER TABLE \w+ ATTACH PARTITION (\w+)/, 'put-back-partition'],
  [
    /^WITH next AS MATERIALIZED \(\s+SELECT tenant_id, id, idempotency_key FROM (\w+)/,
    'delete-keys',
  ],
  [/^WITH removed AS/, 'tell-removed'],
  [/^DROP TABLE (\w+)/, 'drop-partition'],
  [/^SELECT id FROM events\s+WHERE tenant_id = \$1\s+AND id > \$2/, 'old-events'],
  [/^SELECT id FROM auth_audit_logs\s/, 'old-sign-ins'],
  [/^WITH gone AS \(\s+DELETE FROM events/, 'delete-events'],
  [/^WITH looked AS MATERIALIZED/, 'delete-endpoints'],
]

/**
 * The days that a statement's text names follow its name; where there are two spans, the
 * deliveries' first.
 */
const VARIANT = /( (\d+-\d+|all))+$/
const BOUND_BY_DELIVERIES = ['load-deliveries']
/**
 * What is done by itself has a statement of its own, and so have attempts that come to the same.
 * They do what the one for many does.
 */
const FOR_SOME: Record<string, string> = {
  'accept-event': 'accept-events',
  'record-attempts-waits': 'record-attempts',
  'record-attempts-delivered': 'record-attempts',
  'record-attempts-ends': 'record-attempts',
  'record-attempt-waits': 'record-attempts',
  'record-attempt-delivered': 'record-attempts',
  'record-attempt-ends': 'record-attempts',
}

export interface StatementRequest {
  name?: string | undefined
  text: string
  values?: readonly unknown[] | undefined
}

export function nameOf({ name, text }: StatementRequest): string {
  if (name !== undefined) {
    const known = name.replace(VARIANT, '')
    return FOR_SOME[known] ?? known
  }
  for (const [pattern, known] of NAMELESS) {
    const match = pattern.exec(text)
    if (match !== null) return match[1] === undefined ? known : `${known} ${match[1]}`
  }
  throw new Error(`the model knows no such statement: ${text}`)
}

/** A partition in a name becomes the statement's last value. */
const WITH_PARTITION = /^(\S+) ((?:events|deliveries|attempts)_\d{8})$/

/** The statement, which sees only the rows of the days that its text names. */
export function statementFor(asked: StatementRequest): Statement {
  const name = nameOf(asked)
  const statement = statementOf(name)
  const spans = (VARIANT.exec(asked.name ?? '')?.[0] ?? '').trim().split(' ')
  const tables =
    spans.length === 2
      ? ['deliveries', 'events']
      : BOUND_BY_DELIVERIES.includes(name)
        ? ['deliveries']
        : ['events']
  const narrowed = new Map(
    spans.flatMap((span, index): [string, [number, number]][] => {
      const [, from, to] = /^(\d+)-(\d+)$/.exec(span) ?? []
      return from === undefined ? [] : [[tables[index] ?? '', [Number(from), Number(to)]]]
    }),
  )
  if (narrowed.size === 0) return statement
  return (db, values) => {
    db.partitions.narrow(narrowed)
    try {
      return statement(db, values)
    } finally {
      db.partitions.narrow(null)
    }
  }
}

function statementOf(name: string): Statement {
  const [, base, partition] = WITH_PARTITION.exec(name) ?? []
  const statement = STATEMENTS[base ?? name]
  if (statement !== undefined && partition !== undefined)
    return (db, values) => statement(db, [...values, partition])
  if (statement === undefined)
    throw new Error(
      `the model has no statement "${name}": add it beside its kin in tests/simulation/model`,
    )
  return statement
}
