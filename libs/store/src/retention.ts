/**
 * Retention: what has ended goes after the days that its tenant keeps it, counted from the end of
 * its event. An event that has not ended stays with all that belongs to it, however old. Days that
 * nobody keeps any more leave as partitions (`drop-partitions.ts`). What one tenant keeps for a
 * shorter time than others, or what stands in a partition that must stay, goes in small batches.
 *
 * Called hourly; several at once do no harm, and all but one return at once. Whoever reads a row of
 * an ended event may find that it has just gone.
 */
import { retentionDays } from '@posthorn/domain/retention'
import { idAt } from '@posthorn/domain/ids'
import type { PlanName } from '@posthorn/domain/plans'
import { planOf } from './caller-tenant.ts'
import { boundsOf } from './pipeline/sql/partition-bounds.ts'
import { dropPartitions } from './drop-partitions.ts'
import { withRetries } from './repeat.ts'
import type { Pool } from './pool.ts'

const DAY_MS = 86_400_000
/** An idempotency key answers for its event at least so long. */
const KEY_DAYS = 1
/**
 * Rows stay for so much longer that their partition can go first and take them along: a day is
 * complete when it has passed, and is dropped within the next.
 */
const GRACE_DAYS = 2
/** One statement deletes so many events, with what belongs to them: some 50 ms. */
const BATCH = 500
/** One at a time: 'keeps' in ASCII. */
const LOCK = '461246132339'

export interface TenantWindow {
  tenantId: string
  /** 0: for ever. */
  events: number
  attempts: number
}

export interface RetentionResult {
  /** Names of the partitions that are gone. */
  dropped: string[]
  events: number
  attempts: number
  /** It has stopped at `maxBatches`: there is more to do. */
  more: boolean
}

const NOTHING: RetentionResult = { dropped: [], events: 0, attempts: 0, more: false }

export interface RetentionRules {
  /** The plan of tenants without a subscription. */
  defaultPlan: PlanName
  /** Statements that delete rows, at most; without it 200, some 10 s. */
  maxBatches?: number
  /** Usage is counted from the events: those of this day and later ones stay. */
  countedUntil?: Date
}

export async function applyRetention(
  pool: Pool,
  now: Date,
  { defaultPlan, maxBatches = 200, countedUntil = now }: RetentionRules,
): Promise<RetentionResult> {
  const client = await pool.connect()
  let broken = true
  try {
    const { rows } = await client.query<{ ours: boolean }>(
      `SELECT pg_try_advisory_lock(${LOCK}) AS ours`,
    )
    if (rows[0]?.ours !== true) {
      broken = false
      return NOTHING
    }
    const windows = await readWindows(pool, defaultPlan)
    const dropped = await dropPartitions(client, windows, now, countedUntil)
    const deleted = await deleteRows(pool, windows, { now, countedUntil, maxBatches })
    await client.query(`SELECT pg_advisory_unlock(${LOCK})`)
    broken = false
    return { dropped, ...deleted }
  } finally {
    // The lock ends with the connection.
    client.release(broken)
  }
}

async function readWindows(pool: Pool, defaultPlan: PlanName): Promise<TenantWindow[]> {
  const { rows } = await pool.query<{
    tenantId: string
    plan: string
    events: number | null
    attempts: number | null
  }>(
    `SELECT t.id AS "tenantId", coalesce(${planOf('t.id')}, $1) AS plan,
       s.event_retention_days AS events, s.delivery_attempt_retention_days AS attempts
     FROM tenants t LEFT JOIN retention_settings s
       ON s.tenant_id = coalesce(t.parent_id, t.id)`,
    [defaultPlan],
  )
  return rows.map(({ tenantId, plan, ...own }) => {
    const days = retentionDays(plan, own)
    // An event stays for at least as long as its idempotency key.
    return { tenantId, ...days, events: days.events === 0 ? 0 : Math.max(days.events, KEY_DAYS) }
  })
}

async function deleteRows(
  pool: Pool,
  windows: readonly TenantWindow[],
  { now, countedUntil, maxBatches }: { now: Date; countedUntil: Date; maxBatches: number },
): Promise<Omit<RetentionResult, 'dropped'>> {
  const deleted = { events: 0, attempts: 0, more: false }
  const longest = { events: longestOf(windows, 'events'), attempts: longestOf(windows, 'attempts') }
  let batches = 0
  for (const window of windows) {
    for (const what of ['attempts', 'events'] as const) {
      const days = window[what]
      if (days === 0) continue
      const kept = days + (days === longest[what] ? GRACE_DAYS : 0)
      const before = new Date(Math.min(now.getTime() - kept * DAY_MS, countedUntil.getTime()))
      const remove = what === 'events' ? deleteEvents : deleteAttempts
      for (let after: string | null = FIRST_ID; after !== null; ) {
        if (batches === maxBatches) return { ...deleted, more: true }
        batches += 1
        const batch = await withRetries(() =>
          remove(pool, window.tenantId, before, after as string),
        )
        deleted[what] += batch.deleted
        after = batch.after
      }
    }
  }
  return deleted
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

function longestOf(windows: readonly TenantWindow[], what: 'events' | 'attempts'): number {
  const days = windows.map((window) => window[what])
  return days.includes(0) ? 0 : Math.max(0, ...days)
}

interface Batch {
  deleted: number
  /** Where the next begins; null: there is none. */
  after: string | null
}

/**
 * Ids that are old enough. Whether their events have ended, and when, is asked by the statement
 * that deletes them.
 */
async function oldIds(
  pool: Pool,
  table: 'events' | 'attempts',
  [tenantId, after, before]: [string, string, Date],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE tenant_id = $1 AND id > $2 AND id < $3
     ORDER BY id LIMIT ${BATCH}`,
    [tenantId, after, idAt(before.getTime())],
  )
  return rows.map(({ id }) => id)
}

// These statements have no name, and their days are literals: `pipeline/sql/partition-bounds.ts`
// tells why. A replay that comes at the same moment either finds nothing or makes the event one
// that has not ended. Deliveries may be of any day. What has ended may still have a row of `due`
// for a moment, which the sweep would drop only while it can see that the delivery has ended.
async function deleteEvents(
  pool: Pool,
  tenantId: string,
  before: Date,
  after: string,
): Promise<Batch> {
  const ids = await oldIds(pool, 'events', [tenantId, after, before])
  const last = ids.at(-1)
  if (last === undefined) return { deleted: 0, after: null }
  const bounds = boundsOf(ids)
  const { rowCount } = await pool.query(
    `WITH gone AS (
       DELETE FROM events e
       WHERE e.tenant_id = $1 AND e.id = ANY ($2::uuid[]) AND ${bounds.within('e.id')}
         AND e.ended_at < $3 RETURNING e.id, e.idempotency_key
     ), direct AS (
       DELETE FROM deliveries d USING gone g
       WHERE d.tenant_id = $1 AND d.id = g.id AND d.endpoint_id IS NULL
         AND ${bounds.within('d.id')}
     ), fanned_out AS (
       DELETE FROM deliveries d USING gone g
       WHERE d.tenant_id = $1 AND d.event_id = g.id AND d.endpoint_id IS NOT NULL
       RETURNING d.id
     ), undue AS (
       DELETE FROM due USING (SELECT id FROM gone UNION ALL SELECT id FROM fanned_out) g
       WHERE due.tenant_id = $1 AND due.id = g.id
     ), keys AS (
       DELETE FROM idempotency_keys k USING gone g
       WHERE k.tenant_id = $1 AND k.key = g.idempotency_key AND k.event_id = g.id
     )
     SELECT FROM gone`,
    [tenantId, ids, before],
  )
  return { deleted: rowCount ?? 0, after: ids.length < BATCH ? null : last }
}

async function deleteAttempts(
  pool: Pool,
  tenantId: string,
  before: Date,
  after: string,
): Promise<Batch> {
  const ids = await oldIds(pool, 'attempts', [tenantId, after, before])
  const last = ids.at(-1)
  if (last === undefined) return { deleted: 0, after: null }
  const { rowCount } = await pool.query(
    `DELETE FROM attempts a
     WHERE a.tenant_id = $1 AND a.id = ANY ($2::uuid[]) AND ${boundsOf(ids).within('a.id')}
       AND NOT EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.id = a.event_id
         AND (e.ended_at IS NULL OR e.ended_at >= $3))`,
    [tenantId, ids, before],
  )
  return { deleted: rowCount ?? 0, after: ids.length < BATCH ? null : last }
}
