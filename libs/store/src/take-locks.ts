/**
 * Takes all locks of a migration before its first statement, or none of them. A lock that waits
 * holds up everybody who comes after it, and a statement that waits for its second lock does so
 * with the first one in its hands: so the time for all of them together is bounded.
 *
 * What a `DO` block or a function locks cannot be seen in the text; that waits as the migration's
 * own `lock_timeout` says.
 */
import type pg from 'pg'
import { locksOf, type LockMode } from './migration-locks.ts'

/** Somebody works with a table that must be locked: worth another attempt. */
export class TablesBusyError extends Error {}

/** The modes that others wait for, the strongest last. */
const BLOCKING: readonly LockMode[] = ['SHARE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE']
/** lock_timeout, statement_timeout, deadlock. */
const BUSY = ['55P03', '57014', '40P01']

/** Within a transaction, which is lost when this throws. */
export async function takeLocks(client: pg.Client, sql: string, withinMs: number): Promise<void> {
  const wanted = new Map<string, LockMode>()
  for (const { relation, mode } of locksOf(sql)) {
    if (relation === null || mode === null || !BLOCKING.includes(mode)) continue
    const table = await tableOf(client, relation)
    if (table === undefined) continue
    const before = wanted.get(table) ?? mode
    wanted.set(table, BLOCKING.indexOf(mode) > BLOCKING.indexOf(before) ? mode : before)
  }
  if (wanted.size === 0) return
  const locks = [...wanted].map(([table, mode]) => `LOCK TABLE ${table} IN ${mode} MODE;`)
  try {
    await client.query(`SET LOCAL statement_timeout = ${withinMs}`)
    // One statement, so that the time is theirs together.
    await client.query(`DO $locks$ BEGIN ${locks.join(' ')} END $locks$`)
    await client.query('SET LOCAL statement_timeout = 0')
  } catch (error) {
    if (!BUSY.includes((error as { code?: string }).code ?? '')) throw error
    const tables = [...wanted.keys()].join(', ')
    throw new TablesBusyError(
      `others work with ${tables} all the time: end what pg_stat_activity shows, and run this again`,
      { cause: error },
    )
  }
}

/** Its name as SQL has it; of an index, its table's; undefined: it is not there yet. */
async function tableOf(client: pg.Client, relation: string): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT coalesce(i.indrelid, c.oid)::regclass::text AS name FROM pg_class c
     LEFT JOIN pg_index i ON i.indexrelid = c.oid
     WHERE c.oid = to_regclass($1)
       AND (i.indrelid IS NOT NULL OR c.relkind IN ('r', 'p'))`,
    [relation],
  )
  return rows[0]?.name
}
