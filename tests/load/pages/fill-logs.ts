/**
 * What the pages show beside the lists of events: rollups, as if the events had been counted, and a
 * log of changes.
 */
import { ensurePartitions } from '@posthorn/store/partitions'
import type { Pool } from '@posthorn/store/pool'
import { LOAD_ID, withoutTimeout } from '../fill-finished.ts'

const DAY_MS = 86_400_000

/** Counts of every minute of the last day, every hour of `days` days and every day of 90. */
export async function fillCounts(
  database: Pool,
  tenantId: string,
  endpointIds: readonly string[],
  days: number,
): Promise<void> {
  const grains = [
    ['minute', 1_440],
    ['hour', days * 24],
    ['day', 90],
  ] as const
  for (const [unit, count] of grains) {
    await database.query(
      `INSERT INTO rollup_${unit}s (tenant_id, scope_id, bucket, accepted, succeeded, acknowledged,
         dead, timeout, http_4xx, http_5xx, dns, tls, refused, other, latency)
       SELECT $1::uuid, scope, date_trunc('${unit}', now(), 'UTC') - n * interval '1 ${unit}',
         100 + n % 17, 97 + n % 17, 0, 1, n % 3, 1, 1 + n % 5, 0, 0, 0, 0,
         ('[40:69]=' || array_fill(3, ARRAY[30])::text)::int[]
       FROM unnest($2::uuid[] || $1::uuid
         || ARRAY(SELECT id FROM projects WHERE tenant_id = $1::uuid)) scope,
         generate_series(1, $3::int) n
       ON CONFLICT DO NOTHING`,
      [tenantId, endpointIds, count],
    )
  }
}

interface FillChanges {
  tenantId: string
  changes: number
  days: number
  /** Epoch ms of the last change. */
  until: number
}

const CHANGES = `INSERT INTO audit_logs (tenant_id, id, action, resource, resource_id, actor_type,
    actor_id, actor_name, actor_user_id, metadata, ip, request_id, created_at)
  SELECT $1, pg_temp.load_id(ms, i, 'b', 0), resource || '.update', resource, md5(i::text)::uuid,
    'user', actor, 'Person ' || i % 50, actor,
    '{"changes": {"timeoutMs": {"from": 30000, "to": 9000}}}', '192.0.2.7', md5(i::text),
    to_timestamp(ms / 1000.0)
  FROM (
    SELECT i, $2::bigint + i * $3::bigint / $4::bigint AS ms, md5((i % 50)::text)::uuid AS actor,
      (ARRAY['endpoint', 'event', 'sub_account_session', 'project', 'team'])[1 + i % 5] AS resource
    FROM generate_series(1, $4::bigint) i
  ) source`

/** @returns the id of one of the fifty people who made the changes */
export async function fillChanges(database: Pool, given: FillChanges): Promise<string> {
  const { tenantId, changes, days, until } = given
  const client = { query: async (sql: string) => await database.query(sql) }
  for (let day = 0; day <= days; day += 1)
    await ensurePartitions(client, new Date(until - day * DAY_MS))
  await withoutTimeout(database, async (connection) => {
    await connection.query(LOAD_ID)
    const spanMs = days * DAY_MS
    await connection.query(CHANGES, [tenantId, until - spanMs, spanMs, changes])
  })
  const { rows } = await database.query<{ id: string }>(`SELECT md5('7')::uuid AS id`)
  return rows[0]?.id ?? ''
}
