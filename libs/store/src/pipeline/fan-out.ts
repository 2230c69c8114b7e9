/**
 * Fanning out: the deliveries of many events by type in one statement. It makes them only for
 * events that the statement itself marked as fanned out, so that a repeated message makes nothing
 * twice.
 */
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { codeNowSql, writeOutboxSql } from '../rollups/entries.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { dueBy } from './sql/by-key.ts'
import { type PartitionBounds, boundsOf } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { KIND, LEASE } from './sql/lease.ts'
import { appendToLanes } from './sql/lanes.ts'
import { IS_POLLED, VISIBLE_PRIORITY } from './sql/poll-mode.ts'

/** An event by type as fan-out needs it. */
export interface WaitingEvent {
  tenantId: string
  id: string
  projectId: string
  eventType: string
  /** These endpoints get it, whatever they subscribe to; null: those that subscribe to its type. */
  endpointIds: string[] | null
  payload: string
  headers: string | null
  maxAttempts: number | null
  priority: number
  seq: number
  traceId: string
  traceparent: string | null
  /**
   * The tenant's, read in the same statement: subscriptions cached under an older one are out of
   * date.
   */
  configVersion: number
}

const WAITING_COLUMNS = `e.tenant_id AS "tenantId", e.id, e.project_id AS "projectId",
  e.event_type AS "eventType", e.endpoint_ids AS "endpointIds", e.payload, e.headers,
  e.max_attempts AS "maxAttempts", e.priority, e.seq::float8 AS seq, e.trace_id AS "traceId",
  e.traceparent,
  t.config_version::float8 AS "configVersion"`

/**
 * Those of the events that still wait to be fanned out, with their tenants' configuration versions.
 *
 * The tenant is looked up from the event, never the other way round. As a plain join the planner
 * began with the tenants once there were 10,000 of them, and then read all of a tenant's events of
 * the day for each event of the batch: 4 s for 200 events of 15,000.
 */
export async function readWaitingEvents(
  client: TransactionClient,
  events: readonly { tenantId: string; eventId: string }[],
): Promise<WaitingEvent[]> {
  if (events.length === 0) return []
  const bounds = boundsOf(events.map((event) => event.eventId))
  const { rows } = await client.query<WaitingEvent>({
    name: `read-waiting-events ${bounds.name}`,
    text: `SELECT ${WAITING_COLUMNS}
      FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      JOIN events e ON e.tenant_id = i.tenant_id AND e.id = i.id
        AND ${selectivityHint('i.id')} AND ${bounds.within('e.id')}
      CROSS JOIN LATERAL (
        SELECT config_version FROM tenants WHERE id = e.tenant_id OFFSET 0
      ) t
      WHERE e.fanned_out_at IS NULL ORDER BY e.seq`,
    values: [events.map((event) => event.tenantId), events.map((event) => event.eventId)],
  })
  return rows
}

export interface FannedOut {
  tenantId: string
  eventId: string
  /** A `lane` only within `fanOutInOrder`. */
  deliveries: { deliveryId: string; endpointId: string; lane?: string | null | undefined }[]
  /** Connectors that the event is told to, besides; alerting does so. */
  connectors?: readonly ToldConnector[] | undefined
}

export interface ToldConnector {
  notificationId: string
  connectorId: string
}

/**
 * @returns the token of each delivery that was made, null for one that is fetched by polls; a
 * missing delivery waits behind its lane's head, or its event had been fanned out before
 */
export async function fanOut(
  pool: Pool,
  events: readonly FannedOut[],
): Promise<Map<string, number | null>> {
  return await withRetries(() => fanOutOnce(pool, events))
}

/** For use within a transaction, where an error has aborted all of it. */
export async function fanOutOnce(
  client: TransactionClient,
  events: readonly FannedOut[],
): Promise<Map<string, number | null>> {
  const sorted = [...events].sort((a, b) => (a.eventId < b.eventId ? -1 : 1))
  const deliveries = sorted.flatMap((event) =>
    event.deliveries.map((made) => ({
      t: event.tenantId,
      e: event.eventId,
      d: made.deliveryId,
      g: made.endpointId,
      // Left out where there is no lane: the statement without lanes knows no such column.
      ...(typeof made.lane === 'string' ? { l: made.lane } : {}),
    })),
  )
  const counts = sorted.map((event) => ({
    t: event.tenantId,
    e: event.eventId,
    n: event.deliveries.length,
  }))
  if (counts.length === 0) return new Map()
  const hasLanes = deliveries.some((one) => 'l' in one)
  const bounds = boundsOf(sorted.map((event) => event.eventId))
  const toldTo = toldRows(sorted)
  const tells = toldTo.length > 0
  const name = `${hasLanes ? 'fan-out-in-lanes' : 'fan-out'}${tells ? '-telling' : ''}`
  const values = [JSON.stringify(counts), JSON.stringify(deliveries)]
  const { rows } = await client.query<{ id: string; token: number | null }>({
    name: `${name} ${bounds.name}`,
    text: hasLanes ? inLanesText(bounds, tells) : fanOutText(bounds, tells),
    values: tells ? [...values, JSON.stringify(toldTo)] : values,
  })
  return new Map(rows.map((row) => [row.id, row.token]))
}

function toldRows(events: readonly FannedOut[]): object[] {
  return events.flatMap(({ tenantId, eventId, connectors = [] }) =>
    connectors.map(({ notificationId, connectorId }) => ({
      t: tenantId,
      e: eventId,
      i: notificationId,
      c: connectorId,
    })),
  )
}

/**
 * The oldest of some tenants' events that wait to be fanned out, by tenant and in the order of
 * acceptance.
 */
export async function readOldestWaiting(
  client: TransactionClient,
  tenants: readonly { tenantId: string; limit: number }[],
): Promise<{ tenantId: string; eventId: string }[]> {
  if (tenants.length === 0) return []
  const { rows } = await client.query<{ tenantId: string; eventId: string }>({
    name: 'oldest-of-tenants',
    text: OLDEST_OF_TENANTS,
    values: [tenants.map(({ tenantId }) => tenantId), tenants.map(({ limit }) => limit)],
  })
  return rows
}

/**
 * Fans out the oldest of a tenant's events in the order of acceptance, for a tenant with lanes.
 * Their deliveries are planned before, so that the tenant is not locked while filters run; nobody
 * else fans out any of them while it is. The first event that is not planned ends it: one that came
 * in between, or that another process has planned. An event with a delay is among those that wait
 * once the sweep has announced it.
 *
 * What was planned under a configuration that has changed since is written all the same, because
 * the event was there before the change.
 *
 * @param planned the tenant's oldest events, as far as was known
 * @returns those that were fanned out, with tokens as `fanOut`
 */
export async function fanOutInOrder(
  pool: Pool,
  tenantId: string,
  planned: readonly FannedOut[],
): Promise<{ written: FannedOut[]; tokens: Map<string, number | null> }> {
  const byId = new Map(planned.map((one) => [one.eventId, one]))
  const done = await inTransaction(pool, async (client) => {
    // NO KEY: other rows may go on referring to the tenant. The next statement sees what this one
    // waited for.
    await client.query({
      name: 'lock-tenant',
      text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
      values: [tenantId],
    })
    const { rows } = await client.query<{ eventId: string }>({
      name: 'oldest-waiting-events',
      text: OLDEST,
      values: [tenantId, planned.length],
    })
    const oldest = rows.map(({ eventId }) => byId.get(eventId))
    const known = oldest.indexOf(undefined)
    const written = (known === -1 ? oldest : oldest.slice(0, known)) as FannedOut[]
    return written.length === 0 ? null : { written, tokens: await fanOutOnce(client, written) }
  })
  return done ?? { written: [], tokens: new Map() }
}

// Only their ids are read, for only then are their days known: the events themselves are read by a
// statement of their own.
const OLDEST = `SELECT id AS "eventId" FROM due
  WHERE tenant_id = $1 AND kind = ${KIND.event} AND leased ORDER BY seq LIMIT $2`

const OLDEST_OF_TENANTS = `SELECT i.tenant_id AS "tenantId", o.id AS "eventId"
  FROM unnest($1::uuid[], $2::int[]) AS i (tenant_id, n)
  CROSS JOIN LATERAL (
    SELECT id, seq FROM due WHERE due.tenant_id = i.tenant_id AND kind = ${KIND.event} AND leased
    ORDER BY seq LIMIT i.n
  ) o
  WHERE ${selectivityHint('i.tenant_id')} ORDER BY o.seq`

const marked = (bounds: PartitionBounds): string => `counts AS (
  SELECT * FROM json_to_recordset($1::json) AS i (t uuid, e uuid, n int)
    WHERE ${selectivityHint('i.e')}
), marked AS (
  UPDATE events e SET fanned_out_at = now(), open_count = c.n,
    ended_at = CASE WHEN c.n = 0 THEN now() END, delivered_at = CASE WHEN c.n = 0 THEN now() END
  FROM counts c
  WHERE e.tenant_id = c.t AND e.id = c.e AND e.fanned_out_at IS NULL AND ${bounds.within('e.id')}
  RETURNING e.tenant_id, e.id, e.seq, e.priority, e.project_id, c.n
), gone AS (
  DELETE FROM due USING marked m WHERE ${dueBy('m')}
)`

/** The deliveries that were made; an event without any is delivered to nobody. */
const OUTBOX = writeOutboxSql(
  'outbox',
  `SELECT tenant_id, endpoint_id, NULL::uuid AS project_id, ${codeNowSql('made')} AS code FROM made
    UNION ALL
    SELECT tenant_id, NULL, project_id, ${codeNowSql('acknowledged')} FROM marked WHERE n = 0`,
)

const PLACED = `${OUTBOX}, made_visible AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
  SELECT tenant_id, target_id, ${VISIBLE_PRIORITY}, seq, id, event_id FROM placed WHERE polled
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, id, ${KIND.delivery}, now() + ${LEASE}, true, target_id
  FROM placed WHERE NOT polled
  RETURNING id, due_at
)
SELECT p.id, micros(w.due_at) AS token FROM placed p LEFT JOIN waits w ON w.id = p.id`

// Only statements for tenants whose connectors subscribe to the events have it.
const TOLD = `, told AS (
  INSERT INTO alert_notifications (tenant_id, id, target, connector_id, event_id)
  SELECT i.t, i.i, i.c, i.c, i.e
  FROM json_to_recordset($3::json) AS i (t uuid, e uuid, i uuid, c uuid)
  JOIN marked m ON m.tenant_id = i.t AND m.id = i.e
)`
const told = (tells: boolean): string => (tells ? TOLD : '')

const fanOutText = (
  bounds: PartitionBounds,
  tells: boolean,
): string => `WITH ${marked(bounds)}${told(tells)}, made AS (
  INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
  SELECT i.t, i.d, i.e, i.g, i.g, m.seq, m.priority
  FROM json_to_recordset($2::json) AS i (t uuid, e uuid, d uuid, g uuid)
  JOIN marked m ON m.tenant_id = i.t AND m.id = i.e
  RETURNING tenant_id, id, target_id, endpoint_id, event_id, seq
), placed AS MATERIALIZED (
  SELECT m.*, ${IS_POLLED} AS polled FROM made m
), ${PLACED}`

// The first delivery in a lane that was empty becomes its head: the row that comes back says so,
// for it was locked and read at once.
const inLanesText = (
  bounds: PartitionBounds,
  tells: boolean,
): string => `WITH ${marked(bounds)}${told(tells)}, made AS (
  INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority, lane)
  SELECT i.t, i.d, i.e, i.g, i.g, m.seq, m.priority, i.l
  FROM json_to_recordset($2::json) AS i (t uuid, e uuid, d uuid, g uuid, l text)
  JOIN marked m ON m.tenant_id = i.t AND m.id = i.e
  RETURNING tenant_id, id, target_id, endpoint_id, event_id, seq, lane
), ${appendToLanes('made')}, placed AS MATERIALIZED (
  SELECT m.*, ${IS_POLLED} AS polled FROM made m WHERE m.id NOT IN (SELECT delivery_id FROM behind)
), ${PLACED}`
