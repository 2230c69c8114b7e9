/**
 * Which locks a migration takes on tables that were there before it, and how much of them it reads
 * or writes while it has them. An integration test compares this with what Postgres really locks.
 * What a `DO` block or a function does cannot be seen in its text: it is reported as unknown.
 */
import { statementsOf, topLevelParts } from './sql-statements.ts'

export type LockMode =
  | 'ROW EXCLUSIVE'
  | 'SHARE UPDATE EXCLUSIVE'
  | 'SHARE'
  | 'SHARE ROW EXCLUSIVE'
  | 'ACCESS EXCLUSIVE'

/**
 * What is done with a table while it is locked. brief: its rows are not looked at. scan: each is
 * read. rows: some are written. rewrite: all are.
 */
export type LockedWork = 'brief' | 'scan' | 'rows' | 'rewrite'

export interface StatementLock {
  /** The first words of the statement. */
  statement: string
  /** A table, or the index whose table it is; null: it cannot be seen in the text. */
  relation: string | null
  mode: LockMode | null
  work: LockedWork
}

type Lock = Omit<StatementLock, 'statement'>

const NAME = String.raw`(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:ONLY\s+)?(\w+)`
/** Their value differs from row to row, so each row is written. */
const VOLATILE = /\b(gen_random_uuid|nextval|clock_timestamp|random|uuidv7)\s*\(|\bGENERATED\b/i

interface StatementKind {
  pattern: RegExp
  /** @param relation what the pattern's group found */
  locks(relation: string, statement: string): Lock[]
}

const STATEMENT_KINDS: readonly StatementKind[] = [
  {
    pattern: new RegExp(String.raw`^CREATE\s+TABLE\s+${NAME}`, 'i'),
    locks: (_, text) => referenced(text),
  },
  { pattern: new RegExp(String.raw`^ALTER\s+TABLE\s+${NAME}`, 'i'), locks: alterations },
  {
    pattern:
      /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\w+\s+)?ON\s+(?:ONLY\s+)?(\w+)/i,
    locks: (relation) => [{ relation, mode: 'SHARE', work: 'scan' }],
  },
  {
    pattern: new RegExp(String.raw`^DROP\s+(?:INDEX|TABLE)\s+${NAME}`, 'i'),
    locks: (relation) => [{ relation, mode: 'ACCESS EXCLUSIVE', work: 'brief' }],
  },
  {
    pattern: /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:CONSTRAINT\s+)?TRIGGER\b[^]*?\bON\s+(\w+)/i,
    locks: (relation) => [{ relation, mode: 'SHARE ROW EXCLUSIVE', work: 'brief' }],
  },
  {
    pattern: /^COMMENT\s+ON\s+(?:TABLE|COLUMN)\s+(\w+)/i,
    locks: (relation) => [{ relation, mode: 'SHARE UPDATE EXCLUSIVE', work: 'brief' }],
  },
  {
    pattern: /^(?:UPDATE|DELETE\s+FROM|INSERT\s+INTO)\s+(?:ONLY\s+)?(\w+)/i,
    locks: (relation) => [{ relation, mode: 'ROW EXCLUSIVE', work: 'rows' }],
  },
  {
    pattern: /^(?:TRUNCATE|LOCK)\s+(?:TABLE\s+)?(?:ONLY\s+)?(\w+)/i,
    locks: (relation) => [{ relation, mode: 'ACCESS EXCLUSIVE', work: 'rewrite' }],
  },
]
/** Statements that lock no table. */
const LOCKS_NOTHING =
  /^(SET|COMMENT|CREATE\s+(OR\s+REPLACE\s+)?(FUNCTION|SEQUENCE|TYPE|EXTENSION|SCHEMA|DOMAIN))\b/i

/** The locks of a migration, in the order in which it takes them. */
export function locksOf(sql: string): StatementLock[] {
  const statements = statementsOf(sql)
  const own = new Set(
    statements.flatMap(
      (one) => new RegExp(String.raw`^CREATE\s+TABLE\s+${NAME}`, 'i').exec(one)?.[1] ?? [],
    ),
  )
  return statements.flatMap((text) =>
    readStatement(text)
      .filter(({ relation }) => relation === null || !own.has(relation))
      .map((lock) => ({ statement: firstWords(text), ...lock })),
  )
}

function readStatement(statement: string): Lock[] {
  for (const { pattern, locks } of STATEMENT_KINDS) {
    const relation = pattern.exec(statement)?.[1]
    if (relation !== undefined) return locks(relation, statement)
  }
  return LOCKS_NOTHING.test(statement) ? [] : [{ relation: null, mode: null, work: 'rows' }]
}

/** A foreign key locks the table that it refers to as well. */
function referenced(text: string): Lock[] {
  return [...text.matchAll(/\bREFERENCES\s+(\w+)/gi)].map(([, relation = '']) => ({
    relation,
    mode: 'SHARE ROW EXCLUSIVE',
    work: 'brief',
  }))
}

/** A statement with several changes has the strongest of their locks from its start on. */
function alterations(relation: string, statement: string): Lock[] {
  const changes = statement.replace(new RegExp(String.raw`^ALTER\s+TABLE\s+${NAME}`, 'i'), '')
  const locks = topLevelParts(changes).map((change) => alteration(change))
  const modes = locks.map(({ mode }) => mode)
  const mode = STRENGTH.findLast((one) => modes.includes(one)) ?? 'ACCESS EXCLUSIVE'
  const work = WORK.findLast((one) => locks.some((lock) => lock.work === one)) ?? 'brief'
  return [{ relation, mode, work }, ...referenced(statement)]
}

const STRENGTH: readonly LockMode[] = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
]
const WORK: readonly LockedWork[] = ['brief', 'scan', 'rows', 'rewrite']

function alteration(change: string): { mode: LockMode; work: LockedWork } {
  if (/^(SET|RESET)\s*\(|\bSET\s+STATISTICS\b/i.test(change))
    return { mode: 'SHARE UPDATE EXCLUSIVE', work: 'brief' }
  if (/^VALIDATE\s+CONSTRAINT\b/i.test(change))
    return { mode: 'SHARE UPDATE EXCLUSIVE', work: 'scan' }
  const isNotValid = /\bNOT\s+VALID\b/i.test(change)
  if (/^ADD\s+(CONSTRAINT\s+\w+\s+)?FOREIGN\s+KEY\b/i.test(change))
    return { mode: 'SHARE ROW EXCLUSIVE', work: isNotValid ? 'brief' : 'scan' }
  if (/^ADD\s+(CONSTRAINT|CHECK|UNIQUE|PRIMARY|EXCLUDE)\b/i.test(change))
    return { mode: 'ACCESS EXCLUSIVE', work: isNotValid ? 'brief' : 'scan' }
  if (/^ADD\b/i.test(change)) {
    if (VOLATILE.test(change)) return { mode: 'ACCESS EXCLUSIVE', work: 'rewrite' }
    return { mode: 'ACCESS EXCLUSIVE', work: /\bCHECK\s*\(/i.test(change) ? 'scan' : 'brief' }
  }
  if (/\bSET\s+NOT\s+NULL\b/i.test(change)) return { mode: 'ACCESS EXCLUSIVE', work: 'scan' }
  if (/^ALTER\b[^]*\bTYPE\b/i.test(change)) return { mode: 'ACCESS EXCLUSIVE', work: 'rewrite' }
  return { mode: 'ACCESS EXCLUSIVE', work: 'brief' }
}

function firstWords(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').slice(0, 70)
}
