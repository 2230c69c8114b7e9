/**
 * Which tenants have changed since it was last asked: their configuration (`config_version`) or
 * their status. Each asking costs what has changed, not what there is: caches of 10,000 tenants ask
 * every second.
 *
 * Each row of `tenants` names the transaction that changed it last. A transaction that had not
 * committed when it was last asked has a number from the oldest on that ran then, so asking from
 * that number on misses none, however long one takes. Numbers beyond the newest transaction come
 * from a database that this one was restored from.
 */
import type { Pool } from './pool.ts'

/** The versions of their configurations, by tenant. 'unknown': any may have changed. */
export type ChangedTenants = ReadonlyMap<string, number> | 'unknown'

/** More are not told apart: those who ask keep no more than that. */
const MAX_CHANGED = 20_000
/** No transaction has a number as large: where nothing is known, no tenant needs to be read. */
const NONE = 2n ** 63n - 1n

interface Row {
  oldest: string
  id: string | null
  version: number
}

export function createChangedTenants(pool: Pool): () => Promise<ChangedTenants> {
  /** The oldest transaction that ran when it was last asked. */
  let since: bigint | undefined

  return async () => {
    const from = since
    // Whoever answers next may be another server, which has counted otherwise.
    since = undefined
    const { rows } = await pool.query<Row>({
      name: 'changed-tenants',
      text: `SELECT pg_snapshot_xmin(s.now)::text AS oldest, t.id,
          t.config_version::float8 AS version
        FROM (SELECT pg_current_snapshot() AS now OFFSET 0) s LEFT JOIN LATERAL (
            SELECT id, config_version FROM tenants
            WHERE changed_in >= $1 AND changed_in < pg_snapshot_xmax(s.now)::text::bigint
            LIMIT ${MAX_CHANGED + 1}
          ) t ON true`,
      values: [String(from ?? NONE)],
    })
    since = BigInt(rows[0]?.oldest ?? NONE)
    if (from === undefined || since < from || rows.length > MAX_CHANGED) return 'unknown'
    return new Map(rows.flatMap(({ id, version }) => (id === null ? [] : [[id, version]])))
  }
}
