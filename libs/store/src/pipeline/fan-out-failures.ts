/**
 * Events by type that can't be fanned out because of their own data. Each round in which one fails
 * is counted in its row of `due`, which outlives the process and goes with the event. The last
 * round puts the event aside: it ends dead without any delivery, so that it blocks nothing behind
 * it. A replay sends it through fan-out anew.
 */
import type { Pool } from '../pool.ts'
import { withRetries, storable } from '../repeat.ts'
import { codeNowSql, writeOutboxSql } from '../rollups/entries.ts'
import type { TransactionClient } from '../transaction.ts'
import { dueBy } from './sql/by-key.ts'
import { DAY_LOCK, dayOf, boundsOf, type PartitionBounds } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { KIND } from './sql/lease.ts'
import { DEAD_COLUMNS, publishDead } from './sql/publish-dead.ts'

export interface FanOutFailure {
  tenantId: string
  eventId: string
  /** For the tenant: what is wrong with the event. */
  reason: string
}

/**
 * Two failures may have a passing cause; more rounds only block what is behind the event for
 * longer.
 */
export const MAX_FAN_OUT_ROUNDS = 3
/** The pause between two rounds: meanwhile all other events of a tenant with lanes wait. */
const NEXT_ROUND = `interval '1 second'`
const MAX_REASON_CHARACTERS = 200

/**
 * Whether Postgres refuses the event's own data: data exceptions, constraints and exceeded limits.
 * A missing partition (23514), a store that is down or full, a timeout, or a schema of another
 * version are our own faults, and pass.
 */
export function isEventsOwnFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(22|23|54)/.test(code) && code !== '23514'
}

/** @returns those that have been put aside: dead, with their reason */
export async function countFanOutFailures(
  pool: Pool,
  failures: readonly FanOutFailure[],
): Promise<Set<string>> {
  if (failures.length === 0) return new Set()
  const { rows } = await withRetries(() =>
    pool.query<{ id: string; rounds: number }>({
      name: 'count-fan-out-failures',
      text: COUNT,
      values: [failures.map(({ tenantId }) => tenantId), failures.map(({ eventId }) => eventId)],
    }),
  )
  const spent = new Set(
    rows.filter(({ rounds }) => rounds >= MAX_FAN_OUT_ROUNDS).map(({ id }) => id),
  )
  const last = failures.filter(({ eventId }) => spent.has(eventId))
  return last.length === 0 ? new Set() : await withRetries(() => putAside(pool, last))
}

/**
 * To be called within a transaction or alone.
 * @returns the ids of those that were not fanned out before
 */
export async function putAside(
  client: TransactionClient,
  failures: readonly FanOutFailure[],
): Promise<Set<string>> {
  const bounds = boundsOf(failures.map(({ eventId }) => eventId))
  const { rows } = await client.query<{ id: string }>({
    name: `put-events-aside ${bounds.name}`,
    text: putAsideText(bounds),
    values: [
      failures.map(({ tenantId }) => tenantId),
      failures.map(({ eventId }) => eventId),
      failures.map(({ reason }) => storable(reason).slice(0, MAX_REASON_CHARACTERS).toWellFormed()),
    ],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Makes those of the events that were put aside wait for fan-out again: they are due now, for the
 * sweep to announce. To be called within a transaction or alone.
 * @returns the ids of those that were put aside
 */
export async function fanOutAgain(
  client: TransactionClient,
  tenantId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  if (eventIds.length === 0) return []
  const bounds = boundsOf(eventIds)
  const { rows } = await client.query<{ id: string }>({
    name: `fan-out-again ${bounds.name}`,
    text: againText(bounds),
    values: [tenantId, eventIds],
  })
  return rows.map(({ id }) => id)
}

const COUNT = `UPDATE due SET failures = coalesce(failures, 0) + 1, due_at = least(due_at,
  now() + ${NEXT_ROUND})
  FROM (
    SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS i (tenant_id, id)
    WHERE ${selectivityHint('i.id')} ORDER BY id
  ) i
  WHERE ${dueBy('i')} AND due.kind = ${KIND.event}
  RETURNING due.id, due.failures AS rounds`

const ASIDE = `SELECT tenant_id, NULL::uuid AS endpoint_id, project_id,
      ${codeNowSql('dead')} AS code
    FROM aside`

const putAsideText = (bounds: PartitionBounds): string => `WITH aside AS (
  UPDATE events e SET fanned_out_at = now(), ended_at = now(), dead_count = 1,
    dead_reason = i.reason
  FROM (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, id, reason)
    ORDER BY id
  ) i
  WHERE e.tenant_id = i.tenant_id AND e.id = i.id AND e.fanned_out_at IS NULL
    AND ${selectivityHint('i.id')} AND ${bounds.within('e.id')}
  RETURNING ${DEAD_COLUMNS}, true AS is_dead
), ${publishDead('aside')}, ${writeOutboxSql('outbox', ASIDE)}, gone AS (
  DELETE FROM due USING aside a WHERE ${dueBy('a')}
)
SELECT id FROM aside`

// An event that is dead, and has no delivery that could be dead, was put aside. The deliveries of
// another event may be of a day that is being taken out, and so not be seen; but only an event that
// was put aside ended in the moment in which it was fanned out. As with all replays, retention must
// not be taking out the event's own day.
const againText = (bounds: PartitionBounds): string => `WITH again AS (
  UPDATE events e SET fanned_out_at = NULL, ended_at = NULL, dead_count = 0, dead_reason = NULL
  FROM unnest($2::uuid[]) AS i (id)
  WHERE e.tenant_id = $1 AND e.id = i.id AND e.event_type IS NOT NULL
    AND e.fanned_out_at IS NOT NULL
    AND e.open_count = 0 AND e.dead_count = 1
    AND ${selectivityHint('i.id')} AND ${bounds.within('e.id')}
    AND NOT EXISTS (
      SELECT FROM deliveries d
      WHERE d.tenant_id = e.tenant_id AND d.event_id = e.id AND d.endpoint_id IS NOT NULL
    ) AND e.ended_at = e.fanned_out_at
    AND pg_try_advisory_xact_lock_shared(${DAY_LOCK}, ${dayOf('e.id')})
  RETURNING e.tenant_id, e.id, e.seq
)
INSERT INTO due (tenant_id, id, kind, due_at, leased, seq)
SELECT tenant_id, id, ${KIND.event}, now(), true, seq FROM again
ON CONFLICT DO NOTHING RETURNING id`
