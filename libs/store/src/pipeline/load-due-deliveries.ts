/**
 * What a message of a due delivery is made from, read from Postgres where it did not travel along.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  EVENT_COLUMNS,
  type EventRow,
  rowToDueDelivery,
} from './sql/due-delivery.ts'
import { boundsOf } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'

interface Leased {
  tenantId: string
  id: string
  token: number
}

const { queued, delivering, waiting } = STATE_CODE

/**
 * The messages of deliveries whose leases the caller owns, in the order of acceptance; a delivery
 * that has ended has none.
 */
export async function loadDueDeliveries(
  pool: Pool,
  leased: readonly Leased[],
): Promise<DueDelivery[]> {
  if (leased.length === 0) return []
  const bounds = boundsOf(leased.map((row) => row.id))
  const { rows: open } = await pool.query<DeliveryRow>({
    name: `load-deliveries ${bounds.name}`,
    text: `SELECT ${DELIVERY_COLUMNS}, i.token
      FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) AS i (tenant_id, id, token)
      JOIN deliveries d ON d.tenant_id = i.tenant_id AND d.id = i.id
        AND ${selectivityHint('i.id')} AND ${bounds.within('d.id')}
        AND d.state IN (${queued}, ${delivering}, ${waiting})
      ORDER BY d.seq`,
    values: leaseColumns(leased),
  })
  const events = await loadEvents(pool, open)
  return open.flatMap((row) => {
    const event = events.get(row.event_id)
    return event === undefined ? [] : [rowToDueDelivery({ ...row, ...event })]
  })
}

/**
 * Events are read by a statement of their own, because their days are known only when the
 * deliveries are: a join would look into the events of all days.
 */
async function loadEvents(
  pool: Pool,
  deliveries: readonly DeliveryRow[],
): Promise<Map<string, EventRow>> {
  const tenantOf = new Map(deliveries.map((row) => [row.event_id, row.tenant_id]))
  if (tenantOf.size === 0) return new Map()
  const bounds = boundsOf([...tenantOf.keys()])
  const { rows } = await pool.query<EventRow>({
    name: `load-events ${bounds.name}`,
    text: `SELECT e.id AS event_id, ${EVENT_COLUMNS}
      FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      JOIN events e ON e.tenant_id = i.tenant_id AND e.id = i.id
        AND ${selectivityHint('i.id')} AND ${bounds.within('e.id')}`,
    values: [[...tenantOf.values()], [...tenantOf.keys()]],
  })
  return new Map(rows.map((row) => [row.event_id, row]))
}

export function leaseColumns(leased: readonly Leased[]): unknown[] {
  return [
    leased.map((row) => row.tenantId),
    leased.map((row) => row.id),
    leased.map((row) => row.token),
  ]
}

/** Payloads that were too large to travel, by event id. */
export async function loadPayloads(
  pool: Pool,
  events: readonly { tenantId: string; eventId: string }[],
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map()
  const bounds = boundsOf(events.map((event) => event.eventId))
  const { rows } = await pool.query<{ id: string; payload: string }>({
    name: `load-payloads ${bounds.name}`,
    text: `SELECT e.id, e.payload FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
      JOIN events e ON e.tenant_id = i.tenant_id AND e.id = i.id
        AND ${selectivityHint('i.id')} AND ${bounds.within('e.id')}`,
    values: [events.map((event) => event.tenantId), events.map((event) => event.eventId)],
  })
  return new Map(rows.map((row) => [row.id, row.payload]))
}
