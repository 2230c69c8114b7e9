/**
 * Operational events (`service.*`): what customers are told about their own endpoints and events. Whoever changes something
 * writes one into `operational_events`, in the transaction of the change, so that it is neither lost with a process nor
 * told of what was rolled back. The retry-scheduler turns these rows into events, accepted like any other by type: a row
 * goes in the transaction in which its event comes, so each is told exactly once.
 *
 * Without a subscriber in its project none is written, and none is ever written about another operational event.
 */
import type { EventAccepted } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { SERVICE_PREFIX } from '@posthorn/domain/match-type'
import {
  type OperationalEvent,
  operationalEventKey,
  type OperationalEventType,
  wantsOperationalEvent,
} from '@posthorn/domain/operational-events'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { type Client, inTransaction } from '../transaction.ts'
import { acceptOnce, type NewEvent } from './accept-events.ts'
import { selectivityHint } from './selectivity-hint.ts'

const ASKS = `jsonb_path_exists(n.config, '$.eventTypes[*] ? (@ starts with "${SERVICE_PREFIX}")')`

/**
 * Whether an endpoint of the row's project asks for any operational event: what the index `endpoints_operational` knows. A
 * scalar subquery, so that it is asked row by row, by the index, and only of rows that pass the other conditions.
 */
function hasSubscriber(row: string): string {
  return `coalesce((SELECT true FROM endpoints n WHERE n.tenant_id = ${row}.tenant_id AND n.project_id = ${row}.project_id
    AND n.deleted_at IS NULL AND ${ASKS} LIMIT 1), false)`
}

const DEAD: OperationalEventType = 'service.event.dead'

/**
 * A CTE that tells of events which have just ended dead. `ended` names the CTE of the UPDATE that ended them; it returns
 * `is_dead` and the columns of `DEAD_COLUMNS`. Every statement that can end an event goes through here: `countMoved` does.
 */
export function publishDead(ended: string): string {
  return `told AS (
  INSERT INTO operational_events (tenant_id, project_id, event_type, fact, payload)
  SELECT x.tenant_id, x.project_id, '${DEAD}', x.id, (SELECT row_to_json(f)::text FROM (
    SELECT x.id AS "eventId", x.project_id AS "projectId", x.event_type AS "eventType", x.destination, x.attempts,
      x.dead_reason AS reason, to_char(x.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at) f)
  FROM ${ended} x
  WHERE x.is_dead AND (x.event_type IS NULL OR NOT starts_with(x.event_type, '${SERVICE_PREFIX}')) AND ${hasSubscriber('x')}
)`
}

/** For the RETURNING of an UPDATE of `events e`. */
export const DEAD_COLUMNS = `e.tenant_id, e.project_id, e.id, e.event_type, e.destination, e.attempts, e.dead_reason, e.ended_at`

const WRITE = `INSERT INTO operational_events (tenant_id, project_id, event_type, fact, payload)
SELECT tenant_id, project_id, event_type, fact, payload
FROM json_to_recordset($1::json) AS i (tenant_id uuid, project_id uuid, event_type text, fact text, payload text)
WHERE ${hasSubscriber('i')}`

/**
 * For the transaction of what they tell of.
 * @param run sends one statement with its one parameter
 */
export async function writeOperationalEvents(
  run: (text: string, rows: string) => Promise<unknown>,
  events: readonly OperationalEvent[],
): Promise<void> {
  const rows = events.map(({ tenantId, projectId, type, fact, data }) => ({
    tenant_id: tenantId,
    project_id: projectId,
    event_type: type,
    fact,
    payload: JSON.stringify(data),
  }))
  if (rows.length > 0) await run(WRITE, JSON.stringify(rows))
}

/** Of a change that no transaction makes: a circuit's. */
export async function publishOperationalEvents(
  client: Client,
  events: readonly OperationalEvent[],
): Promise<void> {
  await writeOperationalEvents(
    (text, rows) => client.query({ name: 'write-operational-events', text, values: [rows] }),
    events,
  )
}

interface Written {
  tenantId: string
  id: string
  projectId: string
  type: OperationalEventType
  fact: string
  payload: string
}

export interface Relayed {
  /** To be announced. */
  events: EventAccepted[]
  /** Rows that are gone now; equal to the limit: there may be more. */
  rows: number
  /** The last tenant that had a share; null: all who have any had one. */
  last: string | null
}

/** Of so many tenants in one round, each of which has an equal share of it. */
const MAX_TENANTS = 100
const NO_TENANT = '00000000-0000-0000-0000-000000000000'

/**
 * Turns what was written into events. It may run twice at once: a row goes to one of both.
 * @param after the last tenant of the round before, so that those behind it have their turn
 */
export async function relayOperationalEvents(
  pool: Pool,
  limit: number,
  after: string | null = null,
): Promise<Relayed> {
  const { rowCount } = await pool.query('SELECT FROM operational_events LIMIT 1')
  if (rowCount === 0) return { events: [], rows: 0, last: null }
  const relayed = await withRetries(() =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<Written>({
        name: 'take-operational-events',
        text: TAKE,
        values: [after ?? NO_TENANT, limit],
      })
      const events = (await withSubscriber(client, rows)).map(toEvent)
      const accepted = events.length === 0 ? [] : await acceptOnce(client, events)
      const tenants = new Set(rows.map(({ tenantId }) => tenantId))
      return {
        events: events
          .filter((_, index) => accepted[index]?.outcome === 'accepted')
          .map(({ tenantId, id }) => ({ v: 1 as const, tenantId, eventId: id })),
        rows: rows.length,
        last: tenants.size < MAX_TENANTS ? null : ([...tenants].sort().at(-1) ?? null),
      }
    }),
  )
  return relayed ?? { events: [], rows: 0, last: null }
}

// From tenant to tenant by the key, so that one with a million rows costs the others nothing.
const TAKE = `WITH RECURSIVE owners AS (
  (SELECT tenant_id, 1 AS nth FROM operational_events WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT n.tenant_id, w.nth + 1 FROM owners w CROSS JOIN LATERAL (
    SELECT o.tenant_id FROM operational_events o WHERE o.tenant_id > w.tenant_id ORDER BY o.tenant_id LIMIT 1
  ) n WHERE w.nth < ${MAX_TENANTS}
), next AS MATERIALIZED (
  SELECT n.tenant_id, n.id FROM owners w CROSS JOIN LATERAL (
    SELECT o.tenant_id, o.id FROM operational_events o WHERE o.tenant_id = w.tenant_id
    ORDER BY o.id LIMIT greatest(1, $2::int / (SELECT count(*)::int FROM owners))
  ) n ORDER BY 1, 2
)
DELETE FROM operational_events o USING next n WHERE o.tenant_id = n.tenant_id AND o.id = n.id AND ${selectivityHint('n.id')}
RETURNING o.tenant_id AS "tenantId", o.id::text AS id, o.project_id AS "projectId", o.event_type AS type, o.fact, o.payload`

/** Only those that an endpoint's patterns match: what was written asks only whether there are any for `service.`. */
async function withSubscriber(client: Client, written: readonly Written[]): Promise<Written[]> {
  if (written.length === 0) return []
  const { rows } = await client.query<{ project: string; pattern: string }>({
    name: 'operational-patterns',
    text: `SELECT DISTINCT n.tenant_id || ' ' || n.project_id AS project, p AS pattern
      FROM endpoints n, jsonb_array_elements_text(n.config -> 'eventTypes') p
      WHERE n.tenant_id = ANY ($1::uuid[]) AND n.deleted_at IS NULL AND ${ASKS} AND starts_with(p, '${SERVICE_PREFIX}')`,
    values: [[...new Set(written.map(({ tenantId }) => tenantId))]],
  })
  const patterns = Map.groupBy(rows, ({ project }) => project)
  return written.filter(({ tenantId, projectId, type }) => {
    const ofProject = patterns.get(`${tenantId} ${projectId}`) ?? []
    return wantsOperationalEvent(
      ofProject.map(({ pattern }) => pattern),
      type,
    )
  })
}

function toEvent({ tenantId, id, projectId, type, fact, payload }: Written): NewEvent {
  return {
    tenantId,
    id: newId(),
    projectId,
    // After a replay an event may die again, which is another fact; the others are named by theirs alone.
    idempotencyKey: operationalEventKey({ type, fact: type === DEAD ? `${fact}:${id}` : fact }),
    destination: null,
    targetId: null,
    eventType: type,
    payload,
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: newId(),
    delaySeconds: 0,
  }
}
