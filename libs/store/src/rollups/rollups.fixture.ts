/** What must hold of the rollups once everything is folded; used by tests. */
import { KIND_OF_ERROR_SQL } from './entries.ts'
import { foldOutbox } from './fold-outbox.ts'
import { COUNT_COLUMNS } from './sum-entries.ts'
import type { Pool } from '../pool.ts'

/** Folds until nothing is left. */
export async function foldAll(pool: Pool): Promise<void> {
  while ((await foldOutbox(pool, { after: null, minAgeMs: 0 }, 1_000)).rows > 0);
}

const ATTEMPT_KINDS = COUNT_COLUMNS.filter(
  (column) => !['accepted', 'acknowledged', 'dead'].includes(column),
)
const COUNTED = ATTEMPT_KINDS.map(
  (kind) => `count(*) FILTER (WHERE kind = '${kind}') AS ${kind}`,
).join(', ')
const DIFFERENT = ATTEMPT_KINDS.map(
  (kind) => `coalesce(c.${kind}, 0) <> coalesce(r.${kind}, 0)`,
).join(' OR ')
const ALL_ATTEMPTS = ATTEMPT_KINDS.map((kind) => `coalesce(c.${kind}, 0)`).join(' + ')
const GRAINS = [
  { table: 'rollup_minutes', unit: 'minute' },
  { table: 'rollup_hours', unit: 'hour' },
  { table: 'rollup_days', unit: 'day' },
]

/**
 * @returns the scopes and buckets of each grain whose counts of attempts are not those of the
 * attempts' rows; empty when all are
 */
export async function findMiscounted(pool: Pool): Promise<string[]> {
  const wrong: string[] = []
  for (const { table, unit } of GRAINS) {
    const { rows } = await pool.query<{ wrong: string }>(`WITH timed AS (
      SELECT tenant_id, project_id, endpoint_id, ${KIND_OF_ERROR_SQL} AS kind, to_timestamp((
        'x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 1000) AS at
      FROM attempts
    ), counted AS (
      SELECT tenant_id, scope_id, date_trunc('${unit}', at, 'UTC') AS bucket,
        ${COUNTED}
      FROM timed, unnest(ARRAY[tenant_id, project_id, endpoint_id]) AS s (scope_id)
      WHERE scope_id IS NOT NULL GROUP BY 1, 2, 3
    )
    SELECT concat_ws(' ', '${table}', coalesce(c.scope_id, r.scope_id),
      coalesce(c.bucket, r.bucket), 'attempts', row_to_json(c), 'rollup', row_to_json(r)) AS wrong
    FROM counted c FULL JOIN ${table} r USING (tenant_id, scope_id, bucket)
    WHERE ${DIFFERENT}
      OR ${ALL_ATTEMPTS}
        <> coalesce((SELECT sum(n) FROM unnest(r.latency) n), 0)`)
    wrong.push(...rows.map((row) => row.wrong))
  }
  return wrong
}
