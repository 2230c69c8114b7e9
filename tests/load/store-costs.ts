/** What an event leaves in Postgres: WAL, rows written, bytes on disk. */
import type { Pool } from '@posthorn/store/pool'

export interface StoreState {
  walBytes: number
  tableBytes: number
  inserted: number
  updated: number
  deleted: number
  commits: number
}

/** Counters of sessions become visible within a second of their being idle. */
const VISIBLE_MS = 1_500

export async function readStore(database: Pool): Promise<StoreState> {
  await new Promise((done) => setTimeout(done, VISIBLE_MS))
  const { rows } = await database.query<Record<keyof StoreState, string>>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS "walBytes",
       (SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables) AS "tableBytes",
       (SELECT sum(n_tup_ins) FROM pg_stat_user_tables) AS inserted,
       (SELECT sum(n_tup_upd) FROM pg_stat_user_tables) AS updated,
       (SELECT sum(n_tup_del) FROM pg_stat_user_tables) AS deleted,
       (SELECT sum(xact_commit) FROM pg_stat_database) AS commits`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('Postgres answered nothing')
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Number(value)]),
  ) as unknown as StoreState
}

export function storeCosts(
  before: StoreState,
  after: StoreState,
  events: number,
): Record<string, number> {
  const each = (name: keyof StoreState): number => (after[name] - before[name]) / events
  return {
    'WAL bytes per event': each('walBytes'),
    'bytes per event on disk': each('tableBytes'),
    'rows inserted per event': each('inserted'),
    'rows updated per event': each('updated'),
    'rows deleted per event': each('deleted'),
    'commits per event': each('commits'),
  }
}
