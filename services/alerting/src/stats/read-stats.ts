/**
 * What waits, fails and is delivered just now, of many tenants in one query. Each kind of row that
 * waits is counted by an index, and only as far as 10,000: a tenant with a million of them costs
 * no more than one with some thousands. What was accepted and delivered comes from the rollups.
 */
import { MAX_COUNTED, type Stats } from '@posthorn/contracts/stats'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { KIND } from '@posthorn/store/pipeline/sql/lease'
import { selectivityHint } from '@posthorn/store/pipeline/sql/selectivity-hint'
import type { Pool } from '@posthorn/store/pool'

interface StatsRow {
  tenantId: string
  queued: number
  delivering: number
  failed: number
  dead: number
  looked: number
  delivered: number
  recentlyAccepted: number
  recentlyDelivered: number
  oldestSeconds: number
}

/**
 * Rates are of ten seconds, of which the last are left out, because they are not in the rollups
 * yet.
 */
const RATE_SECONDS = 10

export async function readStats(
  pool: Pool,
  tenantIds: readonly string[],
  now: number,
): Promise<Map<string, Stats>> {
  if (tenantIds.length === 0) return new Map()
  const { rows } = await pool.query<StatsRow>({
    name: 'live-stats',
    text: READ_STATS,
    values: [tenantIds],
  })
  return new Map(rows.map((row) => [row.tenantId, toStats(row, now)]))
}

function toStats(row: StatsRow, now: number): Stats {
  const { queued, delivering, failed, dead, looked } = row
  const counts = { queued, delivering, failed, dead }
  const isCapped = looked > MAX_COUNTED || Object.values(counts).some((n) => n > MAX_COUNTED)
  const shown = Object.entries(counts).map(([name, n]) => [name, Math.min(n, MAX_COUNTED)])
  return {
    ...(Object.fromEntries(shown) as typeof counts),
    deliveredLastMinute: row.delivered,
    eventsPerSecond: row.recentlyAccepted / RATE_SECONDS,
    deliveriesPerSecond: row.recentlyDelivered / RATE_SECONDS,
    oldestQueuedSeconds: Math.round(row.oldestSeconds * 1_000) / 1_000,
    ...(isCapped ? { capped: true as const } : {}),
    at: new Date(now).toISOString(),
  }
}

const { delivering, waiting } = STATE_CODE
/** One more than is shown tells that there are more. */
const LIMIT = MAX_COUNTED + 1
/** Rollups are this old at most, in whole moments. */
const UNFOLDED = `interval '5 seconds'`

// A delivery's state is looked up by its key. One of a day that retention is taking out counts as
// queued.
export const READ_STATS = `SELECT i.tenant_id AS "tenantId", d.looked,
  (d.queued + p.parked + l.behind)::int AS queued, d.delivering, d.failed, x.dead,
  m.delivered, m."recentlyAccepted", m."recentlyDelivered",
  greatest(0, extract(epoch FROM now() - least(d.oldest, p.oldest)))::float8 AS "oldestSeconds"
FROM unnest($1::uuid[]) AS i (tenant_id)
CROSS JOIN LATERAL (
  SELECT count(*)::int AS looked,
    count(*) FILTER (WHERE state = ${delivering})::int AS delivering,
    count(*) FILTER (WHERE state = ${waiting})::int AS failed,
    count(*) FILTER (WHERE state NOT IN (${delivering}, ${waiting}))::int AS queued,
    min(due_at) FILTER (WHERE due_at <= now()) AS oldest
  FROM (
    SELECT due_at, coalesce((
      SELECT s.state FROM deliveries s WHERE s.tenant_id = w.tenant_id AND s.id = w.id
        AND w.kind <> ${KIND.event}
    ), 0) AS state
    FROM (
      SELECT tenant_id, id, kind, due_at FROM due
      WHERE tenant_id = i.tenant_id AND kind <> ${KIND.backlog} LIMIT ${LIMIT}
    ) w
  ) s
) d
CROSS JOIN LATERAL (
  SELECT count(*)::int AS parked, min(parked_at) AS oldest FROM (
    SELECT parked_at FROM parked WHERE tenant_id = i.tenant_id LIMIT ${LIMIT}) s
) p
CROSS JOIN LATERAL (
  SELECT count(*)::int AS behind FROM (
    SELECT FROM lane_waiting WHERE tenant_id = i.tenant_id LIMIT ${LIMIT}) s
) l
CROSS JOIN LATERAL (
  SELECT count(*)::int AS dead FROM (
    SELECT FROM events WHERE tenant_id = i.tenant_id AND dead_count > 0 LIMIT ${LIMIT}) s
) x
CROSS JOIN LATERAL (
  SELECT coalesce(sum(delivered), 0)::float8 AS delivered,
    coalesce(sum(accepted) FILTER (WHERE is_recent), 0)::float8 AS "recentlyAccepted",
    coalesce(sum(delivered) FILTER (WHERE is_recent), 0)::float8 AS "recentlyDelivered"
  FROM (
    SELECT *, bucket > now() - ${UNFOLDED} - interval '${RATE_SECONDS + 5} seconds'
      AND bucket <= now() - ${UNFOLDED} - interval '5 seconds' AS is_recent
    FROM rollup_moments
    WHERE tenant_id = i.tenant_id AND bucket > now() - interval '65 seconds'
  ) s
) m
WHERE ${selectivityHint('i.tenant_id')}`
