/**
 * Watches from outside what a migration does to those who work with a database: for how long it has
 * locks that others wait for, and how long statements take meanwhile that read and write.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '@posthorn/domain/ids'
import { openPool, type Pool } from '@posthorn/store/pool'

export interface LockWatch {
  end(): Promise<WatchedLocks>
}

export interface WatchedLocks {
  /** The tables that were locked in a mode that others wait for, and the longest time of each. */
  heldMs: Record<string, number>
  /** The longest that a statement of the readers and writers took. */
  slowestMs: number
}

/** What `migrate` names itself to Postgres. */
export const MIGRATOR = 'posthorn migrate'
const EVERY_MS = 2

const HELD = `SELECT DISTINCT l.pid, a.xact_start::text AS began,
    coalesce(i.inhparent, l.relation)::regclass::text AS name,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at
  FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  LEFT JOIN pg_inherits i ON i.inhrelid = l.relation
  WHERE a.application_name = $1 AND a.datname = current_database()
    AND l.locktype = 'relation' AND l.granted AND l.relation = ANY ($2::oid[])
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

const TABLES = `SELECT oid FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    AND relname <> '_prisma_migrations'`

const INSERT = `INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination,
    payload, priority, trace_id)
  VALUES ($1::uuid, $2::uuid, $1::uuid, $2::uuid::text, 'https://example.com', '{}', 5, 't')`
const UPDATE = `UPDATE events SET attempts = attempts + 1 WHERE tenant_id = $1 AND id = $2`
const READ = `SELECT payload FROM events WHERE tenant_id = $1 AND id = $2`

/** Returns once each of its sessions has done its first round. */
export async function watchLocks(url: string, tenantId: string): Promise<LockWatch> {
  const locks = createLockTimes()
  let slowestMs = 0

  async function timed(pool: Pool, sql: string, values: readonly string[]): Promise<void> {
    const startedAt = performance.now()
    await pool.query(sql, [...values])
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }

  const sessions = await Promise.all([
    startRounds(url, locks.look),
    startRounds(url, async (pool) => {
      const id = newId()
      await timed(pool, INSERT, [tenantId, id])
      await timed(pool, UPDATE, [tenantId, id])
    }),
    startRounds(url, async (pool) => await timed(pool, READ, [tenantId, newId()])),
  ])
  return {
    async end() {
      await Promise.all(sessions.map((session) => session.end()))
      return { heldMs: locks.heldMs, slowestMs }
    },
  }
}

type Round = (pool: Pool) => Promise<void>

/** Repeats a round in a session of its own. Returns after the first. */
async function startRounds(url: string, round: Round): Promise<{ end(): Promise<void> }> {
  const pool = openPool({ url, max: 1, name: 'watch', onError: () => {} })
  await round(pool)
  let isOver = false
  const ended = (async () => {
    while (!isOver) {
      await round(pool)
      await pause(EVERY_MS)
    }
  })()
  // What fails is told at the end.
  ended.catch(() => {})
  return {
    async end() {
      isOver = true
      await ended
      await pool.end()
    },
  }
}

/** The times between the first and the last moment at which a lock was seen. */
function createLockTimes() {
  const heldMs: Record<string, number> = {}
  /** By transaction and table. */
  const firstSeen = new Map<string, number>()
  let tables: number[] = []

  return {
    heldMs,
    async look(pool: Pool): Promise<void> {
      if (tables.length === 0)
        tables = (await pool.query<{ oid: number }>(TABLES)).rows.map(({ oid }) => oid)
      const { rows } = await pool.query<HeldLock>(HELD, [MIGRATOR, tables])
      for (const { pid, began, name, at } of rows) {
        const key = `${pid} ${began} ${name}`
        const since = firstSeen.get(key) ?? at
        firstSeen.set(key, since)
        heldMs[name] = Math.max(heldMs[name] ?? 0, at - since)
      }
    },
  }
}

interface HeldLock {
  pid: number
  /** When its transaction began. */
  began: string
  /** The table; of a partition, the whole. */
  name: string
  /** In milliseconds. */
  at: number
}
