/** Sessions with all that a request's authorisation needs, in one read. */
import type { Environment } from '@posthorn/domain/api-key'
import type { Role } from '@posthorn/domain/roles'
import { planOf, projectsOf } from './caller-tenant.ts'
import type { Pool } from './pool.ts'

/** A session whose member is active, or whose key was there. It may have expired. */
export interface StoredSession {
  tenantId: string
  sessionId: string
  /** Epoch ms. */
  expiresAt: number
  member: {
    user: {
      id: string
      email: string
      name: string | null
      emailVerified: boolean
      mfaEnabled: boolean
    }
    role: Role
  } | null
  key: {
    keyId: string
    name: string
    /** The person behind the key; null: nobody knows. */
    createdByUser: string | null
    scopes: string[]
    /** Epoch ms; null: never. */
    expiresAt: number | null
    revoked: boolean
    keyProjectId: string | null
  } | null
  requireMfa: boolean
  /** The plan of the subscription in force; null: there is none. */
  plan: string | null
  /** All projects of the tenant, the default one first. */
  projects: { id: string; environment: Environment }[]
}

/** @param digests SHA-256 in hex. @returns the sessions by their digests */
export async function findSessions(
  pool: Pool,
  digests: readonly string[],
): Promise<Map<string, StoredSession>> {
  const { rows } = await pool.query<StoredSession & { digest: string }>({
    name: 'find-sessions',
    text: `SELECT encode(s.token_hash, 'hex') AS digest, s.tenant_id AS "tenantId",
        s.id AS "sessionId", extract(epoch FROM s.expires_at)::float8 * 1000 AS "expiresAt",
        CASE WHEN u.id IS NOT NULL THEN json_build_object('role', m.role, 'user', json_build_object(
          'id', u.id, 'email', u.email, 'name', u.name,
          'emailVerified', u.email_verified_at IS NOT NULL, 'mfaEnabled', u.mfa_enabled
        )) END AS member,
        CASE WHEN k.id IS NOT NULL THEN json_build_object(
          'keyId', k.id, 'name', k.name, 'createdByUser', k.created_by_user, 'scopes', k.scopes, 'revoked', k.revoked_at IS NOT NULL,
          'expiresAt', extract(epoch FROM k.expires_at)::float8 * 1000,
          'keyProjectId', k.project_id
        ) END AS key,
        t.require_mfa AS "requireMfa",
        ${projectsOf('s.tenant_id')} AS projects, ${planOf('s.tenant_id')} AS plan
      FROM user_sessions s
      JOIN tenants t ON t.id = s.tenant_id AND t.deleting_since IS NULL
      LEFT JOIN memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id
        AND m.status = 'active'
      LEFT JOIN users u ON u.id = m.user_id
      LEFT JOIN api_keys k ON k.tenant_id = s.tenant_id AND k.id = s.api_key_id
      WHERE s.token_hash = ANY($1::bytea[]) AND (u.id IS NOT NULL OR k.id IS NOT NULL)`,
    values: [digests.map((digest) => Buffer.from(digest, 'hex'))],
  })
  return new Map(rows.map(({ digest, ...session }) => [digest, session]))
}

/** Lets a session that is still there end later. @param expiresAt epoch ms */
export async function extendSession(pool: Pool, digest: string, expiresAt: number): Promise<void> {
  await pool.query({
    name: 'extend-session',
    text: `UPDATE user_sessions
      SET expires_at = GREATEST(expires_at, to_timestamp($2::float8 / 1000)), last_used_at = now()
      WHERE token_hash = $1 AND expires_at > now()`,
    values: [Buffer.from(digest, 'hex'), expiresAt],
  })
}
