/**
 * Removes deleted endpoints for good, with their versions, once retention has removed all that
 * refers to them: their deliveries and attempts. Until then they stay as rows, so that these can be
 * read back.
 *
 * Called after retention, by one instance at a time; several at once do no harm.
 */
import type { Pool } from './pool.ts'
import { withRetries } from './repeat.ts'

/** A fan-out that read the configuration before the deletion may still write a delivery. */
const KEPT_DAYS = 1
/** Endpoints that one statement looks at: three look-ups by key each, in every day that is kept. */
const STEP = 500

interface PurgeStep {
  gone: number
  looked: number
  /** Where the next step begins; null: nothing was looked at. */
  lastDeletedAt: string | null
  lastId: string | null
}

/** @param maxSteps statements at most. @returns how many endpoints are gone */
export async function purgeEndpoints(pool: Pool, maxSteps = 200): Promise<number> {
  let gone = 0
  let after: readonly [string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000']
  for (let step = 0; step < maxSteps; step += 1) {
    const purged = await withRetries(
      async () => (await pool.query<PurgeStep>(PURGE, [...after])).rows[0],
    )
    gone += purged?.gone ?? 0
    if (purged === undefined || purged.looked < STEP) break
    after = [purged.lastDeletedAt ?? 'infinity', purged.lastId ?? after[1]]
  }
  return gone
}

/** `lastDeletedAt` is text: a timestamp in JavaScript would lose the microseconds. */
const PURGE = `WITH looked AS MATERIALIZED (
    SELECT tenant_id, id, deleted_at FROM endpoints
    WHERE deleted_at < now() - interval '${KEPT_DAYS} days'
      AND (deleted_at, id) > ($1::timestamptz, $2::uuid)
    ORDER BY deleted_at, id LIMIT ${STEP}
  ), unused AS (
    SELECT tenant_id, id FROM looked l
    WHERE NOT EXISTS (
        SELECT FROM deliveries d WHERE d.tenant_id = l.tenant_id AND d.endpoint_id = l.id)
      AND NOT EXISTS (
        SELECT FROM attempts a WHERE a.tenant_id = l.tenant_id AND a.endpoint_id = l.id)
      AND NOT EXISTS (
        SELECT FROM backlogs b WHERE b.tenant_id = l.tenant_id AND b.target_id = l.id)
  ), versions AS (
    DELETE FROM endpoint_versions v USING unused u
    WHERE v.tenant_id = u.tenant_id AND v.endpoint_id = u.id
  ), gone AS (
    DELETE FROM endpoints e USING unused u WHERE e.tenant_id = u.tenant_id AND e.id = u.id
    RETURNING 1
  )
  SELECT (SELECT count(*)::int FROM gone) AS gone,
    (SELECT count(*)::int FROM looked) AS looked,
    (SELECT deleted_at::text FROM looked ORDER BY deleted_at DESC,
      id DESC LIMIT 1) AS "lastDeletedAt",
    (SELECT id FROM looked ORDER BY deleted_at DESC, id DESC LIMIT 1) AS "lastId"`
