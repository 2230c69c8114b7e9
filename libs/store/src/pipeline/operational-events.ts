/**
 * Operational events (`service.*`) tell customers about their own endpoints and events. Whoever
 * changes something writes one into `operational_events`, in the transaction of the change, so that
 * it is neither lost with a process nor kept when the change is rolled back. The retry-scheduler
 * turns these rows into events, accepted like any other by type. A row is deleted in the
 * transaction in which its event is accepted, so that each becomes an event exactly once.
 *
 * Without a subscriber in its project none is written, and none is ever written about another
 * operational event.
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
import { anyRow } from '../any-row.ts'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { acceptOnce, type NewEvent } from './accept-events.ts'
import { byKey } from './sql/by-key.ts'
import { DEAD, hasSubscriber, SUBSCRIBES } from './sql/publish-dead.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'

const WRITE = `INSERT INTO operational_events (tenant_id, project_id, event_type, fact, payload)
SELECT tenant_id, project_id, event_type, fact, payload
FROM json_to_recordset($1::json)
  AS i (tenant_id uuid, project_id uuid, event_type text, fact text, payload text)
WHERE ${hasSubscriber('i')}`

/**
 * Writes operational events within the transaction of the change that they tell of.
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

/** As `writeOperationalEvents`, also for a change that no transaction makes: a circuit's. */
export async function publishOperationalEvents(
  client: TransactionClient,
  events: readonly OperationalEvent[],
): Promise<void> {
  await writeOperationalEvents(
    (text, rows) => client.query({ name: 'write-operational-events', text, values: [rows] }),
    events,
  )
}

interface WrittenEvent {
  tenantId: string
  id: string
  projectId: string
  type: OperationalEventType
  fact: string
  payload: string
}

export interface Relayed {
  /** The caller announces them. */
  events: EventAccepted[]
  /** How many rows are gone now; equal to the limit: there may be more. */
  rows: number
  /** The last tenant that had a share; null: every tenant with any rows had one. */
  last: string | null
}

/** So many tenants have an equal share each of one round. */
const MAX_TENANTS = 100
const NO_TENANT = '00000000-0000-0000-0000-000000000000'
const ANY_EVENT = {
  name: 'any-operational-events',
  // By the key, which knows of rows that have gone.
  text: 'SELECT true FROM operational_events WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1',
  values: [NO_TENANT],
}

/**
 * Turns what was written into events. Two processes may do so at once: a row goes to one of them.
 * @param after the last tenant of the round before, so that those behind it are served as well
 */
export async function relayOperationalEvents(
  pool: Pool,
  limit: number,
  after: string | null = null,
): Promise<Relayed> {
  if (!(await anyRow(pool, ANY_EVENT))) return { events: [], rows: 0, last: null }
  const relayed = await withRetries(() =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<WrittenEvent>({
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

// The query goes from tenant to tenant by the key, so that a tenant with a million rows costs the
// others nothing.
const TAKE = `WITH RECURSIVE owners AS (
  (SELECT tenant_id, 1 AS nth FROM operational_events WHERE tenant_id > $1
    ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT n.tenant_id, w.nth + 1 FROM owners w CROSS JOIN LATERAL (
    SELECT o.tenant_id FROM operational_events o WHERE o.tenant_id > w.tenant_id
    ORDER BY o.tenant_id LIMIT 1
  ) n WHERE w.nth < ${MAX_TENANTS}
), next AS MATERIALIZED (
  SELECT n.tenant_id, n.id FROM owners w CROSS JOIN LATERAL (
    SELECT o.tenant_id, o.id FROM operational_events o WHERE o.tenant_id = w.tenant_id
    ORDER BY o.id LIMIT greatest(1, $2::int / (SELECT count(*)::int FROM owners))
  ) n ORDER BY 1, 2
)
DELETE FROM operational_events o USING next n
WHERE ${byKey('o', { tenant_id: 'n.tenant_id', id: 'n.id' })} AND ${selectivityHint('n.id')}
RETURNING o.tenant_id AS "tenantId", o.id::text AS id, o.project_id AS "projectId",
  o.event_type AS type, o.fact, o.payload`

/**
 * Only those that the patterns of an endpoint or a connector match. The statements that write
 * operational events ask no more than whether any has a pattern for `service.`.
 */
async function withSubscriber(
  client: TransactionClient,
  written: readonly WrittenEvent[],
): Promise<WrittenEvent[]> {
  if (written.length === 0) return []
  const { rows } = await client.query<{
    tenantId: string
    projectId: string | null
    pattern: string
  }>({
    name: 'operational-patterns',
    text: `SELECT DISTINCT n.tenant_id AS "tenantId", n.project_id AS "projectId", p AS pattern
      FROM endpoints n, jsonb_array_elements_text(n.config -> 'eventTypes') p
      WHERE n.tenant_id = ANY ($1::uuid[]) AND n.deleted_at IS NULL
        AND ${SUBSCRIBES} AND starts_with(p, '${SERVICE_PREFIX}')
      UNION
      SELECT c.tenant_id, c.project_id, p FROM connectors c, unnest(c.event_types) p
      WHERE c.tenant_id = ANY ($1::uuid[]) AND starts_with(p, '${SERVICE_PREFIX}')`,
    values: [[...new Set(written.map(({ tenantId }) => tenantId))]],
  })
  // A connector without a project is the whole workspace's.
  const patterns = Map.groupBy(rows, (row) => `${row.tenantId} ${row.projectId}`)
  return written.filter(({ tenantId, projectId, type }) => {
    const found = [projectId, null].flatMap((id) => patterns.get(`${tenantId} ${id}`) ?? [])
    return wantsOperationalEvent(
      found.map(({ pattern }) => pattern),
      type,
    )
  })
}

function toEvent({ tenantId, id, projectId, type, fact, payload }: WrittenEvent): NewEvent {
  return {
    tenantId,
    id: newId(),
    projectId,
    source: 'notice',
    // After a replay an event may die again, which is another fact; all others are named by their
    // fact alone.
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
