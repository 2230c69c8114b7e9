/**
 * An event's attempts in the order in which they were made, over all its deliveries. Of an event with more than 1,000,
 * the first 1,000 are shown and `count` tells of all; the others are read one by one or in the list.
 */
import type { Handlers } from '@posthorn/http/handlers'
import { firstIdOf, notBefore } from '@posthorn/store/pipeline/days'
import type { Pool } from '@posthorn/store/pool'
import { notFound } from '../refusals.ts'
import { ATTEMPT_COLUMNS, type AttemptRow, toAttempt } from './attempt-record.ts'

/** 25 tries at each of 40 endpoints; at 20 KiB kept of each answer it is 20 MB. */
const MAX_SHOWN = 1_000

export interface ReadEventDeliveriesDeps {
  pool: Pool
}

export function createReadEventDeliveries({
  pool,
}: ReadEventDeliveriesDeps): Handlers<'portal-api'>['listEventDeliveries'] {
  return async ({ caller, params }) => {
    const { tenantId, projectId } = caller
    const eventId = params['eventId'] ?? ''
    const found = await pool.query({
      name: 'event-of-deliveries',
      text: `SELECT FROM events WHERE tenant_id = $1 AND id = $2 AND ($3::uuid IS NULL OR project_id = $3)`,
      values: [tenantId, eventId, projectId],
    })
    if (found.rowCount === 0) throw notFound('event')

    // No attempt is older than its event: earlier partitions are not read.
    const values = [tenantId, eventId, firstIdOf(eventId)]
    const { rows } = await pool.query<AttemptRow>({
      name: 'event-deliveries',
      // Materialized: with the order and the limit in sight, a planner without statistics may walk the primary key.
      text: `WITH found AS MATERIALIZED (
          SELECT ${ATTEMPT_COLUMNS} FROM attempts a WHERE a.tenant_id = $1 AND a.event_id = $2 AND ${notBefore('a.id', '$3')}
        ) SELECT * FROM found ORDER BY id LIMIT ${MAX_SHOWN}`,
      values,
    })
    const count = rows.length < MAX_SHOWN ? rows.length : await countAll(values)
    return { deliveries: rows.map(toAttempt), count }
  }

  async function countAll(values: unknown[]): Promise<number> {
    const { rows } = await pool.query<{ count: number }>({
      name: 'count-event-deliveries',
      text: `SELECT count(*)::int AS count FROM attempts a
        WHERE a.tenant_id = $1 AND a.event_id = $2 AND ${notBefore('a.id', '$3')}`,
      values,
    })
    return rows[0]?.count ?? 0
  }
}
