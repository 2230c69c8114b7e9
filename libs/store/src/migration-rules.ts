/**
 * What a migration must not say, because the version before is still at work while it runs and
 * after it: it would find a column or table gone, be refused a row that it writes as before, or
 * wait behind a lock.
 *
 * It reads SQL by its words, not by a parser: what it lets through may still be wrong.
 */
import { statementsOf } from './sql-statements.ts'

/** The first migration that these rules hold for; those before made what nobody used yet. */
export const FIRST_RULED = '0007'

interface Rule {
  refused: RegExp
  because: string
}

const RULES: readonly Rule[] = [
  {
    refused: /\bDROP\s+(TABLE|COLUMN|VIEW|TYPE|SEQUENCE|SCHEMA)\b/i,
    because: 'the version before still uses it: drop it one version after the last use',
  },
  {
    refused: /\bRENAME\b/i,
    because: 'the version before knows the old name: add a new one, fill both, drop the old later',
  },
  {
    refused: /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i,
    because: 'it rewrites the table under a lock: add a column of the new type instead',
  },
  {
    refused: /\bSET\s+NOT\s+NULL\b/i,
    because: 'the version before may write null, and the table is read under a lock',
  },
  {
    refused:
      /\bADD\s+(COLUMN\s+)?(?!CONSTRAINT\b)\w+[^,;]*\bNOT\s+NULL\b(?![^,;]*\b(DEFAULT|GENERATED)\b)(?<!\b(DEFAULT|GENERATED)\b[^,;]*)/i,
    because: 'the version before writes rows without it: give it a DEFAULT',
  },
  {
    refused: /\bADD\s+CONSTRAINT\b(?![^;]*\bNOT\s+VALID\b)/i,
    because:
      'it reads the whole table under a lock: add it NOT VALID, and VALIDATE it in the next migration',
  },
  {
    refused: /\b(LOCK\s+TABLE|VACUUM\s+FULL|CLUSTER|TRUNCATE)\b/i,
    because: 'it holds up everybody who works with the table',
  },
]

/** Statements that wait for, and then hold up, those at work on a table that exists already. */
const LOCKS = /^\s*(ALTER\s+TABLE|CREATE\s+(UNIQUE\s+)?INDEX|DROP\s+INDEX|CREATE\s+TRIGGER)\b/i

/** What is wrong with a migration, in words; empty: nothing that is seen here. */
export function faultsOf(sql: string): string[] {
  const statements = withoutStrings(sql)
  const faults = statements.flatMap((statement) =>
    RULES.filter(({ refused }) => refused.test(statement)).map(
      ({ because }) => `${firstWords(statement)}: ${because}`,
    ),
  )
  const own = new Set(
    statements.flatMap(
      (statement) =>
        /^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/i.exec(statement)?.[1] ?? [],
    ),
  )
  const waits = statements.findIndex((statement) =>
    /^\s*SET\s+(LOCAL\s+)?lock_timeout\b/i.test(statement),
  )
  for (const [at, statement] of statements.entries()) {
    const table = /(?:ALTER\s+TABLE\s+(?:ONLY\s+)?|\bON\s+(?:ONLY\s+)?)(\w+)/i.exec(statement)?.[1]
    if (!LOCKS.test(statement) || (table !== undefined && own.has(table))) continue
    if (waits >= 0 && waits < at) continue
    faults.push(
      `${firstWords(statement)}: begin with SET LOCAL lock_timeout = '2s', or all wait behind it`,
    )
  }
  return faults
}

/** Without the text of strings, which may hold any word. */
function withoutStrings(sql: string): string[] {
  return statementsOf(sql).map((statement) => statement.replaceAll(/'(?:[^']|'')*'/g, "''"))
}

function firstWords(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').slice(0, 60)
}
