/** Fills the tables that grow with the events, with rows as an earlier schema had them. */
import type { Pool } from '@posthorn/store/pool'

/** The day's rows lie in the order of their ids, so that indexes grow only at their ends. */
const ID = `(lpad(to_hex($2::bigint + i / 100), 12, '0') || '7' || lpad(to_hex(i % 100), 3, '0')
  || '8' || lpad(to_hex(i), 15, '0'))::uuid`

/** $1 the tenant, $2 the first millisecond; from $3 to $4. Columns of the first migration alone. */
const FILLS: Readonly<Record<string, string>> = {
  events: `INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination, payload,
      priority, trace_id, fanned_out_at, attempts, delivered_at, ended_at)
    SELECT $1::uuid, ${ID}, $1::uuid, i::text, NULL, '{}', 5, 't', now(), 1, now(), now()
    FROM generate_series($3::bigint, $4::bigint) i`,
  deliveries: `INSERT INTO deliveries (tenant_id, id, event_id, target_id, seq, priority, state,
      ended_at)
    SELECT $1::uuid, ${ID}, ${ID}, $1::uuid, i, 5, 3, now()
    FROM generate_series($3::bigint, $4::bigint) i`,
  attempts: `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url,
      attempt_number, status_code, error, duration_ms, overhead_us, response_body)
    SELECT $1::uuid, ${ID}, $1::uuid, ${ID}, ${ID}, 'https://example.com', 1, 200, '', 20, 900, 'ok'
    FROM generate_series($3::bigint, $4::bigint) i`,
  due: `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
    SELECT $1::uuid, ${ID}, 1, now() + interval '1 day', false, $1::uuid
    FROM generate_series($3::bigint, $4::bigint) i`,
  idempotency_keys: `INSERT INTO idempotency_keys (tenant_id, key, event_id)
    SELECT $1::uuid, lpad(i::text, 12, '0'), ${ID}
    FROM generate_series($3::bigint, $4::bigint) i`,
}

export const GROWING_TABLES = Object.keys(FILLS)
const CHUNK = 100_000

export async function fillTable(
  pool: Pool,
  table: string,
  { rows, tenantId, fromMs }: { rows: number; tenantId: string; fromMs: number },
): Promise<void> {
  const sql = FILLS[table]
  if (sql === undefined) throw new Error(`say in fill-tables.ts how ${table} is filled`)
  for (let from = 0; from < rows; from += CHUNK)
    await pool.query(sql, [tenantId, fromMs, from, Math.min(from + CHUNK, rows) - 1])
  await pool.query(`ANALYZE ${table}`)
}
