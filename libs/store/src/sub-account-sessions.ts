/**
 * The registry of sub-accounts' sessions in the portal: what a request needs to know of one, and
 * the writes of its state. Minting is a route's own transaction.
 *
 * Whether a session is in force is decided here, by Postgres's clock: it was exchanged, is neither
 * revoked nor over, and its sub-account is active.
 */
import type { Environment } from '@posthorn/domain/api-key'
import { planOf, projectsOf } from './caller-tenant.ts'
import { selectivityHint } from './pipeline/sql/selectivity-hint.ts'
import type { Pool } from './pool.ts'
import { withRetries } from './repeat.ts'

export interface SubAccountSessionId {
  /** The sub-account. */
  tenantId: string
  id: string
}

interface StoredProject {
  id: string
  environment: Environment
}

export interface StoredSubAccountSession extends SubAccountSessionId {
  parentId: string
  /** '': the sub-account has none. */
  name: string
  scopes: string[]
  returnUrl: string
  /** Epoch ms. */
  expiresAt: number
  maxExpiresAt: number
  isConsumed: boolean
  /** It is neither revoked nor over, and its sub-account is active. */
  isLive: boolean
  /** The plan of the parent's subscription in force; null: there is none. */
  plan: string | null
  /** All projects of the sub-account, the default one first. */
  projects: StoredProject[]
  parentProjects: StoredProject[]
}

const IS_LIVE = `s.revoked_at IS NULL AND s.expires_at > now() AND t.status = 'active'`
const SESSION_COLUMNS = `s.tenant_id AS "tenantId", s.id, t.parent_id AS "parentId", t.name,
  s.scopes, s.return_url AS "returnUrl",
  extract(epoch FROM s.expires_at)::float8 * 1000 AS "expiresAt",
  extract(epoch FROM s.max_expires_at)::float8 * 1000 AS "maxExpiresAt",
  s.consumed_at IS NOT NULL AS "isConsumed", ${IS_LIVE} AS "isLive",
  ${planOf('s.tenant_id')} AS plan, ${projectsOf('t.id')} AS projects,
  ${projectsOf('t.parent_id')} AS "parentProjects"`

/** A sub-account's id, a slash, and the id of one of its sessions. */
export function sessionReference({ tenantId, id }: SubAccountSessionId): string {
  return `${tenantId}/${id}`
}

/** @returns the sessions by their references, also those that have ended */
export async function findSubAccountSessions(
  pool: Pool,
  references: readonly string[],
): Promise<Map<string, StoredSubAccountSession>> {
  const asked = references.map((reference) => reference.split('/'))
  const { rows } = await pool.query<StoredSubAccountSession>({
    name: 'find-sub-account-sessions',
    text: `SELECT ${SESSION_COLUMNS}
      FROM unnest($1::uuid[], $2::uuid[]) AS asked (tenant_id, id)
      JOIN sub_account_sessions s USING (tenant_id, id)
      JOIN tenants t ON t.id = s.tenant_id AND t.parent_id IS NOT NULL`,
    values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)],
  })
  return new Map(rows.map((row) => [sessionReference(row), row]))
}

/** @returns false: it was exchanged before, or is no longer in force */
export async function consumeSubAccountSession(
  pool: Pool,
  { tenantId, id }: SubAccountSessionId,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'consume-sub-account-session',
    text: `UPDATE sub_account_sessions s SET consumed_at = now()
      FROM tenants t
      WHERE s.tenant_id = $1 AND s.id = $2 AND t.id = s.tenant_id
        AND s.consumed_at IS NULL AND ${IS_LIVE}`,
    values: [tenantId, id],
  })
  return rowCount === 1
}

/** How often a session was used since it was last written. */
export interface SubAccountSessionUses extends SubAccountSessionId {
  count: number
}

/** A session that is used within this time of its end goes on, */
const SLIDES_WITHIN = `interval '30 minutes'`
/** for this long, counted from its use. */
const SLIDES_BY = `interval '1 hour'`

/**
 * It locks rows in the order of keys, as every instance does that writes the same sessions: the
 * hint makes the plan look each one up in the order given. Whoever else changes several of them,
 * as a revocation does, may lock them otherwise: a deadlock is undone by Postgres and repeated.
 */
export async function recordSubAccountSessionUses(
  pool: Pool,
  uses: readonly SubAccountSessionUses[],
): Promise<void> {
  const sorted = uses.toSorted((one, other) =>
    sessionReference(one) < sessionReference(other) ? -1 : 1,
  )
  const values = [
    sorted.map(({ tenantId }) => tenantId),
    sorted.map(({ id }) => id),
    sorted.map(({ count }) => count),
  ]
  await withRetries(() =>
    pool.query({ name: 'record-sub-account-session-uses', text: USE, values }),
  )
}

const USE = `UPDATE sub_account_sessions s SET last_used_at = now(),
    use_count = use_count + used.count,
    expires_at = CASE WHEN s.revoked_at IS NULL AND s.expires_at > now()
        AND s.expires_at < now() + ${SLIDES_WITHIN}
      THEN LEAST(GREATEST(s.expires_at, now() + ${SLIDES_BY}), s.max_expires_at)
      ELSE s.expires_at END
  FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS used (tenant_id, id, count)
  WHERE s.tenant_id = used.tenant_id AND s.id = used.id AND ${selectivityHint('used.id')}`
