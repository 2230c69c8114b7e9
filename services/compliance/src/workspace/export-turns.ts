/**
 * Who may export a workspace just now: one export of a workspace at a time, and few of all
 * together, over all instances. An export reads everything that a workspace has, holds pages of it
 * in memory, and its client decides how long that takes.
 *
 * A turn is a lease that is renewed while the document is read. The turns of an instance that was
 * killed are free again when their leases have ended. A turn is for as long as nobody waits; after
 * `SHARE_MS` it goes to the workspace that has waited longest, so that clients which take all the
 * time there is hold up nobody for longer than that. Whoever was refused keeps a place among those
 * who wait by asking again in time; who was cut off comes last.
 */
import { createTicker } from '@posthorn/async/ticker'
import { ApiError } from '@posthorn/contracts/errors'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { acquireLeadership, keepLease, resignLeadership } from '@posthorn/store/pipeline/leadership'
import type { Pool } from '@posthorn/store/pool'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'

export interface ExportTurn {
  /** Throws where another export has the turn. */
  requireHeld(): void
  end(): Promise<void>
}

/** Each holds some 10 MiB, and reads as fast as one client takes it. */
export const MAX_EXPORTS = 8
/**
 * Somebody who waits for all turns to be over their share waits for less than an hour, with the
 * minutes until a client asks again. At the rate at which pages are read that is some 4 GiB.
 */
export const SHARE_MS = 45 * 60_000
const LEASE_MS = 60_000
const RENEW_MS = 10_000
const TURN = 'workspace-export:'
const PLACE = 'workspace-export-wait:'
/** Whoever looks for a turn looks alone: 'export' in ASCII. */
const LOCK = '111567956832884'
const RETRY_AFTER_SECONDS = 60
/** A client asks again within `RETRY_AFTER_SECONDS`, and may be late by as much again. */
const PLACE_MS = 3 * 60_000

/** Throws where there is no turn. */
export async function takeExportTurn(
  pool: Pool,
  tenantId: string,
  renewMs = RENEW_MS,
): Promise<ExportTurn> {
  // Its time is when the turn began.
  const holder = newId()
  const name = TURN + tenantId
  const taken = await inTransaction(pool, async (client) => await take(client, tenantId, holder))
  if (taken === 'own') {
    throw new ApiError('INVALID_STATE', 'the workspace is being exported: wait for the end of it')
  }
  if (taken !== 'taken') {
    const message = 'too many workspaces are being exported: try again in a minute'
    throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  let isHeld = true
  let isFresh = true
  const renewals = createTicker(
    // Postgres is away: the next page fails as well, or the next renewal is in time.
    { name: 'export turn', everyMs: renewMs, onError: () => {} },
    async () => {
      // A ticker's first round comes at once, when there is nothing to renew yet.
      if (!isFresh) isHeld = await keepLease(pool, name, holder, LEASE_MS)
      isFresh = false
    },
  )
  renewals.start()
  return {
    requireHeld() {
      if (!isHeld) throw new Error('another export has the turn: this one took too long')
    },
    async end() {
      await renewals.stop()
      await resignLeadership(pool, name, holder)
    },
  }
}

interface Lease {
  name: string
  /** A UUIDv7: so their order is the order of time. */
  holder: string
}

/** @returns `own`: the workspace has a turn already; `full`: others have all of them */
async function take(
  client: TransactionClient,
  tenantId: string,
  holder: string,
): Promise<'taken' | 'own' | 'full'> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  const names = [`${TURN}%`, `${PLACE}%`]
  // Also those of workspaces that are gone, whose names nobody would ask for again.
  await client.query(
    'DELETE FROM leases WHERE name LIKE ANY ($1::text[]) AND held_until <= now()',
    [names],
  )
  const { rows } = await client.query<Lease>(
    'SELECT name, holder FROM leases WHERE name LIKE ANY ($1::text[]) ORDER BY holder COLLATE "C"',
    [names],
  )
  const held = rows.filter(({ name }) => name.startsWith(TURN))
  if (held.some(({ name }) => name === TURN + tenantId)) return 'own'
  const places = rows.filter(({ name }) => name.startsWith(PLACE))
  const own = places.find(({ name }) => name === PLACE + tenantId)
  const outcome = decideTurn(held, own === undefined ? places.length : places.indexOf(own), holder)
  if (outcome === 'full') {
    await acquireLeadership(client, PLACE + tenantId, own?.holder ?? holder, PLACE_MS)
    return 'full'
  }
  if (outcome !== 'free') await resignLeadership(client, outcome.name, outcome.holder)
  if (own !== undefined) await resignLeadership(client, own.name, own.holder)
  await acquireLeadership(client, TURN + tenantId, holder, LEASE_MS)
  return 'taken'
}

/**
 * @param held turns that are taken, the oldest first
 * @param ahead how many have waited for longer
 * @param holder its time is now
 * @returns a lease: the turn that ends for this one
 */
function decideTurn(
  held: readonly Lease[],
  ahead: number,
  holder: string,
): 'free' | 'full' | Lease {
  const over = held.filter((turn) => timeOfId(turn.holder) <= timeOfId(holder) - SHARE_MS)
  // Those ahead of it take the first of what there is when they ask again.
  if (ahead >= MAX_EXPORTS - held.length + over.length) return 'full'
  return held.length < MAX_EXPORTS ? 'free' : (over[0] ?? 'full')
}
