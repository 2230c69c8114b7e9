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
import type { PlanName } from '@posthorn/domain/plans'
import { planOf } from './caller-tenant.ts'
import { dropPartitions } from './drop-partitions.ts'
import { withRetries } from './repeat.ts'
import { FIRST_ID, REMOVALS, removeBatch } from './retention-batches.ts'
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
  const kinds = REMOVALS.map((one) => ({ ...one, longest: longestOf(windows, one.kind) }))
  let position = startAt
  let batches = 0
  for (const window of windows) {
    if (position !== null && isBefore(window, position)) continue
    for (const { longest, ...removal } of kinds) {
      const { kind, isCounted } = removal
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
        const candidates = { tenantId, before, after: from }
        const batch = await withRetries(() => removeBatch(pool, removal, candidates))
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
