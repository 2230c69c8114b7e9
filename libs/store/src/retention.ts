/**
 * Retention: what has ended goes after the days that its tenant keeps it, counted from the end of
 * its event. An event that has not ended stays with all that belongs to it, however old. Audit rows
 * and sign-ins go so many days after they were written. Days that nobody keeps any more leave as
 * partitions (`drop-partitions.ts`). What one tenant keeps for a shorter time than others, or what
 * stands in a partition that must stay, goes in small batches.
 *
 * Called hourly; several at once do no harm, and all but one return at once. Whoever reads a row of
 * an ended event may find that it has just gone.
 */
import { type OwnRetention, planRetention, retentionDays } from '@posthorn/domain/retention'
import { idAt } from '@posthorn/domain/ids'
import type { PlanName } from '@posthorn/domain/plans'
import { planOf } from './caller-tenant.ts'
import { boundsOf } from './pipeline/sql/partition-bounds.ts'
import { dropPartitions } from './drop-partitions.ts'
import { withRetries } from './repeat.ts'
import { isKeptBy, longestOf, type RetainedKind, type TenantWindow } from './retention-windows.ts'
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

export interface RetentionResult extends Record<RetainedKind, number> {
  /** Names of the partitions that are gone. */
  dropped: string[]
  /** It has stopped at `maxBatches`: the next call begins here. null: everything was looked at. */
  next: RetentionPosition | null
}

/** Where the rows begin that the next statement looks at. */
export interface RetentionPosition {
  tenantId: string | null
  kind: RetainedKind
  after: string
}

const NONE_DELETED = { events: 0, attempts: 0, auditLogs: 0, authAudit: 0 }
const NOTHING: RetentionResult = { dropped: [], ...NONE_DELETED, next: null }

export interface RetentionRules {
  /** The plan of tenants without a subscription. */
  defaultPlan: PlanName
  /**
   * Statements that delete rows, or look for them, at most; without it 200, some 10 s. With more
   * tenants than that, no round reaches the last ones from the beginning.
   */
  maxBatches?: number
  /** Where the round before stopped. Days were dropped by it, and are not looked into again. */
  startAt?: RetentionPosition | null
  /** Usage is counted from the events: those of this day and later ones stay. */
  countedUntil?: Date
}

export async function applyRetention(
  pool: Pool,
  now: Date,
  { defaultPlan, maxBatches = 200, startAt = null, countedUntil = now }: RetentionRules,
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
    const dropped = startAt === null ? await dropPartitions(client, windows, now, countedUntil) : []
    const deleted = await deleteRows(pool, windows, { now, countedUntil, maxBatches, startAt })
    await client.query(`SELECT pg_advisory_unlock(${LOCK})`)
    broken = false
    return { dropped, ...deleted }
  } finally {
    // The lock ends with the connection.
    client.release(broken)
  }
}

async function readWindows(pool: Pool, defaultPlan: PlanName): Promise<TenantWindow[]> {
  const { rows } = await pool.query<{ tenantId: string; plan: string } & OwnRetention>(
    `SELECT t.id AS "tenantId", coalesce(${planOf('t.id')}, $1) AS plan,
       s.event_retention_days AS events, s.delivery_attempt_retention_days AS attempts,
       s.audit_log_retention_days AS "auditLogs", s.auth_audit_retention_days AS "authAudit"
     FROM tenants t LEFT JOIN retention_settings s
       ON s.tenant_id = coalesce(t.parent_id, t.id)
     ORDER BY t.id`,
    [defaultPlan],
  )
  const windows = rows.map(({ tenantId, plan, ...own }): TenantWindow => {
    const days = retentionDays(plan, own)
    // An event stays for at least as long as its idempotency key.
    return { tenantId, ...days, events: days.events === 0 ? 0 : Math.max(days.events, KEY_DAYS) }
  })
  return [...windows, { tenantId: null, ...planRetention(defaultPlan) }]
}

interface DeletionRules {
  now: Date
  countedUntil: Date
  maxBatches: number
  startAt: RetentionPosition | null
}

async function deleteRows(
  pool: Pool,
  windows: readonly TenantWindow[],
  { now, countedUntil, maxBatches, startAt }: DeletionRules,
): Promise<Omit<RetentionResult, 'dropped'>> {
  const deleted = { ...NONE_DELETED }
  const kinds = KINDS.map((one) => ({ ...one, longest: longestOf(windows, one.kind) }))
  let position = startAt
  let batches = 0
  for (const window of windows) {
    if (position !== null && isBefore(window, position)) continue
    for (const { kind, isCounted, longest, remove } of kinds) {
      const isHere = position?.tenantId === window.tenantId
      if (position !== null && isHere && position.kind !== kind) continue
      const first = position !== null && isHere ? position.after : FIRST_ID
      position = null
      const days = window[kind]
      if (days === 0 || !isKeptBy(window, kind)) continue
      const old = now.getTime() - (days + (days === longest ? GRACE_DAYS : 0)) * DAY_MS
      const before = new Date(isCounted ? Math.min(old, countedUntil.getTime()) : old)
      for (let after: string | null = first; after !== null; ) {
        const { tenantId } = window
        if (batches === maxBatches) return { ...deleted, next: { tenantId, kind, after } }
        batches += 1
        const from: string = after
        const batch = await withRetries(() => remove(pool, { window, before, after: from }))
        deleted[kind] += batch.deleted
        after = batch.after
      }
    }
  }
  return { ...deleted, next: null }
}

/** Windows come in the order of their tenants, and nobody's comes last. */
function isBefore({ tenantId }: TenantWindow, position: RetentionPosition): boolean {
  if (tenantId === null || position.tenantId === null) return tenantId !== position.tenantId
  return tenantId < position.tenantId
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** What the next batch may delete. */
interface Candidates {
  window: TenantWindow
  before: Date
  after: string
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
  table: 'events' | 'attempts' | 'audit_logs' | 'auth_audit_logs',
  { window: { tenantId }, after, before }: Candidates,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${table}
     WHERE ${tenantId === null ? 'tenant_id IS NULL AND $1::uuid IS NULL' : 'tenant_id = $1'}
       AND id > $2 AND id < $3
     ORDER BY id LIMIT ${BATCH}`,
    [tenantId, after, idAt(before.getTime())],
  )
  return rows.map(({ id }) => id)
}

/** The last of a batch, where another may follow. */
function nextAfter(ids: readonly string[]): string | null {
  return ids.length < BATCH ? null : (ids.at(-1) ?? null)
}

// These statements have no name, and their days are literals: `pipeline/sql/partition-bounds.ts`
// tells why. A replay that comes at the same moment either finds nothing or makes the event one
// that has not ended. Deliveries may be of any day. What has ended may still have a row of `due`
// for a moment, which the sweep would drop only while it can see that the delivery has ended.
async function deleteEvents(pool: Pool, candidates: Candidates): Promise<Batch> {
  const ids = await oldIds(pool, 'events', candidates)
  if (ids.length === 0) return { deleted: 0, after: null }
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
    [candidates.window.tenantId, ids, candidates.before],
  )
  return { deleted: rowCount ?? 0, after: nextAfter(ids) }
}

async function deleteAttempts(pool: Pool, candidates: Candidates): Promise<Batch> {
  const ids = await oldIds(pool, 'attempts', candidates)
  if (ids.length === 0) return { deleted: 0, after: null }
  const { rowCount } = await pool.query(
    `DELETE FROM attempts a
     WHERE a.tenant_id = $1 AND a.id = ANY ($2::uuid[]) AND ${boundsOf(ids).within('a.id')}
       AND NOT EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.id = a.event_id
         AND (e.ended_at IS NULL OR e.ended_at >= $3))`,
    [candidates.window.tenantId, ids, candidates.before],
  )
  return { deleted: rowCount ?? 0, after: nextAfter(ids) }
}

/** Rows that belong to no event: they end with the moment that they are of. */
function deleteAudit(table: 'audit_logs' | 'auth_audit_logs') {
  return async (pool: Pool, candidates: Candidates): Promise<Batch> => {
    const ids = await oldIds(pool, table, candidates)
    if (ids.length === 0) return { deleted: 0, after: null }
    const { tenantId } = candidates.window
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} a
       WHERE ${tenantId === null ? 'a.tenant_id IS NULL AND $1::uuid IS NULL' : 'a.tenant_id = $1'}
         AND a.id = ANY ($2::uuid[]) AND ${boundsOf(ids).within('a.id')}`,
      [tenantId, ids],
    )
    return { deleted: rowCount ?? 0, after: nextAfter(ids) }
  }
}

/** `isCounted`: usage is counted from it, and it stays until that is done. */
const KINDS: readonly {
  kind: RetainedKind
  isCounted: boolean
  remove: (pool: Pool, candidates: Candidates) => Promise<Batch>
}[] = [
  { kind: 'attempts', isCounted: true, remove: deleteAttempts },
  { kind: 'events', isCounted: true, remove: deleteEvents },
  { kind: 'auditLogs', isCounted: false, remove: deleteAudit('audit_logs') },
  { kind: 'authAudit', isCounted: false, remove: deleteAudit('auth_audit_logs') },
]
