/**
 * The pipeline's statements by their names, each as a function on the model. The real code of `libs/store` runs above them:
 * which statements it sends, in which order and transaction, and what it makes of the answers.
 */
import { ACCEPTING } from './accepting.ts'
import { CONFIGURATION } from './configuration.ts'
import type { Transaction } from './database.ts'
import { DELIVERING } from './delivering.ts'
import { HOLDING } from './holding.ts'
import { IN_LANES } from './in-lanes.ts'
import { OPERATIONAL } from './operational.ts'
import { REPLAYING } from './replaying.ts'

/** @returns the rows; their number is the `rowCount` */
export type Statement = (db: Transaction, values: readonly unknown[]) => unknown[]

const STATEMENTS: Record<string, Statement> = {
  ...ACCEPTING,
  ...CONFIGURATION,
  ...DELIVERING,
  ...HOLDING,
  ...IN_LANES,
  ...OPERATIONAL,
  ...REPLAYING,
}

/** Those that have no name of their own, by what they begin with. */
const NAMELESS: readonly [RegExp, string][] = [
  [
    /^UPDATE due SET due_at = now\(\), leased = false\s+WHERE tenant_id = \$1 AND \(/,
    'wake-target',
  ],
  [/^WITH lost AS/, 'mend-backlogs'],
  [/^SELECT FROM operational_events/, 'any-operational-events'],
  [/^UPDATE deliveries SET edition/, 'next-edition'],
  [/^UPDATE events SET/, 'edit-event'],
  [/^WITH parked_there AS/, 'follow-mode'],
  [/^DELETE FROM leases/, 'drop-lease'],
  [/^SELECT c\.relname AS name FROM pg_inherits/, 'partitions'],
]

/** After its name: the days that a statement's text names. */
const VARIANT = /( (\d+-\d+|all))+$/

export interface Asked {
  name?: string | undefined
  text: string
  values?: readonly unknown[] | undefined
}

export function nameOf({ name, text }: Asked): string {
  if (name !== undefined) return name.replace(VARIANT, '')
  const known = NAMELESS.find(([pattern]) => pattern.test(text))
  if (known === undefined) throw new Error(`the model knows no such statement: ${text}`)
  return known[1]
}

export function statementOf(name: string): Statement {
  const statement = STATEMENTS[name]
  if (statement === undefined)
    throw new Error(
      `the model has no statement "${name}": add it beside its kin in tests/simulation/model`,
    )
  return statement
}
