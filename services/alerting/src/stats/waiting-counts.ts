/**
 * How many deliveries are parked at endpoints. Each is counted by an index, and only so far that
 * all of a workspace together cost a bounded number of rows, however many of its endpoints are
 * down. A count is shared by whoever asks while it is made, and the more rows it took, the longer
 * it is kept: so counting takes some hundredths of a processor at most for a workspace that asks
 * all the time.
 */
import { MAX_COUNTED } from '@posthorn/contracts/stats'
import type { Pool } from '@posthorn/store/pool'

/** The newest ones. */
const MAX_ENDPOINTS = 1_000
/** Some 200 ms. With up to 100 endpoints that have a backlog, each is counted to the end. */
const MAX_TOGETHER = 1_000_000
/** How long a count is kept: with the most rows 10 s. */
const ROWS_PER_MS = 100
const MAX_KEPT = 1_000

export interface WaitingCount {
  waiting: number
  /** The count stopped there: there may be more. */
  capped?: true
}

export interface WaitingOf {
  tenantId: string
  /** null: all projects. */
  projectId: string | null
}

export interface WaitingCounts {
  /** Counts of the newest thousand endpoints; those without one have nothing parked. */
  ofAll(of: WaitingOf): Promise<ReadonlyMap<string, WaitingCount>>
  of(tenantId: string, endpointId: string): Promise<WaitingCount>
}

export interface WaitingCountsConfig {
  /** Rows that one count reads at most, of all endpoints together. */
  maxTogether?: number
}

export interface WaitingCountsDeps {
  pool: Pool
  /** Monotonic ms. */
  nowMs(): number
}

interface Kept {
  counts: Promise<ReadonlyMap<string, WaitingCount>>
  /** Infinity: it is being made. */
  until: number
}

export function createWaitingCounts(
  { maxTogether = MAX_TOGETHER }: WaitingCountsConfig,
  { pool, nowMs }: WaitingCountsDeps,
): WaitingCounts {
  const kept = new Map<string, Kept>()

  function forget(): void {
    for (const [key, { until }] of kept) if (until <= nowMs()) kept.delete(key)
    // A count that is under way goes on for whoever waits for it.
    if (kept.size > MAX_KEPT) kept.clear()
  }

  async function count(key: string, { tenantId, projectId }: WaitingOf) {
    try {
      const counts = await countParked(pool, [tenantId, projectId, null, maxTogether])
      const rows = [...counts.values()].reduce((sum, { waiting }) => sum + waiting, 0)
      const entry = kept.get(key)
      if (entry !== undefined) entry.until = nowMs() + rows / ROWS_PER_MS
      return counts
    } catch (error) {
      kept.delete(key)
      throw error
    }
  }

  return {
    async ofAll(of) {
      const key = `${of.tenantId}/${of.projectId}`
      const last = kept.get(key)
      if (last !== undefined && nowMs() < last.until) return await last.counts
      forget()
      const counts = count(key, of)
      kept.set(key, { counts, until: Infinity })
      return await counts
    },
    async of(tenantId, endpointId) {
      const counts = await countParked(pool, [tenantId, null, endpointId, maxTogether])
      return counts.get(endpointId) ?? { waiting: 0 }
    },
  }
}

async function countParked(
  pool: Pool,
  values: [
    tenantId: string,
    projectId: string | null,
    endpointId: string | null,
    maxTogether: number,
  ],
): Promise<Map<string, WaitingCount>> {
  const { rows } = await pool.query<{ id: string; waiting: number; isCapped: boolean }>({
    name: 'waiting-counts',
    text: COUNT_PARKED,
    values,
  })
  return new Map(
    rows.map(({ id, waiting, isCapped }) => [
      id,
      { waiting, ...(isCapped ? { capped: true as const } : {}) },
    ]),
  )
}

/** One row more than is told shows whether there are more. */
export const COUNT_PARKED = `WITH waits AS MATERIALIZED (
  SELECT n.id FROM (
    SELECT tenant_id, id FROM endpoints
    WHERE tenant_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR project_id = $2)
      AND ($3::uuid IS NULL OR id = $3)
    ORDER BY id DESC LIMIT ${MAX_ENDPOINTS}
  ) n
  CROSS JOIN LATERAL (
    SELECT FROM parked p WHERE p.tenant_id = $1 AND p.target_id = n.id LIMIT 1
  ) one
), share AS MATERIALIZED (
  SELECT least(${MAX_COUNTED}, $4::bigint / greatest(1, count(*))) AS most FROM waits
)
SELECT w.id, least(c.counted, s.most)::int AS waiting, c.counted > s.most AS "isCapped"
FROM share s CROSS JOIN waits w CROSS JOIN LATERAL (
  SELECT count(*) AS counted FROM (
    SELECT FROM parked p WHERE p.tenant_id = $1 AND p.target_id = w.id LIMIT s.most + 1
  ) p
) c`
