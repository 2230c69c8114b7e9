/**
 * Turning over what waits at an endpoint that has changed between poll mode and another mode. Its
 * backlog is announced, and the dispatcher that takes it sends what was visible to polls, or makes
 * visible what was to be sent.
 */
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import type { OwnedBacklog } from './backlogs.ts'
import { KIND } from './sql/lease.ts'
import { VISIBLE_PRIORITY } from './sql/poll-mode.ts'
import type { PollTarget } from './poll.ts'

/**
 * To be called after an endpoint has changed its mode, or was deleted. Whoever serves its backlog
 * turns over what is parked, sends it or gives it up; what backs off is announced now. A delivery
 * with an attempt in flight, or that is fetched, follows when that has ended.
 */
export async function followMode(pool: Pool, { tenantId, endpointId }: PollTarget): Promise<void> {
  await withRetries(() =>
    pool.query(
      `WITH parked_there AS (
        SELECT $1::uuid AS tenant_id, $2::uuid AS target_id
        WHERE EXISTS (SELECT FROM parked WHERE tenant_id = $1 AND target_id = $2)
      ), made AS (
        INSERT INTO backlogs (tenant_id, target_id, endpoint_id)
        SELECT tenant_id, target_id, target_id FROM parked_there
        ON CONFLICT DO NOTHING
      ), announced AS (
        INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
        SELECT tenant_id, target_id, ${KIND.backlog}, now(), false, target_id FROM parked_there
        ON CONFLICT (tenant_id, id) DO UPDATE SET due_at = excluded.due_at, leased = false
      )
      UPDATE due SET due_at = now()
      WHERE tenant_id = $1 AND target_id = $2 AND kind = ${KIND.delivery}
        AND NOT leased AND due_at > now()`,
      [tenantId, endpointId],
    ),
  )
}

export interface ShownParked {
  /** False: another dispatcher owns the backlog now. */
  owned: boolean
  shown: number
  /** For `finishBacklog`. */
  parks: number
}

/** Makes visible what is parked in an owned backlog whose endpoint is in poll mode. */
export async function showParked(
  pool: Pool,
  backlog: OwnedBacklog,
  limit: number,
): Promise<ShownParked> {
  const { rows } = await withRetries(() =>
    pool.query<{ shown: number; parks: number }>({
      name: 'show-parked',
      text: SHOW,
      values: [backlog.tenantId, backlog.targetId, backlog.epoch, limit],
    }),
  )
  const [row] = rows
  return row === undefined ? { owned: false, shown: 0, parks: 0 } : { owned: true, ...row }
}

const SHOW = `WITH owned AS (
  SELECT parks FROM backlogs WHERE tenant_id = $1 AND target_id = $2 AND epoch = $3
), next AS MATERIALIZED (
  SELECT ctid AS place, delivery_id FROM parked
  WHERE tenant_id = $1 AND target_id = $2 AND priority > ${VISIBLE_PRIORITY}
    AND EXISTS (SELECT FROM owned)
  ORDER BY priority, seq, delivery_id LIMIT $4
), shown AS (
  UPDATE parked p SET priority = ${VISIBLE_PRIORITY} FROM next n
  WHERE p.tenant_id = $1 AND p.ctid = n.place AND ${selectivityHint('n.delivery_id')}
  RETURNING 1
)
SELECT owned.parks::float8 AS parks, (SELECT count(*)::int FROM shown) AS shown FROM owned`
