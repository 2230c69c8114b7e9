/**
 * The statements on the row that says which `standalone` works on a database
 * (docs/decisions/0026). None of them needs a session of its own.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../pool.ts'

export interface LeaseRow {
  epoch: number
  /** null: its last owner ended in good order. */
  owner: string | null
  renewals: number
  /** The session that renewed it last has ended; false where no session tells. */
  isSessionEnded: boolean
}

// To a role that may not see another's sessions, a session has no time of its start.
const READ = `SELECT epoch, owner, renewals, session_pid IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_stat_get_activity(session_pid) s
    WHERE s.backend_start IS NULL OR s.backend_start = session_started
  ) AS "isSessionEnded"
  FROM standalone_lease`

export async function readLease(pool: Pool): Promise<LeaseRow> {
  const { rows } = await pool.query<LeaseRow>(READ)
  if (rows[0] === undefined) throw new Error('the row of standalone_lease is gone: restore it')
  return rows[0]
}

/** @returns the new epoch; null: somebody was quicker, or the owner has renewed it after all */
export async function takeLease(pool: Pool, seen: LeaseRow, owner: string): Promise<number | null> {
  const { rows } = await pool.query<{ epoch: number }>(
    `UPDATE standalone_lease SET epoch = epoch + 1, owner = $3, renewals = 0, session_pid = NULL,
       session_started = NULL
     WHERE epoch = $1 AND renewals = $2 RETURNING epoch`,
    [seen.epoch, seen.renewals, owner],
  )
  return rows[0]?.epoch ?? null
}

/**
 * The number of its session that a client was told is the one that Postgres knows only where
 * nothing stands between them that shares sessions out: PgBouncer tells one of its own.
 */
const RENEW = `WITH unsynced AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true),
      CASE WHEN pg_backend_pid() = $3 THEN pg_backend_pid() END AS pid
  )
  UPDATE standalone_lease SET renewals = renewals + 1, session_pid = unsynced.pid,
    session_started = (
      SELECT s.backend_start FROM pg_stat_get_activity(pg_backend_pid()) s
      WHERE unsynced.pid IS NOT NULL)
  FROM unsynced WHERE epoch = $1 AND owner = $2`

/**
 * So Postgres ends the session of a machine that is gone: 3 s after it was last heard of, whether
 * or not something was on its way to it.
 */
const NOTICE_GONE = `SELECT set_config('tcp_keepalives_idle', '1', false),
  set_config('tcp_keepalives_interval', '1', false), set_config('tcp_keepalives_count', '2', false),
  set_config('tcp_user_timeout', '3000', false)`

/** @returns false: another has taken it */
export async function renewLease(pool: Pool, epoch: number, owner: string): Promise<boolean> {
  const client = await pool.connect()
  let broken = true
  try {
    const session = client as typeof client & { processID: number; noticesGone?: true }
    if (session.noticesGone === undefined) {
      await client.query(NOTICE_GONE)
      session.noticesGone = true
    }
    const { rowCount } = await client.query({
      name: 'renew-standalone-lease',
      text: RENEW,
      values: [epoch, owner, session.processID],
    })
    broken = false
    return rowCount === 1
  } finally {
    client.release(broken)
  }
}

/** Whoever waits takes it at once. */
export async function releaseLease(pool: Pool, epoch: number, owner: string): Promise<void> {
  await pool.query(
    `UPDATE standalone_lease SET owner = NULL, renewals = renewals + 1
     WHERE epoch = $1 AND owner = $2`,
    [epoch, owner],
  )
}

export async function isEpoch(pool: Pick<Pool, 'query'>, epoch: number): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM standalone_lease WHERE epoch = $1', [epoch])
  return rowCount === 1
}

const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND starts_with(application_name, $1)
    AND application_name <> $2`
const END_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 50

/**
 * Ends the sessions of all earlier owners, and waits until they are gone: what they had open is
 * undone, and what they send into it later is refused.
 *
 * @param names what the names of owners' connections begin with
 * @param own the name of connections that stay
 */
export async function endSessions(pool: Pool, names: string, own: string): Promise<void> {
  const deadline = performance.now() + END_WITHIN_MS
  for (;;) {
    const { rowCount } = await pool.query(END, [names, own])
    if (rowCount === 0) return
    if (performance.now() > deadline)
      throw new Error(`${rowCount} sessions of the standalone before do not end`)
    await pause(LOOK_EVERY_MS)
  }
}
