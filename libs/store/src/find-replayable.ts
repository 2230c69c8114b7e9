/**
 * An endpoint's deliveries that can be replayed, the oldest first: the dead by their index, those that wait for their next
 * attempt where they wait. Where they wait is read in steps, by key, until enough of them are found, so that others which
 * wait hide none of them.
 *
 * It sees what is committed at each step: what begins to wait meanwhile may be left out. Of what is parked those are found
 * first that go first.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { KIND } from './pipeline/lease.ts'
import type { Pool } from './pool.ts'

/** About 5 ms, and as much again to look up those of the endpoint. */
const STEP = 5_000

export interface Replayable {
  id: string
  eventId: string
}

interface Step {
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

  /** @param first what is below the first row's key */
  async function findWaiting(
    from: Pool,
    step: string,
    first: readonly unknown[],
  ): Promise<Replayable[]> {
    const found: Replayable[] = []
    for (let after = first; found.length < limit; ) {
      const { rows } = await from.query<Step>(step, [tenantId, endpointId, ...after])
      const { looked, ids, last } = rows[0] ?? { looked: 0, ids: [], last: [] }
      if (ids.length > 0) found.push(...(await stillWaiting(from, ids)))
      if (looked < STEP) break
      after = last
    }
    return found.slice(0, limit)
  }

  async function stillWaiting(from: Pool, ids: readonly string[]): Promise<Replayable[]> {
    // Without a name: planned with its values, it passes over the days of none of them.
    const { rows } = await from.query<Replayable>(WAITING, [tenantId, endpointId, ids])
    return rows
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const DEAD = `SELECT id, event_id AS "eventId" FROM deliveries
  WHERE tenant_id = $1 AND endpoint_id = $2 AND dead_reason IS NOT NULL AND state = ${STATE_CODE.dead}
  ORDER BY id LIMIT $3`

const WAITING = `SELECT id, event_id AS "eventId" FROM deliveries
  WHERE tenant_id = $1 AND endpoint_id = $2 AND id = ANY ($3::uuid[]) AND state = ${STATE_CODE.waiting}
  ORDER BY id`

/** The rows after a key, and what the next step begins after. */
const stepOf = (rows: string, key: string): string =>
  `WITH looked AS MATERIALIZED (${rows} ORDER BY ${key} LIMIT ${STEP})
  SELECT (SELECT count(*)::int FROM looked) AS looked,
    ARRAY(SELECT id FROM looked WHERE target_id = $2) AS ids,
    (SELECT json_build_array(${key}) FROM looked ORDER BY ${key.replaceAll(/(\w+)/g, '$1 DESC')} LIMIT 1) AS last`

const DUE = stepOf(
  `SELECT id, target_id FROM due WHERE tenant_id = $1 AND id > $3::uuid AND kind = ${KIND.delivery}`,
  'id',
)

const PARKED = stepOf(
  `SELECT * FROM (SELECT delivery_id AS id, target_id, priority, seq FROM parked
   WHERE tenant_id = $1 AND target_id = $2 AND (priority, seq, delivery_id) > ($3::smallint, $4::bigint, $5::uuid)) parked`,
  'priority, seq, id',
)
