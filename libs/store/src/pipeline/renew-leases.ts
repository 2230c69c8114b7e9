/**
 * Who may act. An announced row carries its `due_at` as a token; each of these statements acts only where the token
 * is still the row's, and sets a new one. So a copy of an older announcement never wins, however late.
 */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { countMoved, MOVED_COLUMNS } from './counts.ts'
import { type PartitionBounds, boundsOf, boundsOfKnown } from './partition-bounds.ts'
import { selectivityHint } from './selectivity-hint.ts'
import { LEASE } from './lease.ts'

/** A row of `due` as somebody holds it: a delivery, a backlog, an event to fan out. */
export interface LeasedRow {
  tenantId: string
  id: string
  token: number
  /** Of a delivery, where it is at hand: its event is found in its own day alone. */
  eventId?: string
}

/**
 * Leases again: for an announcement whose lease ended before anyone acted, and for what takes longer than a lease.
 * @returns the new tokens by id; a missing one has been taken over
 */
export async function renewLeases(
  pool: Pool,
  held: readonly LeasedRow[],
): Promise<Map<string, number>> {
  return await tokens(pool, 'renew-leases', `WITH ${INPUT}, ${renewed()} ${TOKENS}`, held)
}

/** As `renewLeases`, for tries that are seen to last: their deliveries, and so their events, become `delivering`. */
export async function beginAttempts(
  pool: Pool,
  held: readonly LeasedRow[],
): Promise<Map<string, number>> {
  if (held.length === 0) return new Map()
  const deliveries = boundsOf(held.map((one) => one.id))
  const events = boundsOfKnown(held.map((one) => one.eventId))
  const name = `begin-tries ${deliveries.name} ${events.name}`
  return await tokens(pool, name, beginText(deliveries, events), held)
}

async function tokens(
  pool: Pool,
  name: string,
  text: string,
  held: readonly LeasedRow[],
): Promise<Map<string, number>> {
  if (held.length === 0) return new Map()
  const sorted = [...held].sort((a, b) => (a.id < b.id ? -1 : 1))
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
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) AS i (tenant_id, id, token) WHERE ${selectivityHint('i.id')}
)`
const TOKENS = 'SELECT id, micros(due_at) AS token FROM renewed'

function renewed(after = 'true'): string {
  return `renewed AS (
  UPDATE due SET due_at = now() + ${LEASE}, leased = true FROM input i
  WHERE due.tenant_id = i.tenant_id AND due.id = i.id AND due.due_at = from_micros(i.token) AND ${after}
  RETURNING due.id, due.due_at
)`
}

const BEGINNABLE = statesBefore('begin')
  .filter((state) => state !== STATE_CODE.delivering)
  .join(', ')

// Deliveries, then events, then `due`: the recorder's order, for it may be recording these very tries meanwhile. Whoever
// loses its lease between the two has marked a delivery that another one will try anyway.
const beginText = (
  deliveries: PartitionBounds,
  events: PartitionBounds,
): string => `WITH ${INPUT}, moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.delivering}
  FROM input i JOIN due ON due.tenant_id = i.tenant_id AND due.id = i.id AND due.due_at = from_micros(i.token)
  WHERE d.tenant_id = i.tenant_id AND d.id = i.id AND d.state IN (${BEGINNABLE})
    AND ${deliveries.within('d.id')}
  RETURNING ${MOVED_COLUMNS}
), ${countMoved('moved', events)}, ${renewed('(SELECT count(*) FROM counted) >= 0')} ${TOKENS}`

/** Lets go of what we hold: it is due now, for whoever comes next. */
export async function releaseLeases(pool: Pool, held: readonly LeasedRow[]): Promise<void> {
  await tokens(pool, 'release-leases', RELEASE, held)
}

const RELEASE = `WITH ${INPUT}, released AS (
  UPDATE due SET due_at = now(), leased = false FROM input i
  WHERE due.tenant_id = i.tenant_id AND due.id = i.id AND due.due_at = from_micros(i.token)
  RETURNING due.id, due.due_at
) SELECT id, micros(due_at) AS token FROM released`

/** What one process alone may do: taken when nobody holds it, kept while renewed. */
export async function acquireLeadership(
  pool: Pool,
  name: string,
  holder: string,
  forMs: number,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'hold-lease',
    // It need not outlive a crash of Postgres, so nobody waits for the disk twice a second.
    text: `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO leases (name, holder, held_until)
      SELECT $1, $2, now() + $3 * interval '1 millisecond' FROM unsynced
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
      WHERE leases.holder = excluded.holder OR leases.held_until <= now()`,
    values: [name, holder, forMs],
  })
  return rowCount === 1
}

export async function resignLeadership(pool: Pool, name: string, holder: string): Promise<void> {
  await pool.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
}
