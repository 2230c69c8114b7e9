/**
 * Puts deliveries that are due now into a database, as an outage leaves them: accepted, fanned out
 * to one endpoint, never attempted.
 */
import type { Pool } from '@posthorn/store/pool'

export interface BacklogPlan {
  deliveries: number
  endpointId: string
  eventType: string
  /** The number of the first event, by which the endpoint counts it. */
  from: number
}

const CHUNK = 50_000

const ID = `CREATE FUNCTION pg_temp.load_id(i bigint, kind text) RETURNS uuid LANGUAGE sql VOLATILE
  RETURN (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7'
    || lpad(to_hex(i % 4096), 3, '0') || kind
    || substr(md5(i::text || now()::text), 1, 15))::uuid`

/** $1 tenant, $2 project, $3 endpoint, $4 type, $5 the first number, $6 how many. */
const INSERT = `WITH source AS (
  SELECT i, pg_temp.load_id(i, '8') AS id, pg_temp.load_id(i, '9') AS delivery,
    'backlog-' || i || '-' || now() AS key
  FROM generate_series($5::bigint, $5::bigint + $6::bigint - 1) i
), keys AS (
  INSERT INTO idempotency_keys (tenant_id, key, event_id)
  SELECT $1::uuid, key, id FROM source ORDER BY key
), accepted AS (
  INSERT INTO events (tenant_id, id, project_id, idempotency_key, event_type, payload, priority,
    trace_id,    fanned_out_at, open_count)
  SELECT $1::uuid, id, $2::uuid, key, $4, '{"n":' || i || ',"pad":"' || repeat('x', 400) || '"}', 5,
    md5(i::text), now(), 1
  FROM source ORDER BY i RETURNING id, seq
), made AS (
  INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
  SELECT $1::uuid, delivery, id, $3::uuid, $3::uuid, seq, 5 FROM accepted JOIN source USING (id)
)
INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
SELECT $1::uuid, delivery, 1, now(), false, $3::uuid FROM source`

export async function fillBacklog(database: Pool, plan: BacklogPlan): Promise<void> {
  const connection = await database.connect()
  try {
    await connection.query('SET statement_timeout = 0')
    await connection.query(ID)
    const { rows } = await connection.query<{ tenant: string; project: string }>(
      'SELECT tenant_id AS tenant, id AS project FROM projects WHERE is_default LIMIT 1',
    )
    const [of] = rows
    for (let done = 0; done < plan.deliveries; done += CHUNK) {
      const count = Math.min(CHUNK, plan.deliveries - done)
      const { endpointId, eventType, from } = plan
      const given = [of?.tenant, of?.project, endpointId, eventType, from + done, count]
      await connection.query(INSERT, given)
    }
  } finally {
    connection.release(true)
  }
}
