/**
 * Partitions of the big tables, one a day, made ahead: a row whose id falls into none is refused.
 * Called when a service starts and every hour; repeating it is harmless, also by several at once.
 */
import { type IdSpan, idAt, timeOfId } from '@posthorn/domain/ids'

const DAY_MS = 86_400_000
/** Two weeks in which the job that makes them may stand still before any event is refused. */
const AHEAD_DAYS = 14
/** The day before: an id made just before midnight may arrive just after it. */
const BEHIND_DAYS = 1
/** One at a time: 'parts' in ASCII. */
const LOCK = '482872620147'

/**
 * The fillfactors leave space on each page for the versions that updates make, so that updates are
 * HOT. At 70 only part of the deliveries' updates were, because the rows that one statement records
 * share pages; at 50 all are. An event also grows by 24 bytes when it ends: at 50 one of the ten on
 * a page could miss its place, by the length of its payload; at 47 none of up to twenty does.
 */
const TABLES = [
  { name: 'events', fillfactor: 47 },
  { name: 'deliveries', fillfactor: 50 },
  { name: 'attempts', fillfactor: 100 },
  { name: 'auth_audit_logs', fillfactor: 100 },
  { name: 'audit_logs', fillfactor: 100 },
]

/** The same as in migration 0009, which tells why. */
const AUTOVACUUM = [
  'autovacuum_vacuum_threshold = 50000',
  'autovacuum_vacuum_insert_threshold = 100000',
  'autovacuum_analyze_threshold = 50000',
].join(', ')

interface Queryable {
  query(sql: string): Promise<{ rows: { name: string }[] }>
}

export async function ensurePartitions(database: Queryable, now: Date): Promise<void> {
  const { rows } = await database.query(EXISTING)
  const existing = new Set(rows.map((row) => row.name))
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  for (let day = -BEHIND_DAYS; day <= AHEAD_DAYS; day += 1) {
    const from = today + day * DAY_MS
    for (const table of TABLES) {
      const name = nameOf(table.name, from)
      if (!existing.has(name)) await database.query(makePartition(table, name, from))
    }
  }
}

function nameOf(table: string, day: number): string {
  return `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** The partition that a row of this id is in, whether there is one or not. */
export function partitionOf(table: 'events' | 'deliveries' | 'attempts', id: string): string {
  return nameOf(table, timeOfId(id))
}

const EXISTING = `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent IN (${TABLES.map(({ name }) => `'${name}'::regclass`).join(', ')})`

/** Days, as YYYYMMDD, of which every table has its partition, and none is being taken out. */
export const WHOLE_DAYS = `SELECT right(c.relname, 8) FROM pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent IN (${TABLES.map(({ name }) => `to_regclass('${name}')`).join(', ')})
    AND NOT i.inhdetachpending
  GROUP BY 1 HAVING count(*) = ${TABLES.length} ORDER BY 1`

/**
 * The unbroken days around `now`, in which ids may fall; undefined: there are no days. Partitions
 * that were made while a clock was wrong leave gaps: when `now` is in none of the unbroken days,
 * the answer is those before it, or else the first.
 */
export function idSpan(days: readonly string[], now: number): IdSpan | undefined {
  const starts = days.map((day) =>
    Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6))),
  )
  const spans: IdSpan[] = []
  for (const from of starts.sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = from + DAY_MS
    else spans.push({ from, to: from + DAY_MS })
  }
  return spans.findLast(({ from }) => from <= now) ?? spans[0]
}

/**
 * Makes a partition beside its table and then attaches it: CREATE TABLE ... PARTITION OF would wait
 * for every statement that reads the table, a long one too, and block all that come after. Each is
 * made in a transaction of its own, so that no two tables are locked at once.
 */
function makePartition(
  table: { name: string; fillfactor: number },
  name: string,
  from: number,
): string {
  return `DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(${LOCK});
    IF to_regclass('${name}') IS NULL THEN
      CREATE TABLE ${name} (LIKE ${table.name} INCLUDING ALL)
        WITH (fillfactor = ${table.fillfactor}, ${AUTOVACUUM});
      ALTER TABLE ${table.name} ATTACH PARTITION ${name}
        FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + DAY_MS)}');
    END IF;
  END $$`
}
