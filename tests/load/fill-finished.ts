/**
 * Fills a database with events that have ended, as a week's retention leaves them: in the
 * partitions of several days, with their deliveries, attempts and idempotency keys. The server
 * makes the rows itself in the order of their ids, so that the indexes grow only at their ends.
 *
 * Four of five events are direct; one in 33 needed a second attempt, one in 200 is dead after five.
 * With `attemptsBefore` each has so many more.
 */
import { ensurePartitions } from '@posthorn/store/partitions'
import type { Pool } from '@posthorn/store/pool'

export interface FillPlan {
  events: number
  days: number
  /** The endpoints to which the events by type were delivered. */
  endpointIds: readonly string[]
  /** The tenant of the events; missing: the only one that the database has. */
  tenantId?: string
  /** The types of the events by type, in turn. */
  eventTypes?: readonly string[]
  /** Epoch ms at which the last day ends; else the beginning of today. */
  until?: number
  /** So many attempts that failed come before those that each event has anyway; 0 to 10, else 0. */
  attemptsBefore?: number
}

const DAY_MS = 86_400_000
/** Events in one statement, so that its temporary files stay small and its locks short. */
const CHUNK = 100_000

/**
 * A UUIDv7 made of a millisecond and a number. The same input gives the same id, so that the tables
 * agree without being joined. `kind` is the digit of the variant: 8 for an event, 9 for its
 * delivery by type, a for an attempt.
 */
export const LOAD_ID = `CREATE OR REPLACE FUNCTION pg_temp.load_id(ms bigint, i bigint, kind text, attempt int)
  RETURNS uuid LANGUAGE sql IMMUTABLE
  RETURN (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(attempt * 256 + i % 256), 3, '0')
    || kind
    || substr(md5(i::text || attempt::text), 1, 15))::uuid`

const EVENT_ID = `pg_temp.load_id(ms, i, '8', 0)`
const IS_DIRECT = 'i % 5 <> 0'
const DELIVERY_ID = `CASE WHEN ${IS_DIRECT} THEN ${EVENT_ID}
  ELSE pg_temp.load_id(ms, i, '9', 0) END`
const ENDPOINT_ID = `CASE WHEN ${IS_DIRECT} THEN NULL
  ELSE ($5::uuid[])[1 + (i / 5) % cardinality($5::uuid[])] END`
const EVENT_TYPE = `CASE WHEN ${IS_DIRECT} THEN NULL
  ELSE ($8::text[])[1 + (i / 5) % cardinality($8::text[])] END`
const IS_DEAD = 'i % 200 = 7'
/** At most 15, so that an attempt's number is one digit of its id. */
const ATTEMPTS = `($9::int + CASE WHEN ${IS_DEAD} THEN 5 WHEN i % 33 = 1 THEN 2 ELSE 1 END)`
const ENDED_AT = `to_timestamp(ms / 1000.0) + (${ATTEMPTS} - 0.9) * interval '2 seconds'`
const URL = `'https://example.com/hooks/' || i % 20`

/**
 * $1 tenant, $2 project, $3 the day's first millisecond, $4 milliseconds between two events, $5
 * endpoints, $6 and $7: from, to, $8 event types, $9 attempts that failed before.
 */
const SOURCE = `(
  SELECT i, ($3::float8 + i * $4::float8)::bigint AS ms
  FROM generate_series($6::bigint, $7::bigint) i
) source`

const STATEMENTS = [
  `INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination, event_type, payload,
     priority, trace_id, fanned_out_at, open_count, dead_count, attempts, delivered_at, ended_at, dead_reason)
   SELECT $1, ${EVENT_ID}, $2, md5(ms::text || i::text), CASE WHEN ${IS_DIRECT} THEN ${URL} END,
     ${EVENT_TYPE},
     '{"orderId":"o_' || i || '","amount":' || i % 10000
       || ',"note":"' || repeat(md5(i::text), 12) || '"}', 5,
     md5(i::text), to_timestamp(ms / 1000.0), 0, CASE WHEN ${IS_DEAD} THEN 1 ELSE 0 END, ${ATTEMPTS},
     CASE WHEN ${IS_DEAD} THEN NULL ELSE ${ENDED_AT} END, ${ENDED_AT},
     CASE WHEN ${IS_DEAD} THEN 'attempts_exhausted' END
   FROM ${SOURCE} WHERE $5::uuid[] IS NOT NULL`,
  `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority, state,
     state_before, tries, tries_before, ended_at, dead_reason)
   SELECT $1, ${DELIVERY_ID}, ${EVENT_ID}, ${ENDPOINT_ID},
     coalesce(${ENDPOINT_ID}, md5((i % 20)::text)::uuid), i, 5,
     CASE WHEN ${IS_DEAD} THEN 4 ELSE 3 END, 0, ${ATTEMPTS}, ${ATTEMPTS} - 1, ${ENDED_AT},
     CASE WHEN ${IS_DEAD} THEN 'attempts_exhausted' END
   FROM ${SOURCE} WHERE $2::uuid IS NOT NULL AND $8::text[] IS NOT NULL`,
  `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, endpoint_id,
     endpoint_version, event_type, url, attempt_number, status_code, error, duration_ms, overhead_us, response_body, response_headers)
   SELECT $1, pg_temp.load_id(ms + (attempt - 1) * 2000, i, 'a', attempt), $2,
     ${EVENT_ID}, ${DELIVERY_ID}, ${ENDPOINT_ID},
     CASE WHEN ${IS_DIRECT} THEN NULL ELSE 1 END, ${EVENT_TYPE}, ${URL}, attempt,
     CASE WHEN attempt < ${ATTEMPTS} OR ${IS_DEAD} THEN 503 ELSE 200 END,
     CASE WHEN attempt < ${ATTEMPTS} OR ${IS_DEAD} THEN 'http: 503' ELSE '' END, 20 + i % 100, 900, 'ok',
     '{"content-length":"2","date":"Sat, 01 Jan 2026 00:00:00 GMT"}'
   FROM ${SOURCE} CROSS JOIN LATERAL generate_series(1, ${ATTEMPTS}) attempt`,
  `INSERT INTO idempotency_keys (tenant_id, key, event_id)
   SELECT $1, md5(ms::text || i::text) AS key, ${EVENT_ID} FROM ${SOURCE}
   WHERE $2::uuid IS NOT NULL AND $5::uuid[] IS NOT NULL AND $8::text[] IS NOT NULL
     AND $9::int IS NOT NULL
   ORDER BY key`,
]

const TABLES = `SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`

export async function fillFinished(
  database: Pool,
  plan: FillPlan,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now()
  await insertFinished(database, plan)
  await settleTables(database)
  say(
    `filled with ${plan.events} events in ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  )
}

/** The rows alone, for a database that others use too. */
export async function insertFinished(database: Pool, plan: FillPlan): Promise<void> {
  const until = plan.until ?? Math.floor(Date.now() / DAY_MS) * DAY_MS
  const client = { query: async (sql: string) => await database.query(sql) }
  for (let day = 0; day <= plan.days; day += 1)
    await ensurePartitions(client, new Date(until - day * DAY_MS))
  const perDay = Math.floor(plan.events / plan.days)
  // Two connections fill one table each at a time, because there are at least two processors.
  await Promise.all([fill([0, 3]), fill([1, 2])])

  async function fill(which: readonly number[]): Promise<void> {
    await withoutTimeout(database, async (connection) => {
      await connection.query(LOAD_ID)
      const { rows } = await connection.query<{ tenant: string; project: string }>(
        `SELECT tenant_id AS tenant, id AS project FROM projects
         WHERE is_default AND tenant_id = coalesce($1, tenant_id) LIMIT 1`,
        [plan.tenantId ?? null],
      )
      const [of] = rows
      const types = plan.eventTypes ?? ['order.paid']
      for (let day = plan.days; day >= 1; day -= 1) {
        const at = until - day * DAY_MS
        for (let from = 0; from < perDay; from += CHUNK) {
          const to = Math.min(from + CHUNK, perDay) - 1
          const span = [at, DAY_MS / perDay, plan.endpointIds, from, to]
          const given = [of?.tenant, of?.project, ...span, types, plan.attemptsBefore ?? 0]
          for (const one of which) await connection.query(STATEMENTS[one] ?? '', given)
        }
      }
    })
  }
}

/**
 * Vacuums as autovacuum would have within days; otherwise it would run while rows are measured. It
 * goes table by table, so that none of the statements is long.
 */
export async function settleTables(database: Pool): Promise<void> {
  const { rows } = await database.query<{ name: string }>(TABLES)
  for (const sql of [...rows.map(({ name }) => `VACUUM (ANALYZE) ${name}`), 'CHECKPOINT'])
    await withoutTimeout(database, async (connection) => await connection.query(sql))
}

/** The pool's timeout is for statements of the product; these may take minutes. */
export async function withoutTimeout(
  database: Pool,
  work: (connection: Pick<Pool, 'query'>) => Promise<unknown>,
): Promise<void> {
  const connection = await database.connect()
  try {
    await connection.query('SET statement_timeout = 0')
    await work(connection)
  } finally {
    connection.release(true)
  }
}
