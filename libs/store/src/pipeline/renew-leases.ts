/**
 * Who may act. An announced row carries its `due_at` as a token; each of these statements acts only
 * where the token is still the row's, and sets a new one. So a copy of an older announcement never
 * wins, however late.
 */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { dueBy, hasToken } from './sql/by-key.ts'
import { countMoved, MOVED_COLUMNS } from './sql/count-moved.ts'
import { type PartitionBounds, boundsOf, boundsOfKnown } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { LEASE } from './sql/lease.ts'

/**
 * A row of `due` as the owner of its lease knows it: a delivery, a backlog, an event to fan out.
 */
export interface LeasedRow {
  tenantId: string
  id: string
  token: number
  /** The event of a delivery, where it is known: then it is looked for in its own day alone. */
  eventId?: string
}

/**
 * Leases rows anew: those of an announcement whose lease ended before anyone acted, and those whose
 * work takes longer than a lease.
 * @returns the new tokens by id; a missing one has been taken over
 */
export async function renewLeases(
  pool: Pool,
  leased: readonly LeasedRow[],
): Promise<Map<string, number>> {
  return await tokens(pool, 'renew-leases', `WITH ${INPUT}, ${renewed()} ${TOKENS}`, leased)
}

/**
 * As `renewLeases`, for attempts that turn out to last: their deliveries, and so their events,
 * become `delivering`.
 */
export async function beginAttempts(
  pool: Pool,
  leased: readonly LeasedRow[],
): Promise<Map<string, number>> {
  if (leased.length === 0) return new Map()
  const deliveries = boundsOf(leased.map((one) => one.id))
  const events = boundsOfKnown(leased.map((one) => one.eventId))
  const name = `begin-attempts ${deliveries.name} ${events.name}`
  return await tokens(pool, name, beginText(deliveries, events), leased)
}

async function tokens(
  pool: Pool,
  name: string,
  text: string,
  leased: readonly LeasedRow[],
): Promise<Map<string, number>> {
  if (leased.length === 0) return new Map()
  const sorted = [...leased].sort((a, b) => (a.id < b.id ? -1 : 1))
  const values = [
    sorted.map((one) => one.tenantId),
    sorted.map((one) => one.id),
    sorted.map((one) => one.token),
  ]
  const { rows } = await withRetries(() =>
    pool.query<{ id: string; token: number }>({ name, text, values }),
  )
  return new Map(rows.map((row) => [row.id, row.token]))
}

const INPUT = `input AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) AS i (tenant_id, id, token)
  WHERE ${selectivityHint('i.id')}
)`
const TOKENS = 'SELECT id, micros(due_at) AS token FROM renewed'

function renewed(after = 'true'): string {
  return `renewed AS (
  UPDATE due SET due_at = now() + ${LEASE}, leased = true FROM input i
  WHERE ${dueBy('i')} AND ${hasToken('i.token')}
    AND ${after}
  RETURNING due.id, due.due_at
)`
}

const BEGINNABLE = statesBefore('begin')
  .filter((state) => state !== STATE_CODE.delivering)
  .join(', ')

// Deliveries are locked first, then events, then rows of `due`. That is the recorder's order, and
// it may be recording these very attempts meanwhile. A dispatcher that loses its lease in between
// has marked a delivery that another one will send anyway.
const beginText = (
  deliveries: PartitionBounds,
  events: PartitionBounds,
): string => `WITH ${INPUT}, moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.delivering}
  FROM input i JOIN due
    ON ${dueBy('i')} AND ${hasToken('i.token')}
  WHERE d.tenant_id = i.tenant_id AND d.id = i.id AND d.state IN (${BEGINNABLE})
    AND ${deliveries.within('d.id')}
  RETURNING ${MOVED_COLUMNS}
), ${countMoved('moved', events)}, ${renewed('(SELECT count(*) FROM counted) >= 0')} ${TOKENS}`

/** Gives up leases: their rows are due now, for whoever comes next. */
export async function releaseLeases(pool: Pool, leased: readonly LeasedRow[]): Promise<void> {
  await tokens(pool, 'release-leases', RELEASE, leased)
}

const RELEASE = `WITH ${INPUT}, released AS (
  UPDATE due SET due_at = now(), leased = false FROM input i
  WHERE ${dueBy('i')} AND ${hasToken('i.token')}
  RETURNING due.id, due.due_at
) SELECT id, micros(due_at) AS token FROM released`
