/**
 * Who may export a workspace just now: one export of a workspace at a time, and few of all
 * together, over all instances. An export reads everything that a workspace has, holds pages of it
 * in memory, and its client decides how long that takes.
 *
 * A turn is a lease that is renewed while the document is read. The turns of an instance that was
 * killed are free again when their leases have ended.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@posthorn/contracts/errors'
import type { Pool } from '@posthorn/store/pool'
import { inTransaction } from '@posthorn/store/transaction'

export interface ExportTurn {
  /** Throws where another export has the turn: this process stood still for too long. */
  requireHeld(): void
  end(): Promise<void>
}

/** Each holds some 10 MiB, and reads as fast as one client takes it. */
export const MAX_EXPORTS = 8
const LEASE_MS = 60_000
const RENEW_MS = 10_000
const LEASE = `$3 * interval '1 millisecond'`
const PREFIX = 'workspace-export:'
/** Whoever looks for a turn looks alone: 'export' in ASCII. */
const LOCK = '111567956832884'
const RETRY_AFTER_SECONDS = 60

/** Throws where there is no turn. */
export async function takeExportTurn(pool: Pool, tenantId: string): Promise<ExportTurn> {
  const lease = [`${PREFIX}${tenantId}`, randomUUID()]
  const taken = await take(pool, lease)
  if (taken === 'own') {
    throw new ApiError('INVALID_STATE', 'the workspace is being exported: wait for the end of it')
  }
  if (taken === 'full') {
    const message = 'too many workspaces are being exported: try again in a minute'
    throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  let isHeld = true
  const timer = setInterval(() => {
    renew(pool, lease).then(
      (held) => (isHeld = held),
      // Postgres is away: the next page fails as well, or the next renewal is in time.
      () => {},
    )
  }, RENEW_MS)
  timer.unref()
  return {
    requireHeld() {
      if (!isHeld) throw new Error('another export of the workspace has begun')
    },
    async end() {
      clearInterval(timer)
      await pool.query('DELETE FROM leases WHERE name = $1 AND holder = $2', lease)
    },
  }
}

/** @returns `own`: the workspace has a turn already; `full`: others have all of them */
async function take(pool: Pool, lease: readonly string[]): Promise<'taken' | 'own' | 'full'> {
  const taken = await inTransaction(pool, async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    // Also those of workspaces that are gone, whose names nobody would ask for again.
    await client.query(`DELETE FROM leases WHERE name LIKE $1 AND held_until <= now()`, [
      `${PREFIX}%`,
    ])
    const { rows } = await client.query<{ isOwn: boolean; count: number }>(
      `SELECT coalesce(bool_or(name = $1), false) AS "isOwn", count(*)::int AS count
       FROM leases WHERE name LIKE $2`,
      [lease[0], `${PREFIX}%`],
    )
    const { isOwn = false, count = 0 } = rows[0] ?? {}
    if (isOwn) return 'own'
    if (count >= MAX_EXPORTS) return 'full'
    await client.query(
      `INSERT INTO leases (name, holder, held_until) VALUES ($1, $2, now() + ${LEASE})`,
      [...lease, LEASE_MS],
    )
    return 'taken'
  })
  return taken ?? 'full'
}

async function renew(pool: Pool, lease: readonly string[]): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE leases SET held_until = now() + ${LEASE} WHERE name = $1 AND holder = $2`,
    [...lease, LEASE_MS],
  )
  return rowCount === 1
}
