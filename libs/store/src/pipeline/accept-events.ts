/**
 * Accepting: many events in one statement, each with its idempotency key, its row in `due`, and,
 * when it is direct, its delivery. What the statement returns is durable; only then is an event
 * answered 201.
 */
import type { EventSource } from '@posthorn/domain/event-source'
import type { Pool } from '../pool.ts'
import { withRetries, storable } from '../repeat.ts'
import { codeNowSql, timesSql, writeOutboxSql } from '../rollups/entries.ts'
import type { TransactionClient } from '../transaction.ts'
import { byKey } from './sql/by-key.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { KIND, LEASE } from './sql/lease.ts'

export interface NewEvent {
  tenantId: string
  id: string
  projectId: string
  source: EventSource
  idempotencyKey: string
  /** Exactly one of `destination` and `eventType` is set; `targetId` goes with `destination`. */
  destination: string | null
  targetId: string | null
  eventType: string | null
  /** JSON text as sent. */
  payload: string
  /** JSON text. */
  headers: string | null
  maxAttempts: number | null
  priority: number
  traceId: string
  /** W3C's, as `parseTraceparent` answers it; without it the event came with none. */
  traceparent?: string | null | undefined
  delaySeconds: number
  /** For an event by type: it goes to these endpoints alone, whatever they subscribe to. */
  endpointIds?: readonly string[] | undefined
}

export type AcceptOutcome =
  | { outcome: 'accepted'; seq: number; token: number }
  | { outcome: 'duplicate'; eventId: string }

type AllAccepted =
  | { outcome: 'accepted'; events: AcceptOutcome[] }
  | { outcome: 'duplicates'; keys: string[] }

/**
 * Answers one outcome per event, in their order. When two calls at once have events with the same
 * key, exactly one of these is accepted; within one call it is the first.
 */
export async function acceptEvents(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<AcceptOutcome[]> {
  return await withRetries(() => acceptOnce(client, events))
}

/** For use within a transaction, where an error has aborted all of it. */
export async function acceptOnce(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<AcceptOutcome[]> {
  const { rows } = await client.query<{ id: string; seq: number; token: number }>({
    name: 'accept-events',
    text: ACCEPT,
    values: [JSON.stringify(events.map(toRow))],
  })
  const accepted = new Map(rows.map((row) => [row.id, row]))
  const duplicates = events.filter((event) => !accepted.has(event.id))
  const first =
    duplicates.length === 0 ? new Map<string, string>() : await firstEvents(client, duplicates)
  return events.map((event) => {
    const row = accepted.get(event.id)
    if (row !== undefined) return { outcome: 'accepted', seq: row.seq, token: row.token }
    const eventId = first.get(keyOf(event.tenantId, storable(event.idempotencyKey)))
    // '': its key has just gone with its event.
    return { outcome: 'duplicate', eventId: eventId ?? '' }
  })
}

/**
 * A transaction of its own that is rolled back when any of the keys is taken: all events or none.
 */
export async function acceptAllEvents(
  pool: Pool,
  events: readonly NewEvent[],
): Promise<AllAccepted> {
  // The whole transaction is repeated: an error within has aborted it.
  return await withRetries(() => acceptInTransaction(pool, events))
}

async function acceptInTransaction(pool: Pool, events: readonly NewEvent[]): Promise<AllAccepted> {
  const client = await pool.connect()
  let broken: unknown
  try {
    await client.query('BEGIN')
    const outcomes: AcceptOutcome[] = []
    for (const some of bySize(events)) outcomes.push(...(await acceptOnce(client, some)))
    const keys = events
      .filter((_, index) => outcomes[index]?.outcome === 'duplicate')
      .map((event) => event.idempotencyKey)
    await client.query(keys.length > 0 ? 'ROLLBACK' : 'COMMIT')
    return keys.length > 0
      ? { outcome: 'duplicates', keys }
      : { outcome: 'accepted', events: outcomes }
  } catch (error) {
    broken = error
    throw error
  } finally {
    // After an error the connection is closed: its transaction is aborted or its state unknown.
    client.release(broken !== undefined)
  }
}

/** In characters of payloads: the values of one statement are put together in some 5 ms. */
const MAX_STATEMENT_SIZE = 512 * 1024

function* bySize(events: readonly NewEvent[]): Generator<NewEvent[]> {
  let some: NewEvent[] = []
  let size = 0
  for (const event of events) {
    if (some.length > 0 && size + event.payload.length > MAX_STATEMENT_SIZE) {
      yield some
      some = []
      size = 0
    }
    some.push(event)
    size += event.payload.length
  }
  if (some.length > 0) yield some
}

async function firstEvents(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ tenant_id: string; key: string; event_id: string }>({
    name: 'first-events',
    text: `SELECT k.tenant_id, k.key, k.event_id FROM idempotency_keys k
      JOIN unnest($1::uuid[], $2::text[]) AS i (tenant_id, key)
        ON ${byKey('k', { tenant_id: 'i.tenant_id', key: 'i.key' })}
      WHERE ${selectivityHint('i.key')}`,
    values: [
      events.map((event) => event.tenantId),
      events.map((event) => storable(event.idempotencyKey)),
    ],
  })
  return new Map(rows.map((row) => [keyOf(row.tenant_id, row.key), row.event_id]))
}

function keyOf(tenantId: string, key: string): string {
  return `${tenantId} ${key}`
}

function toRow(event: NewEvent, n: number): object {
  return {
    n,
    t: event.tenantId,
    id: event.id,
    p: event.projectId,
    o: event.source,
    k: storable(event.idempotencyKey),
    d: event.destination === null ? null : storable(event.destination),
    g: event.targetId,
    y: event.eventType === null ? null : storable(event.eventType),
    b: storable(event.payload),
    h: event.headers === null ? null : storable(event.headers),
    m: event.maxAttempts,
    r: event.priority,
    c: storable(event.traceId),
    s: event.delaySeconds,
    ...(event.endpointIds === undefined ? {} : { e: event.endpointIds }),
    ...(typeof event.traceparent === 'string' && { w: event.traceparent }),
  }
}

const OUTBOX = writeOutboxSql(
  'outbox',
  `SELECT tenant_id, NULL::uuid AS endpoint_id, project_id,
      ${timesSql(codeNowSql('accepted'), 'count(*)')} AS code
    FROM accepted GROUP BY tenant_id, project_id`,
)

// Keys are inserted in their own order, so that two statements with the same keys can't deadlock;
// events are inserted in the order of arrival, which becomes the order of `seq`. Names are short,
// because they are repeated in the JSON of every row.
const ACCEPT = `WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS i (n int, t uuid, id uuid, p uuid, o text, k text,
    d text, g uuid, y text, b text, h text, m smallint, r smallint, c text, s int, e uuid[],
    w text)
), fresh AS (
  INSERT INTO idempotency_keys (tenant_id, key, event_id) SELECT t, k, id FROM input
    ORDER BY t, k, n
  ON CONFLICT (tenant_id, key) DO NOTHING RETURNING event_id
), accepted AS (
  INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination, event_type, payload,
    headers,
    max_attempts, priority, trace_id, deliver_at, fanned_out_at, open_count, endpoint_ids, source,
    traceparent)
  SELECT t, id, p, k, d, y, b, h, m, r, c, CASE WHEN s > 0 THEN now() + s * interval '1 second' END,
    CASE WHEN d IS NOT NULL THEN now() END, CASE WHEN d IS NOT NULL THEN 1 ELSE 0 END, e, o, w
  FROM input JOIN fresh ON fresh.event_id = input.id ORDER BY n
  RETURNING tenant_id, id, project_id, seq
), ${OUTBOX}, direct AS (
  INSERT INTO deliveries (tenant_id, id, event_id, target_id, seq, priority)
  SELECT t, id, id, g, seq, r FROM accepted JOIN input USING (id) WHERE d IS NOT NULL
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id, seq)
  SELECT t, id, CASE WHEN d IS NULL THEN ${KIND.event} ELSE ${KIND.delivery} END,
    now() + CASE WHEN s > 0 THEN s * interval '1 second' ELSE ${LEASE} END, s = 0, g,
    CASE WHEN d IS NULL THEN seq END
  FROM accepted JOIN input USING (id) RETURNING id, due_at
)
SELECT accepted.id, seq::float8, micros(due_at) AS token FROM accepted JOIN waits USING (id)`
