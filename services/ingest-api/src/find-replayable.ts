/**
 * An endpoint's deliveries that can be replayed, the oldest first. The dead ones are found by their
 * index, those that wait for their next attempt in the tables where they wait. These are read in
 * steps, by key, until enough deliveries are found, so that others which wait there hide none of
 * them.
 *
 * Each step sees what is committed by then: what begins to wait meanwhile may be left out. Among
 * the parked deliveries those are found first that would go first.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { KIND } from '@posthorn/store/pipeline/sql/lease'
import type { Pool } from '@posthorn/store/pool'

/** Rows per step: about 5 ms, and as much again to look up those of the endpoint. */
const STEP = 5_000

export interface Replayable {
  id: string
  eventId: string
}

interface ReplayableStep {
  looked: number
  ids: string[]
  last: unknown[]
}

export async function findReplayable(
  pool: Pool,
  tenantId: string,
  endpointId: string,
  limit: number,
): Promise<Replayable[]> {
  const { rows: dead } = await pool.query<Replayable>(DEAD, [tenantId, endpointId, limit])
  const due = await findWaiting(pool, DUE, [NO_ID])
  const parked = await findWaiting(pool, PARKED, [0, 0, NO_ID])
  return [...dead, ...due, ...parked].toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit)

  /** @param first a key that is below that of the first row */
  async function findWaiting(
    from: Pool,
    step: string,
    first: readonly unknown[],
  ): Promise<Replayable[]> {
    const found: Replayable[] = []
    for (let after = first; found.length < limit; ) {
      const { rows } = await from.query<ReplayableStep>(step, [tenantId, endpointId, ...after])
      const { looked, ids, last } = rows[0] ?? { looked: 0, ids: [], last: [] }
      if (ids.length > 0) found.push(...(await stillWaiting(from, ids)))
      if (looked < STEP) break
      after = last
    }
    return found.slice(0, limit)
  }

  async function stillWaiting(from: Pool, ids: readonly string[]): Promise<Replayable[]> {
    // Without a name the statement is planned with its values, and skips the days of none of them.
    const { rows } = await from.query<Replayable>(WAITING, [tenantId, endpointId, ids])
    return rows
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const DEAD = `SELECT id, event_id AS "eventId" FROM deliveries
  WHERE tenant_id = $1 AND endpoint_id = $2 AND dead_reason IS NOT NULL
    AND state = ${STATE_CODE.dead}
  ORDER BY id LIMIT $3`

const WAITING = `SELECT id, event_id AS "eventId" FROM deliveries
  WHERE tenant_id = $1 AND endpoint_id = $2 AND id = ANY ($3::uuid[])
    AND state = ${STATE_CODE.waiting}
  ORDER BY id`

/** Reads the rows after a key, and returns the key after which the next step begins. */
const stepOf = (rows: string, key: string): string =>
  `WITH looked AS MATERIALIZED (${rows} ORDER BY ${key} LIMIT ${STEP})
  SELECT (SELECT count(*)::int FROM looked) AS looked,
    ARRAY(SELECT id FROM looked WHERE target_id = $2) AS ids,
    (SELECT json_build_array(${key}) FROM looked
      ORDER BY ${key.replaceAll(/(\w+)/g, '$1 DESC')} LIMIT 1) AS last`

const DUE = stepOf(
  `SELECT id, target_id FROM due WHERE tenant_id = $1 AND id > $3::uuid
   AND kind = ${KIND.delivery}`,
  'id',
)

const PARKED = stepOf(
  `SELECT * FROM (SELECT delivery_id AS id, target_id, priority, seq FROM parked
   WHERE tenant_id = $1 AND target_id = $2
     AND (priority, seq, delivery_id) > ($3::smallint, $4::bigint, $5::uuid)) parked`,
  'priority, seq, id',
)
